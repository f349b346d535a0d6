"""Parses a text into noun phrases, relations and written words, each with its place.

One parse by spaCy's small English model, then passes over its tree, in this order: flags, style and
written words are taken out (`plain_text`); noun phrases are found (`phrases`, `known_names`); what
is absent is marked (`negation`); pronouns and phrases without a noun are tied to what they stand
for (`references`); descriptions, places and actions are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from hallascope.data.regions import Span
from hallascope.metrics.reading.parsed import (
    Modifier,
    Parsed,
    Phrase,
    PhraseRelation,
    RelationKind,
    WrittenText,
)
from hallascope.metrics.reading.rules.actions import find_actions
from hallascope.metrics.reading.rules.descriptions import add_descriptions
from hallascope.metrics.reading.rules.elements import (
    Link,
    NounPhrase,
    Parse,
    Word,
    noun_singular,
)
from hallascope.metrics.reading.rules.known_names import name_known
from hallascope.metrics.reading.rules.negation import mark_absent
from hallascope.metrics.reading.rules.phrases import find_phrases, phrase_name
from hallascope.metrics.reading.rules.places import find_places
from hallascope.metrics.reading.rules.plain_text import PlainText, plain_text
from hallascope.metrics.reading.rules.references import (
    mark_parts,
    resolve_ellipses,
    resolve_mentions,
    resolve_pronouns,
)
from hallascope.metrics.reading.rules.signals import (
    find_unread,
    link_signals,
    phrase_signals,
    text_signals,
)
from hallascope.metrics.reading.rules.subjects import Subjects
from hallascope.metrics.reading.rules.tagging import tag_text
from hallascope.metrics.reading.words.language import COLORS
from hallascope.metrics.reading.words.relations import PART_OF

LONGEST = 8_000  # characters; time and memory grow with them


class TextTooLong(ValueError):
    """A text is longer than `LONGEST`; the message says by how much."""


def parse(text: str, describing: frozenset[str] = frozenset()) -> Parsed:
    """Return what a text says.

    `describing`: words, in lower case, that describe an object and never belong to its name, beside
    the colors.

    Raises TextTooLong above `LONGEST` characters, which is more than any prompt and any caption may
    have, and ParserMissing where spaCy's English model is not installed; nothing else.

    >>> [phrase.name for phrase in parse("a red cat on a mat").objects]
    ['cat', 'mat']
    """
    if len(text) > LONGEST:
        raise TextTooLong(
            f"a text of {len(text):,} characters is not parsed: give at most {LONGEST:,}"
        )
    return _parse(text, COLORS | describing)


@lru_cache(maxsize=512)
def _parse(text: str, describing: frozenset[str]) -> Parsed:
    plain = plain_text(text)
    doc = tag_text(plain.text, plain.starts)
    written = frozenset(
        token.i for token in doc if any(first <= token.idx < stop for first, stop in plain.written)
    )
    phrases = name_known(doc, find_phrases(doc, written, describing))
    return _Text(text, plain, Parse(doc, phrases, written)).read(describing)


class _Text:
    """Reads a text from its parse."""

    def __init__(self, text: str, plain: PlainText, parse: Parse) -> None:
        self.text = text
        self.plain = plain
        self.parse = parse

    def read(self, describing: frozenset[str]) -> Parsed:
        parse, subjects = self.parse, Subjects(self.parse)
        mark_absent(parse)
        resolve_ellipses(parse)
        resolve_pronouns(parse)
        add_descriptions(parse)
        places = find_places(parse, subjects)
        placed = {token for link in places for token in range(link.first, link.stop)}
        actions = find_actions(parse, subjects, placed)
        mark_parts(parse)
        resolve_mentions(parse, {(link.subject, link.target) for link in places})
        for link in actions:
            if link.target is None:
                parse.phrases[link.subject].words.append(Word(link.words, link.first, link.stop))
        unread = find_unread(parse, [*places, *actions])
        excluded = [
            phrase for span in self.plain.excluded for phrase in self._excluded(span, describing)
        ]
        return Parsed(
            self.text,
            phrases=(*self._phrases(), *excluded),
            relations=tuple(self._relations(places, actions)),
            texts=tuple(self._texts()),
            style=self.plain.style,
            unread=tuple(self._span(token, token + 1) for token in unread),
            signals=text_signals(parse, [*places, *actions], unread, self.plain.style),
        )

    def _excluded(self, span: Span, describing: frozenset[str]) -> Iterator[Phrase]:
        """Yield the phrases of what "--no" asks not to show, as absent."""
        name = self.text[slice(*span)]
        for phrase in _parse(name, describing).objects[:1]:
            yield Phrase(
                span=span,
                name_span=span,
                name=phrase.name,
                lemmas=phrase.lemmas,
                head=phrase.head,
                concept=phrase.concept,
                plural=phrase.plural,
                is_object=False,
                absent=True,
            )

    def _span(self, first: int, stop: int) -> Span:
        tokens = self.parse.doc[first:stop]
        return self.plain.original((tokens.start_char, tokens.end_char))

    # --- phrases

    def _phrases(self) -> Iterator[Phrase]:
        sentences = {sent.start: at for at, sent in enumerate(self.parse.doc.sents)}
        for phrase in self.parse.phrases:
            yield self._phrase(phrase, sentences[self.parse.doc[phrase.head].sent.start])

    def _phrase(self, phrase: NounPhrase, sentence: int) -> Phrase:
        words = {word.text: (word.first, word.stop) for word in reversed(phrase.words)}
        return Phrase(
            span=self._span(min(phrase.first, phrase.name), phrase.stop),
            name_span=self._span(phrase.name, phrase.stop),
            name=phrase_name(self.parse.doc, phrase),
            lemmas=self._lemmas(phrase),
            head=phrase.noun,
            concept=phrase.concept,
            count=phrase.count,
            count_span=self._span(*phrase.count_tokens) if phrase.count_tokens else None,
            plural=phrase.plural,
            definite=phrase.definite,
            modifiers=tuple(
                Modifier(text, self._span(*words[text]))
                for text in dict.fromkeys(word.text for word in phrase.words)
            ),
            is_object=phrase.kind == "object",
            absent=phrase.kind == "absent",
            is_part=phrase.is_part,
            sentence=sentence,
            same=phrase.same,
            group=phrase.group,
            owner=phrase.owner,
            signals=phrase_signals(self.parse, phrase),
        )

    def _lemmas(self, phrase: NounPhrase) -> tuple[str, ...]:
        """Return the words of a name in the singular, without those between its nouns.

        What describes a part of it is none: "red" in "glass of red wine".
        """
        described = {token for word in phrase.words for token in range(word.first, word.stop)}
        tokens = [
            token
            for token in self.parse.doc[phrase.name : phrase.stop]
            if token.i <= phrase.head
            or (token.pos_ in ("NOUN", "PROPN", "ADJ") and token.i not in described)
        ]
        lemmas = tuple(
            phrase.noun if token.i == phrase.head else noun_singular(token)
            for token in tokens
            if token.is_alpha or token.is_digit
        )
        return lemmas or (phrase.noun,)

    # --- relations and texts

    def _relations(
        self, places: Sequence[Link], actions: Sequence[Link]
    ) -> Iterator[PhraseRelation]:
        parts = [
            Link(at, PART_OF, phrase.owner, phrase.name, phrase.stop)
            for at, phrase in enumerate(self.parse.phrases)
            if phrase.owner is not None and phrase.kind == "object"
        ]
        kinds: tuple[tuple[RelationKind, Sequence[Link]], ...] = (
            ("place", places),
            ("action", [link for link in actions if link.target is not None]),
            ("part", parts),
        )
        found = [
            PhraseRelation(
                link.subject,
                link.words,
                link.target,
                self._span(link.first, link.stop),
                kind,
                link_signals(self.parse, link, kind),
            )
            for kind, links in kinds
            for link in links
        ]
        yield from sorted(found, key=lambda relation: relation.span)

    def _texts(self) -> Iterator[WrittenText]:
        for start, stop in self.plain.written:
            span = self.plain.original((start, stop))
            before = [
                at
                for at, phrase in enumerate(self.parse.phrases)
                if phrase.kind == "object" and self.parse.doc[phrase.stop - 1].idx < start
            ]
            on = before[-1] if before else None
            yield WrittenText(" ".join(self.text[slice(*span)].split()), span, on)
