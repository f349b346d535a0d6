"""Tells which of two things before a place stands there, the nearer or the one that it is at.

"A goat on a rock on a hill": the rock is on the hill. "A woman on a bench by a dog": she is by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.rules.noun_phrases.of_phrases import is_holder
from hallascope.metrics.parsing.rules.relations.anchors import Place, PlaceReader
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.position_words import (
    BODY_PARTS,
    LANDMARKS,
    RIDDEN,
    SCENES,
    SEATS,
)
from hallascope.metrics.parsing.words.verb_words import (
    HOLDING_VERBS,
    LAYING_VERBS,
    PUTTING_VERBS,
    USING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.phrase_index import PhraseIndex


_SURFACES = ("table", "tableware", "container", "furnishing", "paper", "food", "electronic device")
_FLOORS = wordset("floor ground lawn field grass")
_GROUNDS = wordset("floor ground lawn field grass board ice court wave slope dune stage")
_SCENE_KINDS = ("room", "stronghold", "geological formation", "vegetation")


class Nesting:
    """Tells whether a place is that of the thing right before it.

    `resting`: who was read to stand at each anchor, and in what relation.
    """

    def __init__(self, doc: Doc, index: PhraseIndex, places: PlaceReader) -> None:
        self.doc = doc
        self.index = index
        self.places = places
        self.words = [token.lower_ for token in doc]
        self.resting: dict[int, tuple[int, str]] = {}

    def is_nested(self, nearest: int, place: Place) -> bool:
        """Return whether the anchor right before has a place itself: "a rock on a hill"."""
        if self.index.tokens[nearest].stop != place.start:
            return False
        if self.places.is_adverb(place):
            # "a jar with a frog inside"
            return True
        if is_animate(self.index.phrases[nearest]) or place.is_possessive or place.has_pronoun:
            return False
        if place.relation == "next to":
            anchors = self.places.anchors(place, [])
            is_fixed = self.is_landmark(nearest) or (
                # "a bench near a park"
                self.head_of(nearest) in SEATS and not self.is_ridden(nearest)
            )
            return is_fixed and bool(anchors) and self.is_landmark(anchors[0])
        if nearest not in self.resting:
            return False
        if self.is_ridden(nearest) and self.is_living(self.resting[nearest][0]):
            # "people on surfboards in the ocean"
            return False
        if self.head_of(nearest) in BODY_PARTS and self.resting[nearest][1] == "on":
            # "balances on one foot on a stack of books"
            return False
        if place.relation == "in":
            return self.resting[nearest][1] == "on" and not self.has_possessive(nearest)
        return place.relation == "on"

    def is_object_there(self, nearest: int, place: Place) -> bool:
        """Return whether what a verb is done to is on something: "blowing out candles on a cake".

        "A man reading a book on a bench" is on it himself.
        """
        stop = self.index.tokens[nearest].stop
        is_object = any(self.doc[token].dep_ == "dobj" for token in self.index.tokens[nearest])
        if place.relation == "in" and is_object and stop == place.start:
            # "cooking rice in a pot"
            held = self.places.anchors(place, [])
            is_container = bool(held) and is_holder(self.head_of(held[0]))
            is_thing = not is_animate(self.index.phrases[nearest])
            return is_container and is_thing and not place.is_possessive
        if place.relation != "on" or stop != place.start or not is_object or place.is_possessive:
            return False
        anchors = self.places.anchors(place, [])
        if not anchors or anchors[0] is None or is_animate(self.index.phrases[nearest]):
            return False
        anchor = self.head_of(anchors[0])
        verb = self.doc[self.index.tokens[nearest].stop - 1].head.lemma_
        if verb in PUTTING_VERBS:
            return anchor not in SCENES | LANDMARKS | _FLOORS or verb in LAYING_VERBS
        if verb in USING_VERBS and not self.is_surface(anchors[0]):
            # "playing a harp on a lily pad"
            return False
        return anchor not in SCENES | LANDMARKS | SEATS

    def is_surface(self, phrase: int | None) -> bool:
        """Return whether what somebody uses or eats lies on something: "a plate", "a table"."""
        head = self.head_of(phrase)
        return is_holder(head) or wordnet.is_kind_of(head, *_SURFACES)

    def is_living_object(self, nearest: int, place: Place) -> bool:
        """Return whether a person that something is done to has a place of his own.

        "A jogger passes a man on a bench", but "a man walks a dog on a beach".
        """
        if not is_animate(self.index.phrases[nearest]) or place.has_pronoun or place.is_possessive:
            return False
        is_object = any(self.doc[token].dep_ == "dobj" for token in self.index.tokens[nearest])
        if not is_object or self.index.tokens[nearest].stop != place.start:
            return False
        if place.relation not in ("in", "on") or not place.has_anchor:
            return False
        anchors = self.places.anchors(place, [])
        if not anchors or anchors[0] is None or self.is_scene(anchors[0]):
            return False
        head = self.head_of(anchors[0])
        is_carried = head in SEATS or wordnet.is_kind_of(head, "furnishing", "conveyance")
        return is_carried and head not in LANDMARKS | _GROUNDS

    def is_held(self, nearest: int, place: Place) -> bool:
        """Return whether a thing is in a hand or mouth: "women with glasses in their hands"."""
        first = self.index.tokens[nearest].start
        is_one = self.words[place.stop : place.stop + 1] in (["one"], ["each"], ["both"])
        is_own = place.is_possessive or is_one
        if not is_own or self.index.tokens[nearest].stop != place.start or not first:
            return False
        if self.words[first - 1] == "with":
            return True
        anchors = self.places.anchors(place, [])
        is_body_part = bool(anchors) and self.head_of(anchors[0]) in BODY_PARTS
        return is_body_part and self.doc[first - 1].lemma_ in HOLDING_VERBS

    def has_possessive(self, phrase: int) -> bool:
        """Return whether a phrase begins with "her" or the like."""
        return bool(self.doc[self.index.tokens[phrase].start].tag_ == "PRP$")

    def head_of(self, phrase: int | None) -> str:
        return "" if phrase is None else self.index.phrases[phrase].head

    def is_scene(self, phrase: int | None) -> bool:
        """Return whether a phrase names where things are: "a room", "Mars"."""
        if phrase is None:
            return False
        is_name = self.doc[self.index.tokens[phrase].stop - 1].tag_ == "NNP"
        head = self.head_of(phrase)
        return head in SCENES or is_name or wordnet.is_kind_of(head, *_SCENE_KINDS)

    def is_ridden(self, phrase: int) -> bool:
        """Return whether something carries who is on it about: "a canoe", "skis"."""
        head = self.head_of(phrase)
        return head in RIDDEN or wordnet.is_kind_of(head, "conveyance", "sports equipment")

    def is_landmark(self, phrase: int | None) -> bool:
        """Return whether something is a part of a landscape: "a beach", "trees"."""
        return self.head_of(phrase) in SCENES | LANDMARKS

    def is_living(self, phrase: int | None) -> bool:
        return phrase is not None and is_animate(self.index.phrases[phrase])
