"""Finds who stands at a place.

It is the nearest thing before, with those in a row with it (`coordination`), unless a verb between,
"with" or clothes say otherwise: "a wall with a bench in a park" is the wall's place, "a man in a
suit next to a car" the man's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.rules.coordination import (
    agreeing_row,
    container_of,
    is_led,
    row_before,
    whole_row,
)
from hallascope.metrics.parsing.rules.relations.anchors import Place, PlaceReader
from hallascope.metrics.parsing.rules.relations.clause_items import item_start
from hallascope.metrics.parsing.rules.relations.fronted_places import FrontedPlaces
from hallascope.metrics.parsing.rules.relations.nesting import Nesting
from hallascope.metrics.parsing.rules.relations.place_movers import RESTING, PlaceMovers
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import SUBJECTS, VERBS
from hallascope.metrics.parsing.words.position_words import (
    BODY_PARTS,
    BUILT_PARTS,
    OPEN_SPACES,
    PATHS,
    WEATHER,
)
from hallascope.metrics.parsing.words.verb_words import (
    HANGING_VERBS,
    LIVING_VERBS,
    POSTURE_VERBS,
    SHOWING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_CLAUSE_STARTS = (";", ":")
_FINITE = ("VBZ", "VBP", "VBD")
_FARTHEST_HOLDER = 3  # steps from a thing to who holds what it is in
_WRITTEN = ("word", "letter", "text", "title", "slogan", "lettering", "date", "caption")


class PlaceSubjects:
    """Finds the subjects of places in a parsed text, which are read in its order."""

    def __init__(self, doc: Doc, index: PhraseIndex, places: PlaceReader) -> None:
        self.doc = doc
        self.index = index
        self.places = places
        self.words = [token.lower_ for token in doc]
        # looked up once: to ask a token for its sentence takes as long as the sentence is
        self.sentence = [number for number, sentence in enumerate(doc.sents) for _ in sentence]
        self.nesting = Nesting(doc, index, places)
        self.resting = self.nesting.resting
        self.movers = PlaceMovers(doc, index, self.nesting)
        self.fronted = FrontedPlaces(doc, index, places)

    def note(self, place: Place, subject: int, anchors: Sequence[int]) -> None:
        """Note who was read to stand at a place."""
        for anchor in anchors:
            self.resting.setdefault(anchor, (subject, place.relation))

    def subjects_at(self, place: Place) -> list[int]:
        """Return who stands before a place: one, or several in a row."""
        subjects = self.movers.put_there(place)
        if not subjects:
            subjects = [self._undisguised(phrase) for phrase in self._subjects_before(place)]
        verb = self.doc[place.start - 1] if place.start else None
        if len(subjects) != 1 or verb is None or verb.pos_ != "VERB":
            return subjects
        return agreeing_row(self.doc, self.index, subjects[0], verb)

    def _is_at_part(self, place: Place) -> bool:
        """Return whether a place is "on the shelf", at a part of furniture or of a building."""
        anchors = self.places.anchors(place, []) if place.has_anchor else []
        is_definite = self.words[place.stop : place.stop + 1] == ["the"]
        return is_definite and bool(anchors) and self.nesting.head_of(anchors[0]) in BUILT_PARTS

    def _is_with(self, nearest: int, place: Place) -> bool:
        """Return whether "with" stands before a thing, and a place behind it."""
        row = row_before(self.doc, self.index, nearest)
        first = self.index.tokens[row[0]].start
        adjoins = self.index.tokens[nearest].stop == place.start
        return adjoins and first > 0 and self.words[first - 1] == "with"

    def _undisguised(self, phrase: int) -> int:
        """Return the puppy of "a puppy dressed as an astronaut floats", else the phrase.

        And of "the web of the spider shimmers" the web.
        """
        whole = self.index.whole_of(phrase)
        stop = self.index.tokens[phrase].stop
        if whole != phrase and self.index.is_thing(whole) and self.doc[stop].tag_ in _FINITE:
            return whole
        first = self.index.tokens[phrase].start
        if first < 2 or self.words[first - 1] != "as" or self.doc[first - 2].tag_ != "VBN":
            return phrase
        before = [at for at in self.index.phrases_before(first - 1) if self.index.is_thing(at)]
        return before[-1] if before else phrase

    def _subjects_before(self, place: Place) -> list[int]:
        before = self._phrases_before(place.start)
        if not before:
            return []
        nearest = before[-1]
        if place.relation in ("background", "foreground") and self._is_with(nearest, place):
            # "planting a flag with the earth in the background"
            return [nearest]
        if not place.has_anchor and self.nesting.head_of(nearest) in _WRITTEN:
            # "the word 'STOP' in red letters at the top"
            return []
        container = self._container(nearest, place)
        if container is not None:
            return [self.movers.mover(container, place)]
        if self.index.is_thing(nearest) and self._adjoins(nearest, place):
            return self._adjoining(nearest, place, before)
        verb = self.doc[self.index.tokens[nearest].stop]
        hangs = verb.lemma_ in HANGING_VERBS and verb.tag_ == "VBG" and verb.i + 1 == place.start
        if hangs and self.index.is_thing(nearest) and not self.nesting.is_living(nearest):
            # "giraffes eating from a basket hanging on a pole"
            return [nearest]
        subject = self.movers.governor(self.doc[place.start])
        is_nearest = (
            self.nesting.is_nested(nearest, place)
            or self.nesting.is_held(nearest, place)
            or self.nesting.is_object_there(nearest, place)
            or self.nesting.is_living_object(nearest, place)
        )
        beside = self._subject_beside(nearest, place)
        if beside is not None:
            subject = beside
        elif is_nearest:
            subject = nearest
        elif subject == nearest:
            subject = self.movers.mover(nearest, place)
        if subject is None or subject not in before or not self.index.is_thing(subject):
            things = [phrase for phrase in before if self.index.is_thing(phrase)]
            subject = things[-1] if things else None
        if subject is None:
            return []
        wearer = self._wearer(subject, before)
        return [wearer] if wearer != subject else self._row_of(subject, place.start)

    def _phrases_before(self, start: int) -> list[int]:
        """Return the phrases before a token in its sentence, or behind a ";" that precedes it."""
        if start and self.words[start - 1] in _CLAUSE_STARTS:
            return []
        first = self._item_start(start)
        return [
            phrase
            for phrase in self.index.phrases_before(start)
            if self.index.tokens[phrase].start >= first
        ]

    def _item_start(self, at: int) -> int:
        """Return the first token of the item of a sentence that a token is in."""
        first = self.sentence.index(self.sentence[at])
        return item_start(self.doc, self.index, first, at)

    # --- a thing right before

    def _adjoining(self, nearest: int, place: Place, before: Sequence[int]) -> list[int]:
        """Return the thing right before a place, what it belongs to, or all of its row."""
        other = self._living_subject(nearest, place)
        if other is None:
            other = self._owner_at(nearest, place, before)
        if other is None:
            other = self._subject_beside(nearest, place)
        if other is not None:
            return [other]
        whole = self.index.whole_of(nearest)
        stop = self.index.tokens[nearest].stop
        if whole != nearest and self.index.is_thing(whole) and self.doc[stop].tag_ in _FINITE:
            # "the roots of a tree snake through the soil"
            nearest = whole
        row = row_before(self.doc, self.index, whole)
        if whole != nearest:
            row = [*row[:-1], nearest]
        if place.has_pronoun and place.relation not in ("in", "on"):
            return [nearest]
        is_shared = place.has_pronoun or not is_led(self.doc, self.index, row)
        return row if is_shared else [self._wearer(nearest, before)]

    def _container(self, nearest: int, place: Place) -> int | None:
        """Return the bowl of "a bowl full of tomatoes next to a plate"."""
        if place.has_pronoun or place.is_possessive or not place.has_anchor:
            return None
        between = self.doc[self.index.tokens[nearest].stop : place.start]
        if not all(token.lemma_ in POSTURE_VERBS for token in between):
            return None
        return container_of(self.doc, self.index, nearest)

    def _adjoins(self, phrase: int, place: Place) -> bool:
        """Return whether only "is" or the like stands between, and no other verb before.

        The position could belong to that verb. Of "a case with coins lies at his feet" the coins
        are not what lies there.
        """
        start = place.start
        between = self.doc[self.index.tokens[phrase].stop : start]
        if not all(token.pos_ in (*VERBS, "ADV", "PRON", "SCONJ") for token in between):
            return False
        # "a television mounted on a wall": a form in -ed may be a participle
        is_finite = (
            len(between) > 0 and between[0].tag_ in _FINITE and not between[0].lower_.endswith("ed")
        )
        if is_finite and is_led(self.doc, self.index, row_before(self.doc, self.index, phrase)):
            return False
        if is_finite and self._has_other_subject(between[0], phrase):
            # "a vase containing a rose sits on a windowsill"
            return False
        if place.has_pronoun or self._is_subject_of(phrase, between):
            return True
        first = self._item_start(start)
        verbs = [
            token
            for token in self.doc[first:start]
            if token.pos_ in VERBS and token not in self.index
        ]
        heads = self.doc[self.index.tokens[phrase].start : self.index.tokens[phrase].stop]
        if any(noun.dep_ == "attr" and noun.head.lemma_ == "be" for noun in heads):
            # "there is a cloud in the sky"
            return True
        return all(
            verb.lemma_ in SHOWING_VERBS or between.start <= verb.i < between.end for verb in verbs
        )

    def _is_subject_of(self, phrase: int, between: Span) -> bool:
        """Return whether a phrase without a noun does what follows: "one of which sits on it"."""
        tokens = self.index.tokens[phrase]
        return bool(self.index.phrases[phrase].reference) and any(
            token.dep_ in SUBJECTS and between.start <= token.head.i < between.end
            for token in self.doc[tokens.start : tokens.stop]
        )

    def _has_other_subject(self, verb: Token, phrase: int) -> bool:
        """Return whether the parser says a verb of another phrase, which agrees in number."""
        subjects = [child for child in verb.children if child.dep_ in SUBJECTS]
        other = self.index.thing_of(subjects[0]) if subjects else None
        if other is None or other >= phrase or verb.tag_ == "VBD":
            return other is not None and other < phrase
        return bool(verb.tag_ == "VBZ") != self.index.phrases[other].plural

    def _living_subject(self, nearest: int, place: Place) -> int | None:
        """Return of "people under an umbrella standing in the rain" the people."""
        stop = self.index.tokens[nearest].stop
        verb = self.doc[stop]
        if stop == place.start or verb.tag_ != "VBG" or is_animate(self.index.phrases[nearest]):
            return None
        may_rest = verb.lemma_ in LIVING_VERBS or self.nesting.head_of(nearest) in BODY_PARTS
        return self._living_holder(nearest, may_rest)

    def _living_holder(self, phrase: int, may_rest: bool) -> int | None:
        """Return the dog of "a dog with a ball in its mouth running through the grass"."""
        for _ in range(_FARTHEST_HOLDER):
            holder = self.owner_of(phrase)
            if holder is None and may_rest:
                holder = self.resting.get(phrase, (None, ""))[0]
            if holder is None or self.nesting.is_living(holder):
                return holder
            phrase = holder
        return None

    def _owner_at(self, nearest: int, place: Place, before: Sequence[int]) -> int | None:
        """Return of "a wall with a bench in a park" the wall.

        What is in a room or on a street has its own place, as has what a pronoun leads back from.
        """
        is_own = self.nesting.has_possessive(nearest)
        if is_own and self.nesting.head_of(nearest) in BODY_PARTS:
            # "asleep with her head on a backpack"
            return None
        is_resting = place.relation in RESTING
        if not is_resting or place.is_possessive or place.has_pronoun:
            return None
        if self.index.tokens[nearest].stop != place.start:
            return None
        if self.nesting.has_possessive(nearest) and self.nesting.head_of(nearest) in BODY_PARTS:
            # "a cat with its paw on a mouse"
            return None
        if self._is_at_part(place) and not self.nesting.is_living(self.owner_of(nearest)):
            # "a bookcase with a globe on the top shelf"
            return None
        row = row_before(self.doc, self.index, nearest)
        is_bare = self.doc[self.index.tokens[nearest].start].pos_ not in ("DET", "NUM", "PRON")
        owner = self.owner_of(nearest if len(row) == 1 or not is_bare else row[0])
        with_at = self.index.tokens[nearest if owner == nearest - 1 else row[0]].start - 1
        if (
            owner is None
            or self.nesting.is_scene(owner)
            or self.words[with_at] not in ("with", "of")
        ):
            return None
        return self._wearer(owner, before)

    def _subject_beside(self, nearest: int, place: Place) -> int | None:
        """Return of "a hydrant on a sidewalk next to a car" the hydrant.

        "On a beach next to the ocean" says where the beach is.
        """
        if nearest not in self.resting:
            return None
        is_mist = wordnet.is_kind_of(self.nesting.head_of(nearest), "physical phenomenon", "air")
        if place.has_pronoun and is_mist:
            # "balloons in the fog behind it"
            return self.resting[nearest][0]
        if not place.has_anchor and place.relation in ("left of", "right of"):
            # "two pelicans on a post to the right"
            rests, how = self.resting[nearest]
            return rests if how == "on" and rests < nearest else None
        if place.relation in ("in", "at") and self.nesting.has_possessive(nearest):
            # "on her board in the snow"
            return self.resting[nearest][0]
        if self.index.tokens[nearest].stop != place.start or place.has_pronoun:
            return None
        resting, relation = self.resting[nearest]
        is_carried = self.nesting.is_ridden(nearest) and self.nesting.is_living(resting)
        is_floating = relation == "on" and self._is_water(place)
        if is_floating and not self.nesting.is_landmark(nearest):
            # "a woman on a mattress in a pool"
            return resting
        if self.nesting.head_of(nearest) in OPEN_SPACES or (is_carried and relation == "on"):
            # "kites in the sky above a beach", "people on surfboards in the ocean"
            return resting
        anchors = self.places.anchors(place, [])
        if place.relation == "in" and anchors and self.nesting.head_of(anchors[0]) in WEATHER:
            # "at a bus stop in the rain"
            return resting
        if place.relation in ("in", "on", "at"):
            # "a toilet next to a sink in a bathroom"
            is_of_both = place.relation == "in" and relation in ("next to", "against")
            is_scene = bool(anchors) and self.nesting.is_scene(anchors[0])
            is_apart = not self.nesting.is_landmark(nearest)
            return resting if is_of_both and is_scene and is_apart else None
        if place.relation == "next to":
            is_of_scene = not anchors or self.nesting.is_landmark(anchors[0])
            is_beside = self.nesting.is_scene(nearest) and not is_of_scene
        else:
            # "a swan on a river in front of a boat"
            is_beside = self.nesting.is_landmark(nearest) and place.relation not in PATHS
        return self.resting[nearest][0] if is_beside else None

    def _is_water(self, place: Place) -> bool:
        """Return whether a place is in water: "in the middle of a pool"."""
        anchors = self.places.anchors(place, []) if place.relation == "in" else []
        head = self.nesting.head_of(anchors[0]) if anchors else ""
        return head == "pool" or wordnet.is_kind_of(head, "body of water")

    def owner_of(self, phrase: int) -> int | None:
        """Return what has a thing that stands behind "with": "a wall" of "with a bench"."""
        first = self.index.tokens[phrase].start
        if first < 2 or phrase == 0:
            return None
        is_full = self.words[first - 2 : first] == ["full", "of"]
        if self.words[first - 1] not in ("with", "has", "have") and not is_full:
            return None
        owner = phrase - 1
        adjoins = self.index.tokens[owner].stop == first - 1 - is_full
        return owner if adjoins and self.index.is_thing(owner) else None

    # --- a verb before

    def _row_of(self, subject: int, start: int) -> list[int]:
        """Return a subject with those in a row with it that stand before a token."""
        heads = self.doc[self.index.tokens[subject].start : self.index.tokens[subject].stop]
        if any(noun.dep_ in SUBJECTS and noun.head.tag_ == "VBZ" for noun in heads):
            return [subject]
        row = whole_row(self.doc, self.index, subject)
        row = [phrase for phrase in row if self.index.tokens[phrase].stop <= start]
        return [subject] if is_led(self.doc, self.index, row) else row

    # --- kinds of things

    def _wearer(self, phrase: int, before: Sequence[int]) -> int:
        """Return of "a man in a suit" and "a man wearing a suit" the man, else the phrase."""
        is_worn = (
            phrase in before[1:]
            and is_garment(self.index.phrases[phrase])
            and self.words[self.index.tokens[phrase].start - 1] in ("in", "wearing", "with")
        )
        return before[before.index(phrase) - 1] if is_worn else phrase
