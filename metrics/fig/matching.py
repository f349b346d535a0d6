"""Matches a prompt against a meta-caption in three stages (paper, section 4.2).

This is the tree matching of FiG, with CHAIR; it knows no picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hallascope.data.evidence import Span
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.pairs import (
    AttributePair,
    AttributeRule,
    Finder,
    PictureText,
    attribute,
    words_of,
)
from hallascope.metrics.parsing import positions
from hallascope.metrics.parsing.language import spelled
from hallascope.metrics.parsing.name_matching import alike, same_name
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import parse

Attributes = Mapping[str, Sequence[str] | Finder | AttributeRule]
OBJECT = "object"
EXTRANEOUS = "extraneous"


@dataclass(frozen=True, kw_only=True)
class StageRow:
    """One thing that the prompt asks for and what the caption says of it.

    Of stage 3 one thing that it says and nobody asked for.

    `asking` and `saying` are the words in prompt and caption; `nouns` and `phrases` are which of
    their phrases it is about. `forbidden`: the prompt says that it is not there ("without a hat"),
    and it is met where the caption does not name it.
    """

    kind: str
    asked: str
    seen: str
    strict: bool
    soft: bool
    value: str = ""
    asking: tuple[Span, ...] = ()
    saying: tuple[Span, ...] = ()
    nouns: tuple[int, ...] = ()
    phrases: tuple[int, ...] = ()
    note: str = ""
    forbidden: bool = False


@dataclass(frozen=True)
class Stages:
    """The rows of the three stages; `pairs` by attribute.

    The texts are kept as they were parsed.
    """

    prompt: Parsed
    caption: Parsed
    objects: tuple[StageRow, ...] = ()
    pairs: Mapping[str, tuple[StageRow, ...]] = field(default_factory=dict)
    extras: tuple[StageRow, ...] = ()

    @property
    def rows(self) -> tuple[StageRow, ...]:
        """Those of stages 1 and 2."""
        return (*self.objects, *(row for rows in self.pairs.values() for row in rows))

    def share(self, kind: str, soft: bool = False) -> float | None:
        """The share of the rows of a kind that are met, in [0, 1].

        None where the prompt asks for none.
        """
        rows = self.objects if kind == OBJECT else self.pairs.get(kind, ())
        if rows:
            return sum(row.soft if soft else row.strict for row in rows) / len(rows)
        return None


class Chair(NamedTuple):
    """Things that a caption names, and those of them that were not detected."""

    named: int
    hallucinated: int


def compare(
    prompt: str,
    caption: str,
    lines: Sequence[str] | None = None,
    attributes: Attributes = ATTRIBUTES,
) -> Stages:
    """The stages of a prompt and a meta-caption.

    `lines`: what a reader found written, None where none read.

    Stage 1 is |objects(prompt) ∩ objects(caption)| / |objects(prompt)|, stage 2 the same of (noun,
    attribute) pairs, stage 3 what the caption names and the prompt does not. Strictly names are
    equal by their lemmas; leniently a synonym or hypernym will do.
    """
    words = words_of(attributes)
    asked = parse(prompt, words)
    told = PictureText(parse(caption, words), None if lines is None else tuple(lines))
    pairs = {
        name: tuple(_pairs(name, attribute(how), asked, told)) for name, how in attributes.items()
    }
    rows = (*_objects(asked, told.caption), *_forbidden(asked, told.caption))
    return Stages(asked, told.caption, rows, pairs, tuple(_extras(asked, told.caption)))


def objects(text: Parsed) -> list[tuple[int, ...]]:
    """The distinct things of a text, each with the phrases that name it."""
    found: list[list[int]] = []
    for index, phrase in text.indexed_things():
        known = next((each for each in found if _equal(text.phrases[each[0]], phrase)), None)
        if known is None:
            found.append([index])
        else:
            known.append(index)
    return [tuple(each) for each in found]


def chair(caption: Parsed, detected: Sequence[Phrase]) -> Chair:
    """CHAIR of a caption against what was detected, by the lenient rule, as Rohrbach et al.

    (2018) count with lists of synonyms.
    """
    named = objects(caption)
    known = [
        each for each in named if any(alike(one, caption.phrases[each[0]]) for one in detected)
    ]
    return Chair(len(named), len(named) - len(known))


def _equal(one: Phrase, other: Phrase) -> bool:
    return same_name(one, other) and same_name(other, one)


def _objects(prompt: Parsed, caption: Parsed) -> Iterator[StageRow]:
    for each in objects(prompt):
        asked = prompt.phrases[each[0]]
        strict = [at for at, phrase in caption.indexed_things() if same_name(asked, phrase)]
        soft = strict or [at for at, phrase in caption.indexed_things() if alike(asked, phrase)]
        seen = caption.phrases[soft[0]].name if soft else ""
        spans = tuple(prompt.phrases[at].named for at in each)
        saying = tuple(caption.phrases[at].named for at in soft)
        yield StageRow(
            kind=OBJECT,
            asked=asked.name,
            seen=seen,
            strict=bool(strict),
            soft=bool(soft),
            value="",
            asking=spans,
            saying=saying,
            nouns=each,
            phrases=tuple(soft),
        )


def _forbidden(prompt: Parsed, caption: Parsed) -> Iterator[StageRow]:
    """What the prompt says is not there, once each; leniently, too, it may not be named."""
    met: list[Phrase] = []
    for at, asked in enumerate(prompt.phrases):
        if not asked.absent or any(_equal(asked, other) for other in met):
            continue
        met.append(asked)
        named = [index for index, phrase in caption.indexed_things() if same_name(asked, phrase)]
        seen = caption.phrases[named[0]].name if named else ""
        saying = tuple(caption.phrases[index].named for index in named)
        spans = (asked.named,)
        yield StageRow(
            kind=OBJECT,
            asked=f"no {asked.name}",
            seen=seen,
            strict=not named,
            soft=not named,
            value="",
            asking=spans,
            saying=saying,
            nouns=(at,),
            phrases=tuple(named),
            forbidden=True,
        )


def _pairs(
    name: str, attribute: AttributeRule, prompt: Parsed, told: PictureText
) -> Iterator[StageRow]:
    for pair in attribute.find(prompt):
        found = attribute.judge(pair, prompt, told)
        nouns = tuple(at for at in (pair.noun, pair.anchor) if at is not None)
        missing = (
            [
                prompt.phrases[at].name
                for at in nouns
                if not _is_named(prompt.phrases[at], told.caption)
            ]
            if name != "text"
            else []
        )
        note = found.note or (
            f"The caption names no {' and no '.join(missing)}." if missing else ""
        )
        words = worded(name, pair, prompt)
        yield StageRow(
            kind=name,
            asked=words,
            seen=found.seen,
            strict=found.strict,
            soft=found.soft,
            value=pair.value,
            asking=pair.spans,
            saying=found.spans,
            nouns=nouns,
            phrases=found.said,
            note=note,
        )


def _is_named(asked: Phrase, caption: Parsed) -> bool:
    return any(alike(asked, phrase) for phrase in caption.things)


def worded(name: str, pair: AttributePair, prompt: Parsed) -> str:
    """What a pair asks for, in words: "red circle", "two circles", "circle above the square"."""
    noun = None if pair.noun is None else prompt.phrases[pair.noun]
    if noun is None or name == "text":
        return f"“{pair.value}”" if name == "text" else pair.value
    if name == "position":
        anchor = "" if pair.anchor is None else f" the {prompt.phrases[pair.anchor].name}"
        return f"{noun.name} {positions.words(pair.value)}{anchor}"
    if name == "number":
        return f"{spelled(noun.number or 0)} {prompt.text_at(noun.named)}"
    return f"{pair.value} {noun.name}"


def _extras(prompt: Parsed, caption: Parsed) -> Iterator[StageRow]:
    """Return the extraneous things; a part of a thing that was asked for is none.

    Our reading: "the wing of the ladybug" is not extraneous; what must not be there is.
    """
    wanted = [phrase for phrase in prompt.phrases if not phrase.absent]
    for each in objects(caption):
        said = caption.phrases[each[0]]
        owned = [one for one in caption.phrases if one.owner in each]
        if any(same_name(asked, one) for asked in wanted for one in (said, *owned)):
            continue
        soft = any(alike(asked, said) for asked in wanted)
        spans = tuple(caption.phrases[at].named for at in each)
        yield StageRow(
            kind=EXTRANEOUS,
            asked="",
            seen=said.name,
            strict=False,
            soft=soft,
            value="",
            asking=(),
            saying=spans,
            nouns=(),
            phrases=each,
        )
