"""Reads what a prompt asks for by rules: a parsed text becomes objects, relations and texts.

After section 3.3 of the scene-graph paper (dependency tree, then triples), for FiG, scene-graph QA
and TIFA-style questions alike.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from hallascope.data.prompt_reading import (
    MANY,
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    PromptReading,
)
from hallascope.data.regions import Span
from hallascope.metrics.reading.confidence import confidence, terms
from hallascope.metrics.reading.parsed import Parsed
from hallascope.metrics.reading.parser import LONGEST, parse
from hallascope.metrics.reading.words.english import not_english_reason
from hallascope.metrics.reading.words.relations import INVERSE

_REMEDY = ", or choose a parser (a language model that reads prompts)"
TOO_LONG = f"The prompt is longer than {LONGEST:,} characters, so there is no score: shorten it."
NO_OBJECT = (
    "The prompt names no object that an image could show, so there is no score: name what the"
    " image shows."
)
IS_QUESTION = (
    "The prompt asks a question and does not say what the image shows, so there is no score:"
    " write what the image shows."
)
_QUESTION = re.compile(
    r"\s*(?:why|how|when|where|who|whose|whom|which|what|is|are|was|were|do|does|did|has|have|had"
    r"|can|could|will|would|shall|should|may|might|am)\b[^.!?\"“]*\?\s*",
    re.IGNORECASE,
)
# these ask for an image: "can you draw a cat?", "what would a cat on Mars look like?"
_REQUEST = re.compile(
    r"\s*(?:(?:can|could|will|would|may|might)\s+(?:you|i|we)\b|(?:what|how)\s+(?:about|if)\b"
    r"|[^?]*\blooks?\s+like\b)",
    re.IGNORECASE,
)


def read_prompt(prompt: str, describing: frozenset[str] = frozenset()) -> PromptReading:
    """Return what a prompt asks for, by rules.

    `describing` is as in `parser.parse`. A prompt that is not English, is too long, names no object
    or only asks a question is `unreadable`. Raises ParserMissing where spaCy's model is not
    installed, and for no text.

    >>> [asked.name for asked in read_prompt("two cats on a red mat").objects]
    ['cat', 'mat']
    """
    if len(prompt) > LONGEST:
        return PromptReading(prompt=prompt, unreadable=TOO_LONG)
    reason = not_english_reason(prompt, "the reading by rules", _REMEDY)
    if reason:
        return PromptReading(prompt=prompt, unreadable=reason, language="")
    if _QUESTION.fullmatch(prompt) and not _REQUEST.match(prompt):
        return PromptReading(prompt=prompt, unreadable=IS_QUESTION)
    reading = reading_of(parse(prompt, describing))
    if not reading.objects and not reading.texts:
        return PromptReading(prompt=prompt, unreadable=NO_OBJECT)
    return reading


def reading_of(parsed: Parsed) -> PromptReading:
    """Return what a parsed text asks for; one that names nothing has an empty reading."""
    mentions: dict[int, list[int]] = {}
    for at, phrase in enumerate(parsed.phrases):
        if phrase.is_object or phrase.absent:
            mentions.setdefault(parsed.first_mention(at), []).append(at)
    ids = {first: f"o{at}" for at, first in enumerate(mentions, 1)}
    id_by_phrase = {at: ids[first] for first, same in mentions.items() for at in same}
    found = terms(parsed.signals)
    return PromptReading(
        prompt=parsed.text,
        objects=tuple(_object(parsed, same, id_by_phrase) for same in mentions.values()),
        relations=tuple(_relations(parsed, id_by_phrase)),
        texts=tuple(
            AskedText(text.text, text.span, id_by_phrase.get(_index(text.phrase), ""))
            for text in parsed.texts
        ),
        style=parsed.style,
        confidence=confidence("scene-graph", found),
        fig_confidence=confidence("fig", found),
        unread=parsed.unread,
    )


def _index(phrase: int | None) -> int:
    return -1 if phrase is None else phrase


def _object(parsed: Parsed, mentions: Sequence[int], ids: Mapping[int, str]) -> AskedObject:
    """Return the object that some phrases name."""
    phrases = [parsed.phrases[at] for at in mentions]
    first = phrases[0]
    counted = next((phrase for phrase in phrases if phrase.count is not None), None)
    spans: dict[str, Span] = {}
    for phrase in phrases:
        for word in phrase.modifiers:
            spans.setdefault(word.text, word.span)
    return AskedObject(
        id=ids[mentions[0]],
        name=first.name,
        spans=tuple(phrase.name_span for phrase in phrases),
        count=counted.count if counted else MANY if first.plural else None,
        count_spans=(counted.count_span,) if counted and counted.count_span else (),
        attributes=tuple(AskedAttribute(text, (span,)) for text, span in spans.items()),
        absent=first.absent,
        one_of="" if first.group is None else ids.get(first.group, ""),
        confidence=min(confidence("object", terms(phrase.signals)) for phrase in phrases),
    )


def _relations(parsed: Parsed, ids: Mapping[int, str]) -> Iterator[AskedRelation]:
    """Yield the relations in the order of the text, each once, also said the other way round."""
    found: set[tuple[str, str, str]] = set()
    for relation in parsed.relations:
        subject = ids.get(relation.subject, "")
        target = PICTURE if relation.target is None else ids.get(relation.target, "")
        said = (subject, relation.words, target)
        inverse = (target, INVERSE.get(relation.words, ""), subject)
        if not subject or not target or subject == target or found & {said, inverse}:
            continue
        found.add(said)
        sure = confidence("relation", terms(relation.signals))
        yield AskedRelation(subject, relation.words, target, (relation.span,), sure)
