"""Reads the positions that a text says: which thing stands how to which other.

The words that say how are those of `position_words`. What stands behind them is the anchor; who
stands there is the nearest thing before them, unless a verb between says otherwise. Where words are
written is no position, and being "in" clothes is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Position
from hallascope.metrics.parsing.rules.coordination import joins, next_definite_anchor
from hallascope.metrics.parsing.words.grammar import OBJECTS, SUBJECTS, VERBS, span_of
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import WORN
from hallascope.metrics.parsing.words.position_words import longest_spelling, spellings

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_SHOWING_VERBS = wordset("be show depict display feature showcase contain include have see there")
_PRONOUNS = wordset("it its them itself each one")
_NOUN_CLAUSES = ("acl", "relcl")
_FARTHEST = 8  # dependencies between a position and its subject


def find_positions(doc: Doc, index: PhraseIndex, quoted: frozenset[int]) -> tuple[Position, ...]:
    """Return every position in a parsed text, in its order.

    `quoted` are the tokens that are written on something. Further anchors count where each is "the"
    so and so.
    """
    return tuple(_PositionReader(doc, index, quoted).positions())


class _PositionReader:
    def __init__(self, doc: Doc, index: PhraseIndex, quoted: frozenset[int]) -> None:
        self.doc = doc
        self.index = index
        self.quoted = quoted
        self.words = [token.lower_ for token in doc]
        # looked up once: to ask a token for its sentence takes as long as the sentence is
        self.sentence = [number for number, sentence in enumerate(doc.sents) for _ in sentence]
        # the token at which the last position ended, and which phrase it was said of
        self.last: tuple[int, int] | None = None

    def positions(self) -> Iterator[Position]:
        start = 0
        while start < len(self.words):
            stop = self._spelling_end(start)
            if stop is not None:
                yield from self._read_position(start, stop)
            start = stop or start + 1

    def _spelling_end(self, start: int) -> int | None:
        """Return the end of the longest spelling that begins at a token, but not within a name."""
        for stop in range(min(start + longest_spelling(), len(self.words)), start, -1):
            if tuple(self.words[start:stop]) not in spellings():
                continue
            token = self.doc[start]
            if stop - start > 1 or not (token in self.index or token.tag_ == "RP"):
                return stop
        return None

    def _read_position(self, start: int, stop: int) -> Iterator[Position]:
        relation, has_anchor = spellings()[tuple(self.words[start:stop])]
        anchors = self._anchors(stop) if has_anchor else [None]
        subject = self._continued_subject(start)
        if subject is None:
            subject = self._subject(start)
        if subject is None or not anchors:
            return
        if self.quoted & set(range(self.index.tokens[subject].stop, start)):
            return
        last = anchors[-1]
        self.last = (stop if last is None else self.index.tokens[last].stop, subject)
        for anchor in anchors:
            is_worn = relation == "in" and anchor is not None and self._is_worn(anchor)
            if anchor != subject and not is_worn:
                yield Position(subject, relation, anchor, span_of(self.doc, start, stop))

    def _is_worn(self, phrase: int) -> bool:
        return self.index.phrases[phrase].head in WORN

    # --- what a position is said of

    def _anchors(self, at: int) -> list[int | None]:
        """Return the phrase that begins at a token and those in a row with it; [None] for "it"."""
        is_pronoun = at < len(self.words) and self.words[at] in _PRONOUNS
        if is_pronoun and at not in self.index.by_first_token:
            return [None]
        anchors: list[int | None] = []
        anchor = self._anchor(at)
        while anchor is not None:
            anchors.append(anchor)
            anchor = next_definite_anchor(self.words, self.index.tokens[anchor].stop, self.index)
        return anchors

    def _anchor(self, at: int) -> int | None:
        """Return the thing that begins at a token; of "the side of the house" the house."""
        phrase = self.index.by_first_token.get(at)
        if phrase is None or self.index.is_thing(phrase):
            return phrase
        stop = self.index.tokens[phrase].stop
        return self._anchor(stop + 1) if self.words[stop : stop + 1] == ["of"] else None

    # --- who stands there

    def _continued_subject(self, start: int) -> int | None:
        """Return the subject of the last position, where a comma or "and" continues it."""
        if self.last is None:
            return None
        stop, subject = self.last
        return subject if joins(self.words[stop:start]) else None

    def _subject(self, start: int) -> int | None:
        """Return the nearest thing before a position, or the subject of the verb between."""
        sentence = self.sentence[start]
        before = [
            phrase
            for phrase in self.index.phrases_before(start)
            if self.sentence[self.index.tokens[phrase].start] == sentence
        ]
        if before and self.index.is_thing(before[-1]) and self._adjoins(before[-1], start):
            return self._wearer(before[-1], before)
        subject = self._governor(self.doc[start])
        if subject is None or subject not in before or not self.index.is_thing(subject):
            things = [phrase for phrase in before if self.index.is_thing(phrase)]
            subject = things[-1] if things else None
        return None if subject is None else self._wearer(subject, before)

    def _wearer(self, phrase: int, before: Sequence[int]) -> int:
        """Return of "a man in a suit" the man, and any other phrase as it is."""
        is_worn = (
            phrase in before[1:]
            and self._is_worn(phrase)
            and self.words[self.index.tokens[phrase].start - 1] == "in"
        )
        return before[before.index(phrase) - 1] if is_worn else phrase

    def _adjoins(self, phrase: int, start: int) -> bool:
        """Return whether only "is" or the like stands between, and no other verb before.

        The position could belong to that verb.
        """
        between = self.doc[self.index.tokens[phrase].stop : start]
        if not all(token.pos_ in (*VERBS, "ADV", "PRON", "SCONJ") for token in between):
            return False
        first = self.sentence.index(self.sentence[start])
        verbs = [
            token
            for token in self.doc[first:start]
            if token.pos_ in VERBS and token not in self.index
        ]
        return all(
            verb.lemma_ in _SHOWING_VERBS or between.start <= verb.i < between.end for verb in verbs
        )

    def _governor(self, token: Token) -> int | None:
        """Return the phrase on which the words depend, by way of the verb's subject."""
        for _ in range(_FARTHEST):
            head = token.head
            if head in self.index and head.i != token.i:
                return self.index.phrase_of(head)
            if head.pos_ in VERBS and head.dep_ not in _NOUN_CLAUSES:
                subject = self._verb_subject(head)
                if subject is not None:
                    return subject
            if head.i == token.i:
                return None
            token = head
        return None

    def _verb_subject(self, verb: Token) -> int | None:
        """Return the thing that is a verb's subject; of "the image shows a dog" its object."""
        for dependencies in (SUBJECTS, OBJECTS):
            phrases = [
                self.index.by_token[child.i]
                for child in verb.children
                if child.dep_ in dependencies and child in self.index
            ]
            things = [phrase for phrase in phrases if self.index.is_thing(phrase)]
            if things:
                return things[0]
            if not phrases:
                return None
        return None
