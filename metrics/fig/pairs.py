"""Decides when a caption says a (noun, attribute) pair of FiG (paper, algorithms 1 and 2).

It works on lists of words and knows no picture.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from hallascope.data.evidence import Span
from hallascope.metrics.parsing.mention_counts import Instance, instances
from hallascope.metrics.parsing.name_matching import alike, same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase

_SPELLED = {"gray": "grey", "golden": "gold"}


@dataclass(frozen=True)
class AttributePair:
    """A noun (which of the text's phrases) and what is said of it.

    `anchor` is the phrase of which a position is said.
    """

    noun: int | None
    value: str
    spans: tuple[Span, ...]
    anchor: int | None = None


@dataclass(frozen=True)
class PictureText:
    """Holds what was told of a picture: the meta-caption, and lines that a reader found.

    None: no reader was asked or could read.
    """

    caption: Parsed
    lines: tuple[str, ...] | None = None


class PairVerdict(NamedTuple):
    """Holds whether a pair is met, strictly and leniently, in which words and by which phrases.

    The phrases are those of the caption.
    """

    strict: bool
    soft: bool
    seen: str = ""
    said: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    note: str = ""


Finder = Callable[[Parsed], Iterable[AttributePair]]
PairJudge = Callable[[AttributePair, Parsed, PictureText], PairVerdict]


class AttributeRule(NamedTuple):
    """How the pairs of a prompt are found, how each is asked for in words, and when it is met."""

    find: Finder
    judge: PairJudge


def attribute(how: "Sequence[str] | Finder | AttributeRule") -> AttributeRule:
    """An entry of `ATTRIBUTES` in full.

    What a function finds in the prompt is met where it finds the same in the caption.
    """
    if isinstance(how, AttributeRule):
        return how
    if callable(how):
        return AttributeRule(how, partial(_found_again, find=how))
    words = frozenset(word.casefold() for word in how)
    return AttributeRule(partial(described, words=words), partial(_judge_pair, words=words))


def words_of(attributes: "Mapping[str, Sequence[str] | Finder | AttributeRule]") -> frozenset[str]:
    """The words that describe and never name, of all attributes that are lists."""
    return frozenset(
        word.casefold()
        for how in attributes.values()
        if not callable(how) and not isinstance(how, AttributeRule)
        for word in how
    )


def _found_again(
    pair: AttributePair, prompt: Parsed, told: PictureText, find: Finder
) -> PairVerdict:
    noun = phrase_at(prompt, pair.noun)
    anchor = phrase_at(prompt, pair.anchor)
    for rule in (same_name, alike):
        for other in find(told.caption):
            agrees = agree(rule, noun, phrase_at(told.caption, other.noun)) and agree(
                rule, anchor, phrase_at(told.caption, other.anchor)
            )
            if other.value == pair.value and agrees:
                said = tuple(at for at in (other.noun, other.anchor) if at is not None)
                return PairVerdict(
                    strict=rule is same_name,
                    soft=True,
                    seen=_text(told.caption, other),
                    said=said,
                    spans=other.spans,
                )
    return PairVerdict(strict=False, soft=False)


def phrase_at(text: Parsed, at: int | None) -> Phrase | None:
    return None if at is None else text.phrases[at]


def agree(
    rule: Callable[[Phrase, Phrase], bool], asked: Phrase | None, said: Phrase | None
) -> bool:
    """Whether two phrases are the same thing; what is not known agrees with anything."""
    return asked is None or said is None or rule(asked, said)


def _text(text: Parsed, pair: AttributePair) -> str:
    noun = phrase_at(text, pair.noun)
    return f"{pair.value} {noun.name}" if noun else pair.value


# --- words: color, and what a user adds
# ----------------------------------------------------------------------------------


def values(phrase: Phrase, words: frozenset[str]) -> dict[str, Span]:
    """The words of a list that describe a phrase, each with its place.

    "gray" and "grey" are one.
    """
    return {
        _SPELLED.get(word.text, word.text): word.span for word in phrase.words if word.text in words
    }


def described(text: Parsed, words: frozenset[str]) -> Iterator[AttributePair]:
    """Every thing with each of the words that describe it, once."""
    seen: list[tuple[Phrase, str]] = []
    for index, phrase in text.indexed_things():
        for value, span in values(phrase, words).items():
            if not any(
                value == other and same_name(phrase, one) and same_name(one, phrase)
                for one, other in seen
            ):
                seen.append((phrase, value))
                yield AttributePair(index, value, (phrase.named, span))


def _judge_pair(
    pair: AttributePair, prompt: Parsed, told: PictureText, words: frozenset[str]
) -> PairVerdict:
    """By the strict rule, else by the lenient one.

    The words are those of the first that finds the thing at all.
    """
    strict, soft = (_enough(pair, prompt, told.caption, words, rule) for rule in (same_name, alike))
    best = strict if strict.said or strict.strict else soft
    return best._replace(strict=strict.strict, soft=strict.strict or soft.strict)


def _enough(
    pair: AttributePair,
    prompt: Parsed,
    caption: Parsed,
    words: frozenset[str],
    rule: Callable[[Phrase, Phrase], bool],
) -> PairVerdict:
    """Return whether enough things satisfy a pair: one is enough, as a rule.

    Our reading: not where another has a color nobody asked for and so the number asked for is not
    reached.
    """
    asked = prompt.phrases[pair.noun or 0]
    found = instances(caption, partial(rule, asked), words)
    here = [one for one in found if pair.value in values_of(one)]
    reached = _many(here)
    surplus = [
        one
        for one in found
        if values_of(one)
        and pair.value not in values_of(one)
        and _unasked(one, found, prompt, asked, words)
    ]
    met = reached > 0 and (reached >= _needed(asked) or not surplus)
    note = (
        "Another is"
        f" {' and '.join(sorted({value for one in surplus for value in values_of(one)}))}."
        if met and surplus
        else ""
    )
    shown = here if met else found
    spans = tuple(caption.phrases[one.phrase].span for one in shown)
    return PairVerdict(
        strict=met,
        soft=met,
        seen=join_with_and([caption.text_at(span) for span in spans]),
        said=tuple(one.phrase for one in shown),
        spans=spans,
        note=note,
    )


def values_of(one: Instance) -> set[str]:
    return {_SPELLED.get(word, word) for word in one.words}


def _needed(asked: Phrase) -> int:
    return asked.number or (2 if asked.plural else 1)


def _many(found: Sequence[Instance]) -> int:
    """How many they are; many where a plural does not say."""
    return sum(10_000 if one.number is None else one.number for one in found)


def _unasked(
    one: Instance, found: Sequence[Instance], prompt: Parsed, asked: Phrase, words: frozenset[str]
) -> bool:
    """Whether there are more of its kind than the prompt asks for in another place."""
    wanted = 0
    for phrase in prompt.things:
        if same_name(asked, phrase) and values(phrase, words).keys() & values_of(one):
            wanted += _needed(phrase)
    return _many([other for other in found if values_of(other) & values_of(one)]) > wanted


def join_with_and(texts: Sequence[str]) -> str:
    each = list(dict.fromkeys(texts))
    return " and ".join(filter(None, (", ".join(each[:-1]), each[-1] if each else "")))
