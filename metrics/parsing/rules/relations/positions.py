"""Reads the positions that a text says: which thing stands how to which other.

The words that say how are those of `position_words`. What stands behind them is the anchor
(`anchors`), and who stands there is found by `place_subjects`. Where words are written is no
position, and being "in" clothes is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.parsed import Position
from hallascope.metrics.parsing.rules.coordination import joins, whole_row
from hallascope.metrics.parsing.rules.relations.anchors import Place, PlaceReader
from hallascope.metrics.parsing.rules.relations.place_subjects import PlaceSubjects
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words.grammar import span_of
from hallascope.metrics.parsing.words.position_words import INVERSE
from hallascope.metrics.parsing.words.verb_words import (
    COVERING_VERBS,
    FILLING_VERBS,
    LAYING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

# how many words at most stand between what is written and where: "'STOP' is written on"
_WRITTEN_BEFORE = 4
_SIDE_BY_SIDE = ("side", "by", "side")
_EACH_OTHER = (["each", "other"], ["one", "another"])


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
        self.subjects = PlaceSubjects(doc, index, self.places)
        # the token at which the last position ended, and which phrases it was said of
        self.last: tuple[int, list[int]] | None = None
        # the sentence, relation and anchor of the last "to the left of" something
        self.side: tuple[int, str, int] | None = None

    def positions(self) -> Iterator[Position]:
        start = 0
        while start < len(self.words):
            if tuple(self.words[start : start + 3]) == _SIDE_BY_SIDE:
                abreast = Place(start, start + 3, "next to", False, False, False)
                yield from self._mutual_positions(abreast, self.subjects.subjects_at(abreast))
                start = abreast.stop
                continue
            place = self.places.place_at(start)
            if place is not None:
                yield from self._read_position(place)
            elif self.doc[start].pos_ == "VERB" and self.doc[start] not in self.index:
                yield from self._read_verb(self.doc[start])
            start = place.stop if place else start + 1

    def _read_position(self, place: Place) -> Iterator[Position]:
        fronted = self.subjects.fronted.subjects(place) or self._excepted(place)
        subjects = fronted or self._continued_subjects(place) or self.subjects.subjects_at(place)
        if self.words[place.stop : place.stop + 2] in _EACH_OTHER:
            yield from self._mutual_positions(place, subjects)
            return
        owner = self._owner_of_top(place, subjects)
        if owner is not None:
            span = span_of(self.doc, place.start, place.stop)
            relation = "in" if place.relation == "in" else "on"
            yield from (Position(subject, relation, owner, span) for subject in subjects)
            return
        anchors = self._other_side(place) or self.places.anchors(place, subjects)
        if not subjects or not anchors or place.relation == "on top":
            return
        if self._is_written(place, subjects[-1]):
            return
        yield from self._positions_at(place, subjects, anchors)

    def _excepted(self, place: Place) -> list[int]:
        """Return the plate of "a table with nothing on it except a plate"."""
        at = place.stop + place.has_pronoun
        is_nothing = place.start > 0 and self.words[place.start - 1] == "nothing"
        is_except = self.words[at : at + 1] in (["except"], ["but"], ["besides"])
        return self.places.things_after(at + 1) if is_nothing and is_except else []

    def _other_side(self, place: Place) -> list[int | None]:
        """Return the plate of "to the left of the plate a fork, and to the right a knife"."""
        if self.side is None or place.has_anchor:
            return []
        sentence, relation, anchor = self.side
        is_same = sentence == self.subjects.sentence[place.start]
        return [anchor] if is_same and place.relation == INVERSE[relation] else []

    def _positions_at(
        self, place: Place, subjects: list[int], anchors: Sequence[int | None]
    ) -> Iterator[Position]:
        known = [anchor for anchor in anchors if anchor is not None]
        self.subjects.note(place, subjects[0], known)
        stop = self.index.tokens[known[-1]].stop if known else place.stop
        self.last = (max(stop, place.stop), subjects)
        if known and place.relation in ("left of", "right of"):
            self.side = (self.subjects.sentence[place.start], place.relation, known[0])
        span = span_of(self.doc, place.start, place.stop)
        for subject in subjects:
            for anchor in anchors:
                is_worn = (
                    place.relation == "in"
                    and anchor is not None
                    and self._is_worn(anchor)
                    and not (place.is_possessive and self._is_put(subject))
                )
                if anchor != subject and not is_worn:
                    yield Position(subject, place.relation, anchor, span)

    def _is_written(self, place: Place, subject: int) -> bool:
        """Return whether a place says where words are: "a sign with 'STOP' written on it"."""
        first = max(self.index.tokens[subject].stop, place.start - _WRITTEN_BEFORE)
        return bool(self.quoted & set(range(first, place.start)))

    def _continued_subjects(self, place: Place) -> list[int]:
        """Return the subjects of the last position, where a comma or "and" continues it."""
        if self.last is not None and joins(self.words[self.last[0] : place.start]):
            return self.last[1]
        return []

    def _mutual_positions(self, place: Place, subjects: Sequence[int]) -> Iterator[Position]:
        """Yield that of "a cat and a dog next to each other" the cat is next to the dog."""
        span = span_of(self.doc, place.start, place.stop)
        for subject, anchor in pairwise(subjects):
            yield Position(subject, place.relation, anchor, span)

    def _owner_of_top(self, place: Place, subjects: Sequence[int]) -> int | None:
        """Return the tart of "a tart with berries on top": they are on it."""
        is_inside = place.relation == "in" and self._is_last(place)
        is_top = place.relation in ("on top", "top") and not place.has_anchor
        if not subjects or not (is_inside or is_top):
            return None
        return self.subjects.owner_of(subjects[0])

    def _is_last(self, place: Place) -> bool:
        """Return whether "inside" stands alone: "a jar with a frog inside"."""
        following = self.doc[place.stop] if place.stop < len(self.doc) else None
        is_end = following is None or following.pos_ in ("PUNCT", "CCONJ")
        return is_end and self.words[place.stop - 1] == "inside"

    def _is_put(self, phrase: int) -> bool:
        """Return whether somebody puts a thing somewhere: "drops a coin in his hat"."""
        head = self.doc[self.index.tokens[phrase].stop - 1]
        is_object = head.dep_ == "dobj" and head.head.lemma_ in LAYING_VERBS
        return is_object and not is_animate(self.index.phrases[phrase])

    def _is_worn(self, phrase: int) -> bool:
        return is_garment(self.index.phrases[phrase])

    # --- positions that verbs say

    def _read_verb(self, verb: Token) -> Iterator[Position]:
        """Yield "in" of "men fill the gallery", and "on" of "a bed covered with clothing"."""
        span = span_of(self.doc, verb.i, verb.i + 1)
        if verb.lemma_ in FILLING_VERBS and verb.tag_ != "VBN":
            subject = self.subjects.movers.verb_subject(verb)
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
        if covered is not None:
            for thing in self.places.things_after(following + 1):
                yield Position(thing, "on", covered, span)

    def _covered(self, verb: Token) -> int | None:
        """Return what stands before "covered", or is the subject of "is covered"."""
        before = list(self.index.phrases_before(verb.i))
        subject = self.subjects.movers.verb_subject(verb)
        if subject is None and before and self.index.tokens[before[-1]].stop == verb.i:
            subject = before[-1]
        if subject is None:
            subject = self.subjects.movers.governor(verb)
        return subject if subject is not None and self.index.is_thing(subject) else None
