"""Reads what a prompt asks for: one parse by spaCy, then passes over phrases, places and actions.

The passes, in their order: flags, style and written words are taken out (`plain_text`); noun
phrases are found (`phrases`); what is absent is marked (`negation`); pronouns and phrases without a
noun are tied to what they stand for (`references`); descriptions, places and actions are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

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
from hallascope.metrics.parsing.words.english import not_english_reason
from hallascope.metrics.parsing.words.language import singular
from hallascope.metrics.reading.actions import find_actions
from hallascope.metrics.reading.descriptions import add_descriptions
from hallascope.metrics.reading.elements import Link, NounPhrase, Parse
from hallascope.metrics.reading.negation import mark_absent
from hallascope.metrics.reading.phrases import find_phrases, phrase_name
from hallascope.metrics.reading.places import find_places
from hallascope.metrics.reading.plain_text import plain_text
from hallascope.metrics.reading.references import (
    resolve_ellipses,
    resolve_mentions,
    resolve_pronouns,
)
from hallascope.metrics.reading.subjects import Subjects
from hallascope.metrics.reading.tagging import tag_text
from hallascope.metrics.reading.words import INVERSE

LONGEST = 8_000  # characters
_REMEDY = ", or choose a parser (a language model that reads prompts)"
_TOO_LONG = f"The prompt is longer than {LONGEST:,} characters, so there is no score: shorten it."
_NO_OBJECT = (
    "The prompt names no object that an image could show, so there is no score: name what the"
    " image shows."
)
_IS_QUESTION = (
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


@lru_cache(maxsize=512)
def read_prompt(prompt: str) -> PromptReading:
    """Return what a prompt asks for; one that is not English or names nothing is `unreadable`.

    Raises ParserMissing where spaCy's model is not installed, and for no text.
    """
    reason = not_english_reason(prompt, "the reading by rules", _REMEDY)
    if reason:
        return PromptReading(prompt=prompt, unreadable=reason, language="")
    if len(prompt) > LONGEST:
        return PromptReading(prompt=prompt, unreadable=_TOO_LONG)
    if _QUESTION.fullmatch(prompt) and not _REQUEST.match(prompt):
        return PromptReading(prompt=prompt, unreadable=_IS_QUESTION)
    return _Reading(prompt).read()


class _Reading:
    """Builds the reading of a prompt from its parse."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self.plain = plain_text(prompt)
        doc = tag_text(self.plain.text, self.plain.starts)
        written = frozenset(
            token.i
            for token in doc
            if any(first <= token.idx < stop for first, stop in self.plain.written)
        )
        self.parse = Parse(doc, find_phrases(doc, written), written)
        mark_absent(self.parse)
        self.objects: list[AskedObject] = []
        self.relations: list[AskedRelation] = []
        self.texts: list[AskedText] = []

    def read(self) -> PromptReading:
        self._read_parse()
        if not self.objects and not self.texts:
            return PromptReading(prompt=self.prompt, unreadable=_NO_OBJECT)
        return PromptReading(
            prompt=self.prompt,
            objects=(*self.objects, *self._excluded()),
            relations=tuple(self.relations),
            texts=tuple(self.texts),
            style=self.plain.style,
        )

    def _read_parse(self) -> None:
        parse, subjects = self.parse, Subjects(self.parse)
        resolve_ellipses(parse)
        resolve_pronouns(parse)
        add_descriptions(parse)
        places = find_places(parse, subjects)
        placed = {token for link in places for token in range(link.first, link.stop)}
        actions = find_actions(parse, subjects, placed)
        resolve_mentions(parse, {(link.subject, link.target) for link in places})
        self._add_objects(actions)
        self._add_relations([*places, *actions])
        self._add_texts()

    def _excluded(self) -> Iterator[AskedObject]:
        """Yield what "--no" asks not to show."""
        for at, span in enumerate(self.plain.excluded, 1):
            name = singular(self.prompt[slice(*span)])
            yield AskedObject(id=f"n{at}", name=name, spans=(span,), absent=True)

    def _span(self, first: int, stop: int) -> Span:
        tokens = self.parse.doc[first:stop]
        return self.plain.original((tokens.start_char, tokens.end_char))

    def _id(self, at: int) -> str:
        same = self.parse.phrases[at].same
        return f"o{at + 1}" if same is None else self._id(same)

    # --- objects

    def _add_objects(self, actions: Sequence[Link]) -> None:
        mentions: dict[str, list[int]] = {}
        for at, phrase in enumerate(self.parse.phrases):
            if phrase.kind != "none":
                mentions.setdefault(self._id(at), []).append(at)
        states = [link for link in actions if link.target is None]
        for name, same in mentions.items():
            phrases = [self.parse.phrases[at] for at in same]
            done = [link for link in states if link.subject in same]
            self.objects.append(self._object(name, phrases, done))

    def _object(
        self, name: str, phrases: Sequence[NounPhrase], done: Sequence[Link]
    ) -> AskedObject:
        first = phrases[0]
        counted = next((phrase for phrase in phrases if phrase.count is not None), None)
        spans = {word.text: (word.first, word.stop) for item in phrases for word in item.words}
        spans |= {link.words: (link.first, link.stop) for link in done}
        tokens = counted.count_tokens if counted else None
        return AskedObject(
            id=name,
            name=phrase_name(self.parse.doc, first),
            spans=tuple(self._span(phrase.name, phrase.stop) for phrase in phrases),
            count=counted.count if counted else MANY if first.plural else None,
            count_spans=(self._span(*tokens),) if tokens else (),
            attributes=tuple(
                AskedAttribute(text, (self._span(*span),)) for text, span in spans.items()
            ),
            absent=first.kind == "absent",
            one_of="" if first.group is None else self._id(first.group),
        )

    # --- relations and texts

    def _add_relations(self, links: Sequence[Link]) -> None:
        parts = [
            Link(at, "part of", phrase.owner, phrase.name, phrase.stop)
            for at, phrase in enumerate(self.parse.phrases)
            if phrase.owner is not None and phrase.kind == "object"
        ]
        found: dict[tuple[str, str, str], AskedRelation] = {}
        known = {item.id for item in self.objects} | {PICTURE}
        for link in sorted((*links, *parts), key=lambda link: link.first):
            if link.target is None and link.features.rule == "action":
                continue
            subject = self._id(link.subject)
            target = PICTURE if link.target is None else self._id(link.target)
            inverse = (target, INVERSE.get(link.words, ""), subject)
            if subject == target or inverse in found or not {subject, target} <= known:
                continue
            relation = AskedRelation(
                subject, link.words, target, (self._span(link.first, link.stop),)
            )
            found.setdefault((subject, link.words, target), relation)
        self.relations += found.values()

    def _add_texts(self) -> None:
        for start, stop in self.plain.written:
            span = self.plain.original((start, stop))
            before = [
                at
                for at, phrase in enumerate(self.parse.phrases)
                if phrase.kind == "object" and self.parse.doc[phrase.stop - 1].idx < start
            ]
            on = self._id(before[-1]) if before else ""
            self.texts.append(AskedText(self.prompt[slice(*span)].strip(), span, on))
