"""Finds who is at a place that stands behind a verb.

A man who flies a kite on a beach is there himself, and so is who plays a harp on a rock; what
somebody puts on a table is on it ("puts a cake on a table", "dips a net into the water").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.rules.coordination import row_before
from hallascope.metrics.parsing.rules.relations.anchors import Place
from hallascope.metrics.parsing.rules.relations.nesting import Nesting
from hallascope.metrics.parsing.words.grammar import OBJECTS, SUBJECTS, VERBS
from hallascope.metrics.parsing.words.position_words import PATHS, SEATS, WEATHER
from hallascope.metrics.parsing.words.verb_words import (
    HOLDING_VERBS,
    LAYING_VERBS,
    RIDING_VERBS,
    USING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_NOUN_CLAUSES = ("acl", "relcl")
RESTING = ("in", "on", "at", "corner", "middle")
_FARTHEST = 8  # dependencies between a position and its subject


class PlaceMovers:
    """Finds the subjects of places behind verbs in a parsed text."""

    def __init__(self, doc: Doc, index: PhraseIndex, nesting: Nesting) -> None:
        self.doc = doc
        self.index = index
        self.nesting = nesting

    def put_there(self, place: Place) -> list[int]:
        """Return the net of "dips a net into the water"."""
        preposition = self.doc[place.start]
        verb = preposition.head
        if verb.pos_ != "VERB" or verb.lemma_ in RIDING_VERBS or place.start < verb.i:
            return []
        is_laid = (
            verb.lemma_ in LAYING_VERBS and verb.tag_ != "VBN" and not self._is_in_scene(place)
        )
        if not is_laid and preposition.lower_ not in ("into", "onto"):
            return []
        things = [
            self.index.thing_of(child)
            for child in verb.children
            if child.dep_ == "dobj" and child.i < place.start
        ]
        return [thing for thing in things if thing is not None]

    def _is_in_scene(self, place: Place) -> bool:
        """Return whether a place is "in a kitchen", where somebody does something."""
        anchors = self.nesting.places.anchors(place, []) if place.has_anchor else [None]
        return place.relation in ("in", "at") and (
            not anchors or anchors[0] is None or self.nesting.is_scene(anchors[0])
        )

    def mover(self, nearest: int, place: Place) -> int:
        """Return of "people flying kites on the beach" the people, else the nearest thing."""
        anchors = self.nesting.places.anchors(place, [])
        first = self.index.tokens[nearest].start
        verb = self.doc[first - 1] if first else None
        if verb is not None and verb.tag_ == "CC":
            # "wears a hat and a garland in a field"
            row = row_before(self.doc, self.index, nearest)
            verb = self.doc[max(0, self.index.tokens[row[0]].start - 1)]
        is_holding = verb is not None and verb.lemma_ in HOLDING_VERBS
        is_scene = bool(anchors) and (
            self.nesting.is_scene(anchors[0])
            or self.nesting.head_of(anchors[0]) in WEATHER
            or (place.relation == "on" and self.nesting.head_of(anchors[0]) in SEATS)
            or (is_holding and self.nesting.is_landmark(anchors[0]))
        )
        is_riding = verb is not None and verb.lemma_ in RIDING_VERBS
        is_using = (
            verb is not None
            and verb.lemma_ in USING_VERBS
            and place.relation == "on"
            and bool(anchors)
            and not self.nesting.is_surface(anchors[0])
        )
        is_path = place.relation in PATHS or is_riding or is_using or place.relation == "at"
        if not is_path and not (place.relation in RESTING and is_scene):
            return nearest
        is_leading = place.relation in PATHS and self.index.tokens[nearest].stop == place.start
        is_fixed = nearest in self.nesting.resting and not is_leading
        if verb is not None and verb.pos_ == "ADP" and not is_fixed:
            verb = verb.head
            if verb.dep_ == "dobj" and verb.head.pos_ == "VERB":
                # "feeding pigeons from a bag in a park"
                verb = verb.head
        if verb is None or verb.pos_ != "VERB" or is_animate(self.index.phrases[nearest]):
            return nearest
        subject = self.verb_subject(verb) if verb.dep_ not in _NOUN_CLAUSES else None
        if subject is None or subject == nearest:
            subject = self.governor(verb)
        return nearest if subject is None or subject > nearest else subject

    def governor(self, token: Token) -> int | None:
        """Return the phrase on which a word depends, by way of the verb's subject."""
        for _ in range(_FARTHEST):
            head = token.head
            if head in self.index and head.i != token.i:
                return self.index.phrase_of(head)
            if head.pos_ in VERBS and head.dep_ not in _NOUN_CLAUSES:
                subject = self.verb_subject(head)
                if subject is not None:
                    return subject
            if head.i == token.i:
                return None
            token = head
        return None

    def verb_subject(self, verb: Token) -> int | None:
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
