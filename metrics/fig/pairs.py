"""Decides when a caption says a (noun, attribute) pair of FiG (paper, algorithms 1 and 2)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hallascope.data.regions import Span
from hallascope.metrics.fig.as_published import (
    OccurrenceFinder,
    TreePair,
    find_words,
    tree_pairs,
)
from hallascope.metrics.fig.asked_prompt import AskedPrompt, is_same
from hallascope.metrics.reading.mention_counts import Instance, instances
from hallascope.metrics.reading.names import alike, same_name
from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.words.language import join_with_and, one_spelling
from hallascope.metrics.reading.words.relations import relation_words

# A plural without a number stands for this: more than any number that a prompt asks for.
_MANY = 10_000


@dataclass(frozen=True)
class AttributePair:
    """Holds a noun and what is said of it.

    `noun` is which of the prompt's objects, or of a text's phrases where it was found in a text;
    `anchor` is that of which a position is said. `listed`: a person's list says it, not the prompt.
    """

    noun: int | None
    value: str
    spans: tuple[Span, ...]
    anchor: int | None = None
    listed: bool = False

    @property
    def ends(self) -> tuple[int, ...]:
        """Return what the pair is about: its noun and its anchor, as far as they are known."""
        return tuple(at for at in (self.noun, self.anchor) if at is not None)


@dataclass(frozen=True)
class PictureText:
    """Holds what is known of a picture in words: the meta-caption, and lines that a reader read.

    `lines` is None where no reader was asked or could read.
    """

    caption: Parsed
    lines: tuple[str, ...] | None = None

    def mentions(self, at: int) -> list[Phrase]:
        """Return a phrase of the caption, and the one that first named the same thing."""
        return [
            self.caption.phrases[name]
            for name in dict.fromkeys((at, self.caption.first_mention(at)))
        ]


@dataclass(frozen=True, kw_only=True)
class PairVerdict:
    """Holds whether a pair is met, strictly and leniently, and by which words of the caption.

    `observed` are the words, `phrases` which phrases of the caption say them, `spans` where.
    """

    strict: bool
    soft: bool
    observed: str = ""
    phrases: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    note: str = ""


NameRule = Callable[[Phrase, Phrase], bool]
Finder = Callable[[Parsed], Iterable[AttributePair]]
PairJudge = Callable[[AttributePair, Parsed, PictureText], PairVerdict]
ReadingFinder = Callable[[AskedPrompt], Iterable[AttributePair]]
ReadingJudge = Callable[[AttributePair, AskedPrompt, PictureText], PairVerdict]


@dataclass(frozen=True)
class AttributeRule:
    """Holds how the pairs of an attribute are found in the text of a prompt, and when one is met.

    The nouns of its pairs are phrases of that text.
    """

    find: Finder
    judge: PairJudge


@dataclass(frozen=True)
class ReadingRule:
    """Holds how the pairs of an attribute are found in a prompt's reading, and when one is met.

    The nouns of its pairs are objects of that reading. `occurrences` finds where a sentence says
    the attribute, for the paper's own rule. `words` describe and never name.
    """

    find: ReadingFinder
    judge: ReadingJudge
    occurrences: OccurrenceFinder
    words: frozenset[str] = frozenset()


AttributeSpec = Sequence[str] | Finder | AttributeRule | ReadingRule
Attributes = Mapping[str, AttributeSpec]


def attribute_rule(spec: AttributeSpec) -> AttributeRule | ReadingRule:
    """Return an entry of `ATTRIBUTES` in full.

    What a function finds in the prompt's text is met where it finds the same in the caption.
    """
    if isinstance(spec, AttributeRule | ReadingRule):
        return spec
    if callable(spec):
        return AttributeRule(spec, partial(_judge_by_finder, find=spec))
    words = frozenset(word.casefold() for word in spec)
    return ReadingRule(
        partial(find_word_pairs, words=words),
        partial(judge_by_words, words=words),
        partial(find_words, words=words),
    )


def published_pairs(rule: AttributeRule | ReadingRule, text: Parsed) -> frozenset[TreePair]:
    """Return the pairs of a text by algorithm 1; what a user's function finds by that function."""
    if isinstance(rule, ReadingRule):
        return tree_pairs(text, rule.occurrences)
    return frozenset(
        TreePair("" if pair.noun is None else text.phrases[pair.noun].head, pair.value)
        for pair in rule.find(text)
    )


def attribute_words(attributes: Attributes) -> frozenset[str]:
    """Return the words that describe and never name, of all attributes that have a list."""
    words: set[str] = set()
    for spec in attributes.values():
        if isinstance(spec, ReadingRule):
            words |= spec.words
        elif not callable(spec) and not isinstance(spec, AttributeRule):
            words |= {word.casefold() for word in spec}
    return frozenset(words)


# --- what a user's function finds


def _judge_by_finder(
    pair: AttributePair, prompt: Parsed, picture: PictureText, find: Finder
) -> PairVerdict:
    caption = picture.caption
    for rule in (same_name, alike):
        for other in find(caption):
            if other.value != pair.value or not _is_same_pair(rule, pair, other, prompt, caption):
                continue
            observed = other.value
            if other.noun is not None:
                observed = f"{other.value} {caption.phrases[other.noun].name}"
            return PairVerdict(
                strict=rule is same_name,
                soft=True,
                observed=observed,
                phrases=other.ends,
                spans=other.spans,
            )
    return PairVerdict(strict=False, soft=False)


def _is_same_pair(
    rule: NameRule, pair: AttributePair, other: AttributePair, prompt: Parsed, caption: Parsed
) -> bool:
    """Return whether two pairs are of the same things; what is not known agrees with anything."""
    return all(
        expected is None
        or observed is None
        or rule(prompt.phrases[expected], caption.phrases[observed])
        for expected, observed in ((pair.noun, other.noun), (pair.anchor, other.anchor))
    )


# --- words: color, and lists that a user adds


def values(phrase: Phrase, words: frozenset[str]) -> set[str]:
    """Return the words of a list that describe a phrase, in one spelling."""
    return {one_spelling(word.text) for word in phrase.modifiers if word.text in words}


def instance_values(instance: Instance) -> set[str]:
    """Return the words that describe an instance, in one spelling."""
    return {one_spelling(word) for word in instance.words}


def find_word_pairs(prompt: AskedPrompt, words: frozenset[str]) -> Iterator[AttributePair]:
    """Yield every object to be shown with each of the words that describe it, once."""
    yielded: list[tuple[Phrase, str]] = []
    for at, _ in prompt.present():
        name = prompt.names[at]
        for value, spans in prompt.values(at, words).items():
            if any(value == other and is_same(name, before) for before, other in yielded):
                continue
            yielded.append((name, value))
            yield AttributePair(at, value, (*prompt.spans(at), *spans))


def judge_by_words(
    pair: AttributePair, prompt: AskedPrompt, picture: PictureText, words: frozenset[str]
) -> PairVerdict:
    """Judge by the strict rule and by the lenient one.

    The words shown are those of the first that finds the thing at all.
    """
    strict = _judge_by_rule(pair, prompt, picture.caption, words, same_name)
    soft = _judge_by_rule(pair, prompt, picture.caption, words, alike)
    shown = strict if strict.phrases or strict.strict else soft
    return PairVerdict(
        strict=strict.strict,
        soft=strict.strict or soft.strict,
        observed=shown.observed,
        phrases=shown.phrases,
        spans=shown.spans,
        note=shown.note,
    )


def _judge_by_rule(
    pair: AttributePair, prompt: AskedPrompt, caption: Parsed, words: frozenset[str], rule: NameRule
) -> PairVerdict:
    """Return whether enough things satisfy a pair: one is enough, as a rule.

    One is not enough where another of its name has a value that nobody asked for ("two
    red balls", of which one is blue); then as many are needed as the prompt asks for.
    """
    expected = pair.noun or 0
    named = instances(caption, partial(rule, prompt.names[expected]), words)
    matching = [instance for instance in named if pair.value in instance_values(instance)]
    count = _count(matching)
    surplus: set[str] = set()
    for instance in named:
        observed = instance_values(instance)
        if observed and pair.value not in observed:
            of_kind = [other for other in named if instance_values(other) & observed]
            if _count(of_kind) > _expected_count(prompt, expected, observed, words):
                surplus |= observed
    met = count > 0 and (count >= _needed(prompt, expected) or not surplus)
    shown = matching if met else named
    spans = tuple(caption.phrases[instance.phrase].span for instance in shown)
    return PairVerdict(
        strict=met,
        soft=met,
        observed=join_with_and(dict.fromkeys(map(caption.text_at, spans))),
        phrases=tuple(instance.phrase for instance in shown),
        spans=spans,
        note=f"Another is {' and '.join(sorted(surplus))}." if met and surplus else "",
    )


def _needed(prompt: AskedPrompt, at: int) -> int:
    """Return how many of an object there are to be at least."""
    count = prompt.objects[at].count
    return max(1, count.least) if count else 1


def _count(mentions: Sequence[Instance]) -> int:
    return sum(_MANY if instance.number is None else instance.number for instance in mentions)


def _expected_count(
    prompt: AskedPrompt, expected: int, observed: set[str], words: frozenset[str]
) -> int:
    """Return how many things of a name and of some values the prompt asks for in all."""
    return sum(
        _needed(prompt, at)
        for at, _ in prompt.present()
        if same_name(prompt.names[expected], prompt.names[at])
        and prompt.values(at, words).keys() & observed
    )


def pair_words(name: str, value: str, nouns: Sequence[str]) -> str:
    """Return what a pair asks for: "red circle", "circle above the square", or a text in quotes."""
    if name == "text":
        return f"“{value}”"
    if not nouns:
        return value
    if name == "position":
        anchor = "".join(f" the {noun}" for noun in nouns[1:])
        return f"{nouns[0]} {relation_words(value)}{anchor}"
    return f"{value} {nouns[0]}"
