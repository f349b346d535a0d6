"""Finds what stands at a place that is said first: "on the wall hangs a picture".

The place begins its clause, and what stands there follows: behind a verb ("next to it lies a
newspaper"), behind "there is", at once ("behind the bicycle a wall"), or behind a comma where the
place begins the sentence ("behind the table, a chair leans against a wall").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.coordination import shown_row
from hallascope.metrics.parsing.rules.relations.anchors import Place, PlaceReader
from hallascope.metrics.parsing.words.grammar import PLURALS, SUBJECTS, VERBS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.verb_words import (
    MOTION_VERBS,
    POSTURE_VERBS,
    SHOWING_VERBS,
    STATE_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_VERBS = POSTURE_VERBS | MOTION_VERBS | STATE_VERBS | SHOWING_VERBS
_SENTENCE_MARKS = (";", ":", "–", "—")
_JOINTS = (",", "and", "while", "but", "whereas")
_FILLERS = ("there", "both", "all", "also", "alone", "only", "just", "exactly", "least", "most")
_DEGREES = wordset("far just right directly high low deep close immediately somewhere")
_SEEN_BY = wordset("one you we can could see sees")
_RELATIVES = ("which", "whom")


class FrontedPlaces:
    """Finds the subjects of places that begin a clause of a parsed text."""

    def __init__(self, doc: Doc, index: PhraseIndex, places: PlaceReader) -> None:
        self.doc = doc
        self.index = index
        self.places = places
        self.sentence_starts = {sentence.start for sentence in doc.sents}

    def subjects(self, place: Place) -> list[int]:
        """Return what stands at a place behind its words, one or several in a row."""
        start = place.start
        if start and self.doc[start - 1].lower_ in _DEGREES:
            # "far behind him walks a camel"
            start -= 1
        before = str(self.doc[start - 1].lower_) if start else ""
        is_first = start in self.sentence_starts or before in (*_SENTENCE_MARKS, "(")
        if not is_first and before not in _JOINTS and not self._is_relative(place):
            return []
        subject = self._subject_of_verb(place)
        if subject is not None:
            return shown_row(self.doc, self.index, subject)
        at = self._behind_anchors(place)
        while at is not None and at < len(self.doc) and at not in self.index.by_first_token:
            if not self._may_stand_between(self.doc[at], is_first):
                return []
            at += 1
        subject = None if at is None else self.index.by_first_token.get(at)
        if subject is None or not self.index.is_thing(subject):
            return []
        is_behind_verb = self.doc[self.index.tokens[subject].start - 1].pos_ in VERBS
        if not is_first and not is_behind_verb and not self._has_article(subject):
            return []
        return shown_row(self.doc, self.index, subject)

    def _is_relative(self, place: Place) -> bool:
        """Return whether "which" stands behind a place: "a bench on which lies a pen"."""
        return place.stop < len(self.doc) and self.doc[place.stop].lower_ in _RELATIVES

    def _subject_of_verb(self, place: Place) -> int | None:
        """Return the subject behind a place that depends on its verb.

        "Between a man reading a newspaper and a nun with headphones sits a bear."
        """
        verb = self.doc[place.start].head
        if verb.pos_ not in VERBS or verb.i < place.stop or verb.tag_ == "VBG":
            return None
        for child in verb.children:
            if child.dep_ in SUBJECTS and child.i >= place.stop:
                return self.index.thing_of(child)
        return None

    def _behind_anchors(self, place: Place) -> int | None:
        """Return the token behind a place and its anchors, and behind a place of the anchor."""
        anchors = self.places.anchors(place, [])
        if not anchors:
            return None
        at = place.stop + place.has_pronoun
        if anchors[-1] is not None:
            at = max(at, self.index.tokens[anchors[-1]].stop)
        if place.has_anchor and not place.has_pronoun and at < len(self.doc):
            following = self.places.place_at(at)
            if following is not None and (following.has_anchor or following.is_possessive):
                # "on the panel next to the porthole"
                return self._behind_anchors(following)
        return at

    def _may_stand_between(self, token: Token, is_first: bool) -> bool:
        """Return whether a word may stand between a place and what is there."""
        is_bound = token.lower_ == "at" and token.nbor(1).lower_ in ("least", "most")
        if token.lower_ in _FILLERS or token.lower_ in _SEEN_BY or is_bound:
            return True
        if token.text == ",":
            return is_first
        is_finite = is_first or token.tag_ in ("VBZ", "VBP", "VBD")
        return token.pos_ in VERBS and is_finite and token.lemma_ in _VERBS

    def _has_article(self, phrase: int) -> bool:
        """Return whether a phrase begins with an article or a number, or is a plural."""
        tokens = self.index.tokens[phrase]
        first, head = self.doc[tokens.start], self.doc[tokens.stop - 1]
        return first.pos_ in ("DET", "NUM", "PRON") or head.tag_ in PLURALS
