"""Reads the positions that a text says: which thing stands how to which other.

The words that say how are those of `position_words`. What stands behind them is the anchor
(`anchors`); who stands there is the nearest thing before them with those in a row with it
(`coordination`), unless a verb between says otherwise. Where words are written is no position, and
being "in" clothes is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.parsed import Position
from hallascope.metrics.parsing.rules.anchors import Place, PlaceReader
from hallascope.metrics.parsing.rules.coordination import (
    is_led,
    joins,
    row_after,
    row_before,
    whole_row,
)
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words.grammar import OBJECTS, SUBJECTS, VERBS, span_of
from hallascope.metrics.parsing.words.position_words import PATHS, SCENES
from hallascope.metrics.parsing.words.verb_words import (
    COVERING_VERBS,
    FILLING_VERBS,
    POSTURE_VERBS,
    SHOWING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_EACH_OTHER = (["each", "other"], ["one", "another"])
_NOUN_CLAUSES = ("acl", "relcl")
_CLAUSE_STARTS = (";", ":")
_RESTING = ("in", "on", "at", "corner", "middle", "background", "foreground")
_FARTHEST = 8  # dependencies between a position and its subject


def find_positions(doc: Doc, index: PhraseIndex, quoted: frozenset[int]) -> tuple[Position, ...]:
    """Return every position in a parsed text, in its order, each once.

    `quoted` are the tokens that are written on something.
    """
    return tuple(dict.fromkeys(_PositionReader(doc, index, quoted).positions()))


class _PositionReader:
    def __init__(self, doc: Doc, index: PhraseIndex, quoted: frozenset[int]) -> None:
        self.doc = doc
        self.index = index
        self.quoted = quoted
        self.words = [token.lower_ for token in doc]
        self.places = PlaceReader(doc, index)
        # looked up once: to ask a token for its sentence takes as long as the sentence is
        self.sentence = [number for number, sentence in enumerate(doc.sents) for _ in sentence]
        # the token at which the last position ended, and which phrases it was said of
        self.last: tuple[int, list[int]] | None = None
        self.anchors: set[int] = set()

    def positions(self) -> Iterator[Position]:
        start = 0
        while start < len(self.words):
            place = self.places.place_at(start)
            if place is not None:
                yield from self._read_position(place)
            elif self.doc[start].pos_ == "VERB" and self.doc[start] not in self.index:
                yield from self._read_verb(self.doc[start])
            start = place.stop if place else start + 1

    def _read_position(self, place: Place) -> Iterator[Position]:
        subjects = self._subjects(place)
        if self.words[place.stop : place.stop + 2] in _EACH_OTHER:
            yield from self._mutual_positions(place, subjects)
            return
        anchors = self.places.anchors(place, subjects)
        if not subjects or not anchors:
            return
        if self.quoted & set(range(self.index.tokens[subjects[-1]].stop, place.start)):
            return
        known = [anchor for anchor in anchors if anchor is not None]
        self.anchors.update(known)
        stop = self.index.tokens[known[-1]].stop if known else place.stop
        self.last = (max(stop, place.stop), subjects)
        span = span_of(self.doc, place.start, place.stop)
        for subject in subjects:
            for anchor in anchors:
                is_worn = place.relation == "in" and anchor is not None and self._is_worn(anchor)
                if anchor != subject and not is_worn:
                    yield Position(subject, place.relation, anchor, span)

    def _mutual_positions(self, place: Place, subjects: Sequence[int]) -> Iterator[Position]:
        """Yield that of "a cat and a dog next to each other" the cat is next to the dog."""
        span = span_of(self.doc, place.start, place.stop)
        for subject, anchor in pairwise(subjects):
            yield Position(subject, place.relation, anchor, span)

    def _is_worn(self, phrase: int) -> bool:
        return is_garment(self.index.phrases[phrase])

    # --- positions that verbs say

    def _read_verb(self, verb: Token) -> Iterator[Position]:
        """Yield "in" of "men fill the gallery", and "on" of "a bed covered with clothing"."""
        span = span_of(self.doc, verb.i, verb.i + 1)
        if verb.lemma_ in FILLING_VERBS and verb.tag_ != "VBN":
            subject = self._verb_subject(verb)
            filled = [self.index.thing_of(child) for child in verb.children if child.dep_ == "dobj"]
            if subject is not None and filled and filled[0] is not None:
                for filling in whole_row(self.doc, self.index, subject):
                    yield Position(filling, "in", filled[0], span)
        following = verb.i + 1
        if verb.lemma_ not in COVERING_VERBS or following + 1 >= len(self.words):
            return
        if verb.tag_ not in ("VBN", "VBD") or self.words[following] not in ("with", "in", "by"):
            return
        covered = self._covered(verb)
        covering = self.places.things_after(following + 1)
        if covered is not None:
            for thing in covering:
                yield Position(thing, "on", covered, span)

    def _covered(self, verb: Token) -> int | None:
        """Return what stands before "covered", or is the subject of "is covered"."""
        before = list(self.index.phrases_before(verb.i))
        subject = self._verb_subject(verb)
        if subject is None and before and self.index.tokens[before[-1]].stop == verb.i:
            subject = before[-1]
        if subject is None:
            subject = self._governor(verb)
        return subject if subject is not None and self.index.is_thing(subject) else None

    # --- who stands there

    def _subjects(self, place: Place) -> list[int]:
        """Return who stands at a place: one, or several in a row."""
        start = place.start
        if self.last is not None and joins(self.words[self.last[0] : start]):
            return self.last[1]
        before = self._phrases_before(start)
        if not before:
            return self._inverted_subjects(place)
        nearest = before[-1]
        if self.index.is_thing(nearest) and self._adjoins(nearest, place):
            nested = self._nested_subject(nearest, place, before)
            if nested is not None:
                return [nested]
            row = row_before(self.doc, self.index, self.index.whole_of(nearest))
            if self.index.whole_of(nearest) != nearest:
                row = [*row[:-1], nearest]
            if place.has_pronoun and place.relation not in ("in", "on"):
                return [nearest]
            is_shared = place.has_pronoun or not is_led(self.doc, self.index, row)
            return row if is_shared else [self._wearer(nearest, before)]
        subject = self._governor(self.doc[start])
        if self._is_nested(nearest, place):
            subject = nearest
        elif subject == nearest:
            subject = self._doer(nearest, place)
        if subject is None or subject not in before or not self.index.is_thing(subject):
            things = [phrase for phrase in before if self.index.is_thing(phrase)]
            subject = things[-1] if things else None
        if subject is None:
            return []
        wearer = self._wearer(subject, before)
        return [wearer] if wearer != subject else self._row_of(subject, start)

    def _phrases_before(self, start: int) -> list[int]:
        """Return the phrases before a token in its sentence, or behind a ";" that precedes it."""
        if start and self.words[start - 1] in _CLAUSE_STARTS:
            return []
        return [
            phrase
            for phrase in self.index.phrases_before(start)
            if self.sentence[self.index.tokens[phrase].start] == self.sentence[start]
        ]

    def _inverted_subjects(self, place: Place) -> list[int]:
        """Return what stands behind a place at the start: "on the wall hangs a picture"."""
        anchors = self.places.anchors(place, [])
        if not anchors:
            return []
        last = anchors[-1]
        at = place.stop + place.has_pronoun if last is None else self.index.tokens[last].stop
        at = max(at, place.stop + place.has_pronoun)
        while at < len(self.words) and at not in self.index.by_first_token:
            token = self.doc[at]
            is_posture = token.pos_ in VERBS and token.lemma_ in POSTURE_VERBS | SHOWING_VERBS
            if not is_posture and token.lower_ not in (",", "there"):
                return []
            at += 1
        subject = self.index.by_first_token.get(at)
        if subject is None or not self.index.is_thing(subject):
            return []
        return row_after(self.doc, self.index, subject)

    def _row_of(self, subject: int, start: int) -> list[int]:
        """Return a subject with those in a row with it that stand before a token."""
        row = whole_row(self.doc, self.index, subject)
        row = [phrase for phrase in row if self.index.tokens[phrase].stop <= start]
        return [subject] if is_led(self.doc, self.index, row) else row

    def _is_nested(self, nearest: int, place: Place) -> bool:
        """Return whether the anchor right before is itself on something: "a rock on a hill"."""
        return (
            place.relation == "on"
            and nearest in self.anchors
            and self.index.tokens[nearest].stop == place.start
            and not is_animate(self.index.phrases[nearest])
        )

    def _doer(self, nearest: int, place: Place) -> int:
        """Return of "people flying kites on the beach" the people, else the nearest thing."""
        anchors = self.places.anchors(place, [])
        is_scene = bool(anchors) and self._is_scene(anchors[0])
        if place.relation not in PATHS and not (place.relation in _RESTING and is_scene):
            return nearest
        first = self.index.tokens[nearest].start
        verb = self.doc[first - 1] if first else None
        if verb is not None and verb.pos_ == "ADP" and nearest not in self.anchors:
            verb = verb.head
        if verb is None or verb.pos_ != "VERB" or is_animate(self.index.phrases[nearest]):
            return nearest
        subject = self._verb_subject(verb) if verb.dep_ not in _NOUN_CLAUSES else None
        if subject is None or subject == nearest:
            subject = self._governor(verb)
        return nearest if subject is None or subject > nearest else subject

    def _is_scene(self, phrase: int | None) -> bool:
        return phrase is not None and self.index.phrases[phrase].head in SCENES

    def _nested_subject(self, nearest: int, place: Place, before: Sequence[int]) -> int | None:
        """Return of "a wall with a bench in a park" the wall.

        What is in a room or on a street has its own place, as has what a pronoun leads back from.
        """
        first = self.index.tokens[nearest].start
        is_resting = place.relation in _RESTING
        if not is_resting or place.is_possessive or place.has_pronoun or nearest == before[0]:
            return None
        if self.words[first - 1] != "with" or self.index.tokens[nearest].stop != place.start:
            return None
        owner = before[before.index(nearest) - 1]
        adjoins_owner = self.index.tokens[owner].stop == first - 1
        is_scene = self._is_scene(owner)
        if not adjoins_owner or is_scene or not self.index.is_thing(owner):
            return None
        return self._wearer(owner, before)

    def _wearer(self, phrase: int, before: Sequence[int]) -> int:
        """Return of "a man in a suit" and "a man wearing a suit" the man, else the phrase."""
        is_worn = (
            phrase in before[1:]
            and self._is_worn(phrase)
            and self.words[self.index.tokens[phrase].start - 1] in ("in", "wearing", "with")
        )
        return before[before.index(phrase) - 1] if is_worn else phrase

    def _adjoins(self, phrase: int, place: Place) -> bool:
        """Return whether only "is" or the like stands between, and no other verb before.

        The position could belong to that verb. Of "a case with coins lies at his feet" the coins
        are not what lies there.
        """
        start = place.start
        between = self.doc[self.index.tokens[phrase].stop : start]
        if not all(token.pos_ in (*VERBS, "ADV", "PRON", "SCONJ") for token in between):
            return False
        is_finite = len(between) > 0 and between[0].tag_ in ("VBZ", "VBP", "VBD")
        if is_finite and is_led(self.doc, self.index, [phrase]):
            return False
        if place.has_pronoun:
            return True
        first = self.sentence.index(self.sentence[start])
        verbs = [
            token
            for token in self.doc[first:start]
            if token.pos_ in VERBS and token not in self.index
        ]
        return all(
            verb.lemma_ in SHOWING_VERBS or between.start <= verb.i < between.end for verb in verbs
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
