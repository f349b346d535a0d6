"""Matches a prompt against a meta-caption in three stages (paper, section 4.2).

This is the tree matching of FiG, with CHAIR.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hallascope.data.prompt_reading import PromptReading
from hallascope.data.regions import Span
from hallascope.metrics.fig.as_published import TreePair, equal_names
from hallascope.metrics.fig.asked_prompt import AskedPrompt, asked_prompt, is_same
from hallascope.metrics.fig.attributes import ATTRIBUTES, count_in_all
from hallascope.metrics.fig.pairs import (
    AttributePair,
    AttributeRule,
    Attributes,
    PairVerdict,
    PictureText,
    ReadingRule,
    attribute_rule,
    attribute_words,
    pair_words,
    published_pairs,
)
from hallascope.metrics.reading.names import alike, is_more_general, name_phrase, same_name
from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.parser import parse

OBJECT = "object"
EXTRANEOUS = "extraneous"


@dataclass(frozen=True, kw_only=True)
class StageRow:
    """Holds a thing that the prompt asks for and what the caption says of it.

    Of stage 3, it is a thing that the caption names and nobody asked for.

    `strict` and `soft`: whether it is met by either rule. `prompt_spans` and `caption_spans` are
    its words in both texts. `nouns` are the names of what it asks for, `phrases` which phrases of
    the caption it is about. `forbidden`: the prompt says that it is not there ("without a hat"),
    and it is met where the caption does not name it; the paper has no such row.
    """

    kind: str
    expected: str
    observed: str
    strict: bool
    soft: bool
    value: str = ""
    prompt_spans: tuple[Span, ...] = ()
    caption_spans: tuple[Span, ...] = ()
    nouns: tuple[Phrase, ...] = ()
    phrases: tuple[int, ...] = ()
    note: str = ""
    forbidden: bool = False


@dataclass(frozen=True)
class Stages:
    """Holds the rows of the three stages, with the prompt and the caption; `pairs` by attribute.

    `published` are those of stages 1 and 2 by the paper's own rule, both states of each alike.
    """

    prompt: AskedPrompt
    caption: Parsed
    objects: tuple[StageRow, ...] = ()
    pairs: Mapping[str, tuple[StageRow, ...]] = field(default_factory=dict)
    extras: tuple[StageRow, ...] = ()
    published: tuple[StageRow, ...] = ()

    @property
    def rows(self) -> tuple[StageRow, ...]:
        """Return the rows of stages 1 and 2."""
        return (*self.objects, *(row for rows in self.pairs.values() for row in rows))


@dataclass(frozen=True)
class Chair:
    """Holds how many things a caption names, and how many of them were not detected."""

    named: int
    hallucinated: int


def compare(
    reading: PromptReading,
    caption: str,
    lines: Sequence[str] | None = None,
    attributes: Attributes = ATTRIBUTES,
) -> Stages:
    """Return the stages of the reading of a prompt and a meta-caption.

    `lines`: what a reader found written, None where none read.

    Stage 1 is |objects(prompt) ∩ objects(caption)| / |objects(prompt)|, stage 2 the same of (noun,
    attribute) pairs, stage 3 what the caption names and the prompt does not. Strictly names are
    equal by their lemmas; leniently a synonym or hypernym will do.
    """
    describing = attribute_words(attributes)
    expected = asked_prompt(reading, describing)
    observed = parse(caption, describing)
    picture = PictureText(observed, None if lines is None else tuple(lines))
    rules = {name: attribute_rule(spec) for name, spec in attributes.items()}
    object_rows = tuple(_object_rows(expected, observed))
    return Stages(
        expected,
        observed,
        objects=(*object_rows, *_forbidden_rows(expected, observed)),
        pairs={
            name: tuple(_pair_rows(name, rule, expected, picture)) for name, rule in rules.items()
        },
        extras=tuple(_extraneous_rows(expected, observed)),
        published=tuple(_published_rows(object_rows, rules, expected, observed)),
    )


def objects(text: Parsed) -> list[tuple[int, ...]]:
    """Return the distinct things of a text, each with the phrases that name it.

    What was named before may have another name: "a fire truck ... the truck".
    """
    groups: dict[int, list[int]] = {}
    for at, _ in text.indexed_objects():
        first = text.first_mention(at)
        of_name = (other for other in groups if is_same(text.phrases[other], text.phrases[first]))
        groups.setdefault(next(of_name, first), []).append(at)
    return [tuple(group) for group in groups.values()]


def chair(caption: Parsed, detected: Sequence[Phrase]) -> Chair:
    """Return CHAIR of a caption against what was detected, by the lenient rule.

    Rohrbach et al. (2018) count so with lists of synonyms.
    """
    named = [caption.phrases[mentions[0]] for mentions in objects(caption)]
    known = [phrase for phrase in named if any(alike(label, phrase) for label in detected)]
    return Chair(len(named), len(named) - len(known))


# --- stage 1


def _object_rows(prompt: AskedPrompt, caption: Parsed) -> Iterator[StageRow]:
    """Yield a row for each name that is to be shown.

    What may be missing ("at most two cats") has none: only its number is judged, in stage 2.
    """
    for group in prompt.groups():
        if all(prompt.objects[at].is_optional for at in group):
            continue
        name = prompt.names[group[0]]
        strict = [at for at, phrase in caption.indexed_objects() if same_name(name, phrase)]
        soft = strict or [at for at, phrase in caption.indexed_objects() if alike(name, phrase)]
        yield StageRow(
            kind=OBJECT,
            expected=prompt.objects[group[0]].name,
            observed=caption.phrases[soft[0]].name if soft else "",
            strict=bool(strict),
            soft=bool(soft),
            prompt_spans=_mention_spans(prompt, group),
            caption_spans=_name_spans(caption, soft),
            nouns=(name,),
            phrases=tuple(soft),
        )


def _forbidden_rows(prompt: AskedPrompt, caption: Parsed) -> Iterator[StageRow]:
    """Yield a row for each name that the prompt says is not there; both rules judge it alike.

    A name that it also asks for has none: "a penguin in a tie, another without a tie".
    """
    present = [prompt.names[at] for at, _ in prompt.present()]
    for group in prompt.groups(absent=True):
        name = prompt.names[group[0]]
        if any(is_same(name, other) for other in present):
            continue
        named = [
            at
            for at, phrase in caption.indexed_objects()
            if _is_forbidden(name, phrase)
            and not any(same_name(expected, phrase) for expected in present)
        ]
        yield StageRow(
            kind=OBJECT,
            expected=f"no {prompt.objects[group[0]].name}",
            observed=caption.phrases[named[0]].name if named else "",
            strict=not named,
            soft=not named,
            prompt_spans=_mention_spans(prompt, group),
            caption_spans=_name_spans(caption, named),
            nouns=(name,),
            phrases=tuple(named),
            forbidden=True,
        )


def _is_forbidden(name: Phrase, observed: Phrase) -> bool:
    """Return whether a thing has the name of what must not be there, or is a kind of it.

    "A woman" is there where the prompt says "no people".
    """
    return same_name(name, observed) or is_more_general(name, observed)


def _mention_spans(prompt: AskedPrompt, group: Sequence[int]) -> tuple[Span, ...]:
    return tuple(span for at in group for span in prompt.objects[at].spans)


def _name_spans(text: Parsed, phrases: Sequence[int]) -> tuple[Span, ...]:
    return tuple(text.phrases[at].name_span for at in phrases)


# --- stage 2


def _pair_rows(
    name: str,
    rule: AttributeRule | ReadingRule,
    prompt: AskedPrompt,
    picture: PictureText,
) -> Iterator[StageRow]:
    """Yield the pairs of an attribute, of the prompt's reading or, by an own rule, of its text."""
    if isinstance(rule, ReadingRule):
        for pair in rule.find(prompt):
            yield _reading_row(name, rule, pair, prompt, picture)
        return
    for pair in rule.find(prompt.text):
        yield _text_row(name, rule, pair, prompt, picture)


def _reading_row(
    name: str, rule: ReadingRule, pair: AttributePair, prompt: AskedPrompt, picture: PictureText
) -> StageRow:
    """Return the row of a pair whose nouns are objects of the prompt's reading."""
    names = tuple(prompt.names[at] for at in pair.ends)
    words = pair_words(name, pair.value, [prompt.objects[at].name for at in pair.ends])
    if name == "number" and pair.noun is not None:
        words = prompt.count_phrase(pair.noun, count_in_all(prompt, pair.noun))
    verdict = rule.judge(pair, prompt, picture)
    # "No more than two black cats" is met where there is no cat.
    is_of_nothing = any(
        prompt.objects[at].is_optional and not is_named(prompt.names[at], picture.caption)
        for at in pair.ends
    )
    if is_of_nothing and not verdict.soft:
        verdict = PairVerdict(strict=True, soft=True)
    return _pair_row(name, pair, verdict, words, names, picture)


def _text_row(
    name: str, rule: AttributeRule, pair: AttributePair, prompt: AskedPrompt, picture: PictureText
) -> StageRow:
    """Return the row of a pair whose nouns are phrases of the prompt's text."""
    text = prompt.text
    names = tuple(text.phrases[at] for at in pair.ends)
    words = pair_words(name, pair.value, [phrase.name for phrase in names])
    verdict = rule.judge(pair, text, picture)
    if prompt.reading.translation:
        # Its words are those of the translation and stand nowhere in the prompt.
        pair = replace(pair, spans=())
    return _pair_row(name, pair, verdict, words, names, picture)


def is_named(name: Phrase, caption: Parsed) -> bool:
    """Return whether a caption names a thing, by the lenient rule."""
    return any(alike(name, thing) for thing in caption.objects)


def _pair_row(
    name: str,
    pair: AttributePair,
    verdict: PairVerdict,
    words: str,
    nouns: tuple[Phrase, ...],
    picture: PictureText,
) -> StageRow:
    missing = [
        noun.name for noun in nouns if name != "text" and not is_named(noun, picture.caption)
    ]
    note = f"The caption names no {' and no '.join(missing)}." if missing else ""
    return StageRow(
        kind=name,
        expected=words,
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


# --- stages 1 and 2 as published


def _published_rows(
    object_rows: Sequence[StageRow],
    rules: Mapping[str, AttributeRule | ReadingRule],
    prompt: AskedPrompt,
    caption: Parsed,
) -> Iterator[StageRow]:
    """Yield the objects, met where names are equal, then the pairs of algorithm 1.

    A pair is met where the caption has it, too. What a person's list asks for is one of the
    prompt's.
    """
    for row in object_rows:
        met = any(equal_names(row.nouns[0], phrase) for phrase in caption.objects)
        yield replace(row, strict=met, soft=met)
    if prompt.reading.unreadable:
        return
    for name, rule in rules.items():
        pairs = set(published_pairs(rule, prompt.text))
        if isinstance(rule, ReadingRule):
            pairs |= {
                TreePair(prompt.names[pair.noun].head, pair.value)
                for pair in rule.find(prompt)
                if pair.listed and pair.noun is not None
            }
        in_caption = published_pairs(rule, caption)
        for pair in sorted(pairs):
            yield StageRow(
                kind=name,
                expected=f"({pair.noun}, {pair.value})",
                observed="",
                strict=pair in in_caption,
                soft=pair in in_caption,
                value=pair.value,
                nouns=(name_phrase(pair.noun),),
            )


# --- stage 3


def _extraneous_rows(prompt: AskedPrompt, caption: Parsed) -> Iterator[StageRow]:
    """Yield the extraneous things; a part of a thing that was asked for is none.

    "The wing of the ladybug" is not extraneous; what must not be there is, whatever it
    is a part of.
    """
    expected = [prompt.names[at] for at, _ in prompt.present()]
    absent = [prompt.names[group[0]] for group in prompt.groups(absent=True)]
    for mentions in objects(caption):
        observed = caption.phrases[mentions[0]]
        named = [caption.phrases[at] for at in mentions]
        if any(same_name(name, phrase) for name in expected for phrase in named):
            continue
        forbidden = any(_is_forbidden(name, phrase) for name in absent for phrase in named)
        owners = [caption.phrases[phrase.owner] for phrase in named if phrase.owner is not None]
        is_part = any(same_name(name, owner) for name in expected for owner in owners)
        if is_part and not forbidden:
            continue
        yield StageRow(
            kind=EXTRANEOUS,
            expected="",
            observed=observed.name,
            strict=False,
            soft=not forbidden and any(alike(name, observed) for name in expected),
            caption_spans=_name_spans(caption, mentions),
            phrases=mentions,
            forbidden=forbidden,
        )
