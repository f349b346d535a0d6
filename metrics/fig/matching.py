"""Matches a prompt against a meta-caption in three stages (paper, section 4.2).

This is the tree matching of FiG, with CHAIR.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hallascope.data.regions import Span
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.pairs import (
    AttributePair,
    AttributeRule,
    Attributes,
    PictureText,
    attribute_rule,
    attribute_words,
)
from hallascope.metrics.parsing.name_matching import alike, same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.words.language import number_word
from hallascope.metrics.parsing.words.position_words import relation_words

OBJECT = "object"
EXTRANEOUS = "extraneous"


@dataclass(frozen=True, kw_only=True)
class StageRow:
    """Holds a thing that the prompt asks for and what the caption says of it.

    Of stage 3, it is a thing that the caption names and nobody asked for.

    `strict` and `soft`: whether it is met by either rule. `prompt_spans` and `caption_spans` are
    its words in both texts, `nouns` and `phrases` are which of their phrases it is about.
    `forbidden`: the prompt says that it is not there ("without a hat"), and it is met where the
    caption does not name it.
    """

    kind: str
    expected: str
    observed: str
    strict: bool
    soft: bool
    value: str = ""
    prompt_spans: tuple[Span, ...] = ()
    caption_spans: tuple[Span, ...] = ()
    nouns: tuple[int, ...] = ()
    phrases: tuple[int, ...] = ()
    note: str = ""
    forbidden: bool = False


@dataclass(frozen=True)
class Stages:
    """Holds the rows of the three stages, with both texts as parsed; `pairs` by attribute."""

    prompt: Parsed
    caption: Parsed
    objects: tuple[StageRow, ...] = ()
    pairs: Mapping[str, tuple[StageRow, ...]] = field(default_factory=dict)
    extras: tuple[StageRow, ...] = ()

    @property
    def rows(self) -> tuple[StageRow, ...]:
        """Return the rows of stages 1 and 2."""
        return (*self.objects, *(row for rows in self.pairs.values() for row in rows))

    def share(self, kind: str, soft: bool = False) -> float | None:
        """Return the share of the rows of a kind that are met, in [0, 1].

        None where the prompt asks for none.
        """
        rows = self.objects if kind == OBJECT else self.pairs.get(kind, ())
        if rows:
            return sum(row.soft if soft else row.strict for row in rows) / len(rows)
        return None


@dataclass(frozen=True)
class Chair:
    """Holds how many things a caption names, and how many of them were not detected."""

    named: int
    hallucinated: int


def compare(
    prompt: str,
    caption: str,
    lines: Sequence[str] | None = None,
    attributes: Attributes = ATTRIBUTES,
) -> Stages:
    """Return the stages of a prompt and a meta-caption.

    `lines`: what a reader found written, None where none read.

    Stage 1 is |objects(prompt) ∩ objects(caption)| / |objects(prompt)|, stage 2 the same of (noun,
    attribute) pairs, stage 3 what the caption names and the prompt does not. Strictly names are
    equal by their lemmas; leniently a synonym or hypernym will do.
    """
    describing = attribute_words(attributes)
    expected = parse(prompt, describing)
    observed = parse(caption, describing)
    picture = PictureText(observed, None if lines is None else tuple(lines))
    return Stages(
        expected,
        observed,
        objects=(*_object_rows(expected, observed), *_forbidden_rows(expected, observed)),
        pairs={
            name: tuple(_pair_rows(name, attribute_rule(spec), expected, picture))
            for name, spec in attributes.items()
        },
        extras=tuple(_extraneous_rows(expected, observed)),
    )


def objects(text: Parsed) -> list[tuple[int, ...]]:
    """Return the distinct things of a text, each with the phrases that name it."""
    groups: list[list[int]] = []
    for index, phrase in text.indexed_things():
        for group in groups:
            if _is_same(text.phrases[group[0]], phrase):
                group.append(index)
                break
        else:
            groups.append([index])
    return [tuple(group) for group in groups]


def chair(caption: Parsed, detected: Sequence[Phrase]) -> Chair:
    """Return CHAIR of a caption against what was detected, by the lenient rule.

    Rohrbach et al. (2018) count so with lists of synonyms.
    """
    named = [caption.phrases[mentions[0]] for mentions in objects(caption)]
    known = [phrase for phrase in named if any(alike(label, phrase) for label in detected)]
    return Chair(len(named), len(named) - len(known))


def _is_same(phrase: Phrase, other: Phrase) -> bool:
    return same_name(phrase, other) and same_name(other, phrase)


# --- stage 1


def _object_rows(prompt: Parsed, caption: Parsed) -> Iterator[StageRow]:
    for mentions in objects(prompt):
        expected = prompt.phrases[mentions[0]]
        strict = [at for at, phrase in caption.indexed_things() if same_name(expected, phrase)]
        soft = strict or [at for at, phrase in caption.indexed_things() if alike(expected, phrase)]
        yield StageRow(
            kind=OBJECT,
            expected=expected.name,
            observed=caption.phrases[soft[0]].name if soft else "",
            strict=bool(strict),
            soft=bool(soft),
            prompt_spans=_name_spans(prompt, mentions),
            caption_spans=_name_spans(caption, soft),
            nouns=mentions,
            phrases=tuple(soft),
        )


def _forbidden_rows(prompt: Parsed, caption: Parsed) -> Iterator[StageRow]:
    """Yield what the prompt says is not there, once each; leniently, too, it may not be named."""
    forbidden: list[Phrase] = []
    for at, expected in enumerate(prompt.phrases):
        if not expected.absent or any(_is_same(expected, other) for other in forbidden):
            continue
        forbidden.append(expected)
        named = [index for index, phrase in caption.indexed_things() if same_name(expected, phrase)]
        yield StageRow(
            kind=OBJECT,
            expected=f"no {expected.name}",
            observed=caption.phrases[named[0]].name if named else "",
            strict=not named,
            soft=not named,
            prompt_spans=_name_spans(prompt, [at]),
            caption_spans=_name_spans(caption, named),
            nouns=(at,),
            phrases=tuple(named),
            forbidden=True,
        )


def _name_spans(text: Parsed, phrases: Sequence[int]) -> tuple[Span, ...]:
    return tuple(text.phrases[at].name_span for at in phrases)


# --- stage 2


def _pair_rows(
    name: str, rule: AttributeRule, prompt: Parsed, picture: PictureText
) -> Iterator[StageRow]:
    for pair in rule.find(prompt):
        verdict = rule.judge(pair, prompt, picture)
        nouns = tuple(at for at in (pair.noun, pair.anchor) if at is not None)
        missing = [
            prompt.phrases[at].name
            for at in nouns
            if name != "text"
            and not any(alike(prompt.phrases[at], thing) for thing in picture.caption.things)
        ]
        note = f"The caption names no {' and no '.join(missing)}." if missing else ""
        yield StageRow(
            kind=name,
            expected=pair_words(name, pair, prompt),
            observed=verdict.observed,
            strict=verdict.strict,
            soft=verdict.soft,
            value=pair.value,
            prompt_spans=pair.spans,
            caption_spans=verdict.spans,
            nouns=nouns,
            phrases=verdict.phrases,
            note=verdict.note or note,
        )


def pair_words(name: str, pair: AttributePair, prompt: Parsed) -> str:
    """Return what a pair asks for: "red circle", "two circles", "circle above the square"."""
    if name == "text":
        return f"“{pair.value}”"
    if pair.noun is None:
        return pair.value
    noun = prompt.phrases[pair.noun]
    if name == "position":
        anchor = "" if pair.anchor is None else f" the {prompt.phrases[pair.anchor].name}"
        return f"{noun.name} {relation_words(pair.value)}{anchor}"
    if name == "number":
        return f"{number_word(noun.number or 0)} {prompt.text_at(noun.name_span)}"
    return f"{pair.value} {noun.name}"


# --- stage 3


def _extraneous_rows(prompt: Parsed, caption: Parsed) -> Iterator[StageRow]:
    """Yield the extraneous things; a part of a thing that was asked for is none.

    Our reading: "the wing of the ladybug" is not extraneous; what must not be there is.
    """
    expected = [phrase for phrase in prompt.phrases if not phrase.absent]
    for mentions in objects(caption):
        observed = caption.phrases[mentions[0]]
        owners = [phrase for phrase in caption.phrases if phrase.owned in mentions]
        names = (observed, *owners)
        if any(same_name(phrase, name) for phrase in expected for name in names):
            continue
        yield StageRow(
            kind=EXTRANEOUS,
            expected="",
            observed=observed.name,
            strict=False,
            soft=any(alike(phrase, observed) for phrase in expected),
            caption_spans=_name_spans(caption, mentions),
            phrases=mentions,
        )
