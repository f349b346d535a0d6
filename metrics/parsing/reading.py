"""Reads what a prompt asks for by rules: a parsed text becomes objects, relations and texts.

After section 3.3 of the scene-graph paper (dependency tree, then triples), for FiG and scene-graph
QA alike. "The dog" is the one that was named before.
"""

from collections.abc import Iterator, Mapping, Sequence

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
)
from hallascope.data.regions import Span
from hallascope.metrics.parsing.confidence import find_unread, share_read
from hallascope.metrics.parsing.coreference import Mentions, resolve_mentions
from hallascope.metrics.parsing.parsed import Parsed, Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.unreadable import unreadable_reason
from hallascope.metrics.parsing.words.english import not_english_reason
from hallascope.metrics.parsing.words.position_words import INVERSE, PICTURE_PLACES

PART_OF = "part of"
REMEDY = ", or choose a parser (a language model that reads prompts)"
_PLACES_IN_PICTURE = ("left", "right", *(place for place in PICTURE_PLACES if place != "on top"))


def read_prompt(prompt: str, describing: frozenset[str] = frozenset()) -> PromptReading:
    """Return what a prompt asks for, by rules.

    `describing` is as in `parser.parse`. A prompt that is not English, names no object or only asks
    a question is `unreadable`. Raises TextTooLong and ParserMissing, nothing else.
    """
    reason = not_english_reason(prompt, "the reading by rules", REMEDY)
    if reason:
        return PromptReading(prompt=prompt, unreadable=reason, language="")
    reading = reading_of(parse(prompt, describing))
    reason = unreadable_reason(reading)
    return PromptReading(prompt=prompt, unreadable=reason) if reason else reading


def reading_of(parsed: Parsed) -> PromptReading:
    """Return what a parsed text asks for; one that names nothing has an empty reading."""
    mentions = resolve_mentions(parsed)
    phrases: dict[int, list[int]] = {}
    for phrase, first in mentions.firsts.items():
        phrases.setdefault(first, []).append(phrase)
    ids = {first: f"o{at}" for at, first in enumerate(phrases, 1)}
    objects = tuple(_object(parsed, ids, mentions, phrases[first]) for first in phrases)
    unread = find_unread(parsed)
    id_by_phrase = {phrase: ids[first] for phrase, first in mentions.firsts.items()}
    return PromptReading(
        prompt=parsed.text,
        objects=objects,
        relations=_relations(parsed, id_by_phrase),
        texts=tuple(
            AskedText(quote.text, quote.span, id_by_phrase.get(_index(quote.phrase), ""))
            for quote in parsed.quotes
        ),
        style=parsed.style,
        confidence=share_read(parsed, unread),
        unread=unread,
    )


def _index(phrase: int | None) -> int:
    return -1 if phrase is None else phrase


# --- objects


def _object(
    parsed: Parsed, ids: Mapping[int, str], mentions: Mentions, same: Sequence[int]
) -> AskedObject:
    """Return the object that some phrases name; `ids` are those of first mentions."""
    phrases = [parsed.phrases[at] for at in same]
    denied = any(action.negated and action.object in same for action in parsed.actions)
    count, count_span = _count(phrases)
    group = mentions.groups.get(same[0])
    return AskedObject(
        id=ids[same[0]],
        name=phrases[0].name,
        spans=tuple(phrase.name_span for phrase in phrases),
        count=mentions.counts.get(same[0], count),
        count_spans=(count_span,) if count_span else (),
        attributes=tuple(_attributes(parsed, same)),
        absent=phrases[0].absent or denied,
        one_of="" if group is None else ids[group],
    )


def _count(phrases: Sequence[Phrase]) -> tuple[Count | None, Span | None]:
    """Return the first number that is said, and where; `MANY` for a plural without one."""
    for phrase in phrases:
        if phrase.count is not None:
            return phrase.count, phrase.count_span
    return (MANY if phrases[0].plural else None), None


def _attributes(parsed: Parsed, mentions: Sequence[int]) -> Iterator[AskedAttribute]:
    """Yield each word that describes a thing, and what it does alone ("sleeping"), once."""
    spans: dict[str, Span] = {}
    for at in mentions:
        for word in parsed.phrases[at].modifiers:
            spans.setdefault(word.text, word.span)
    for action in parsed.actions:
        if action.subject in mentions and action.object is None:
            spans.setdefault(action.words, action.span)
    for value, span in spans.items():
        yield AskedAttribute(value, (span,))


# --- relations


def _relations(parsed: Parsed, ids: Mapping[int, str]) -> tuple[AskedRelation, ...]:
    """Return the relations in the order of the text, each once, also said the other way round.

    `ids`: the object of each phrase.
    """
    found = sorted(_said_relations(parsed, ids), key=lambda relation: relation.spans)
    unique: dict[tuple[str, str, str], AskedRelation] = {}
    for relation in found:
        inverse = (relation.target, INVERSE.get(relation.words, ""), relation.subject)
        if inverse not in unique:
            unique.setdefault((relation.subject, relation.words, relation.target), relation)
    return tuple(unique.values())


def _said_relations(parsed: Parsed, ids: Mapping[int, str]) -> Iterator[AskedRelation]:
    for position in parsed.positions:
        subject = ids.get(position.subject)
        target = PICTURE if position.anchor is None else ids.get(position.anchor)
        words = position.relation
        if target == PICTURE:
            words = words.removesuffix(" of")
            if words not in _PLACES_IN_PICTURE:
                # the text does not say to what: "the one behind"
                continue
        if subject and target and subject != target:
            yield AskedRelation(subject, words, target, (position.span,))
    for action in parsed.actions:
        subject = ids.get(action.subject)
        target = ids.get(_index(action.object))
        if subject and target and subject != target and not action.negated:
            yield AskedRelation(subject, action.words, target, (action.span,))
    for at, whole in parsed.indexed_things():
        owned = ids.get(_index(whole.owned))
        if owned and owned != ids[at]:
            yield AskedRelation(owned, PART_OF, ids[at], (_of_span(parsed, whole),))


def _of_span(parsed: Parsed, whole: Phrase) -> Span:
    """Return the place of "of" before what something is a part of."""
    start = parsed.text.rfind("of", 0, whole.span[0])
    return (start, start + 2) if start >= 0 else whole.name_span
