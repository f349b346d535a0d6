"""Finds who does what a verb says, and who has what stands behind "with"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate, is_person
from hallascope.metrics.parsing.parsed import Position
from hallascope.metrics.parsing.rules.coordination import (
    agreeing_row,
    container_of,
    is_led,
    row_after,
    whole_row,
)
from hallascope.metrics.parsing.rules.noun_phrases.of_phrases import is_holder
from hallascope.metrics.parsing.rules.relations.clause_items import item_start
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import SUBJECTS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.position_words import BODY_PARTS, LANDMARKS, SCENES
from hallascope.metrics.parsing.words.verb_words import (
    DRESSING_VERBS,
    HOLDING_VERBS,
    INSTRUMENT_VERBS,
    LOOKING_VERBS,
    MOTION_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

# "a fox and a hare sit on a wall, each wearing a hat"
_DISTRIBUTIVE = ("each", "both", "all")
# a landscape or a building does these
_OF_PLACES = wordset("face overlook border surround line contain have feature cover fill show lead")
_TOOLS = ("implement", "cutlery", "tool", "utensil")
_PORTABLE = ("container", "clothing", "equipment", "toy", "canopy", "board", "ski", "pole")
_CARRIED = wordset("kite umbrella camera board racket racquet luggage baggage bike phone")
_FARTHEST = 4  # verbs in a row between a verb and its subject
# what stands there may do something, and what it stands at does not
_RESTING = ("on", "in", "at", "around", "along", "through", "outside", "against")
_BESIDE = ("next to", "behind", "in front of", "left of", "right of", "above", "below")


class AgentFinder:
    """Finds the subjects of verbs in a parsed text."""

    def __init__(self, doc: Doc, index: PhraseIndex, positions: Sequence[Position]) -> None:
        self.doc = doc
        self.index = index
        # who is at a thing, and how
        self.places = {
            position.anchor: (position.subject, position.relation)
            for position in reversed(positions)
            if position.anchor is not None and position.subject < position.anchor
        }

        self.placed = {(position.subject, position.anchor) for position in positions}

    def subjects(self, verb: Token) -> list[int]:
        """Return what a verb is said of, one or several in a row.

        It is its subject, or the noun it describes, or the subject of the verb it is in a row with.
        """
        clause = verb
        agreeing = verb
        for _ in range(_FARTHEST):
            for child in clause.children:
                is_row = child.lower_ in _DISTRIBUTIVE and child not in self.index
                if child.dep_ in SUBJECTS and not is_row:
                    return self._subject_row(child, agreeing)
                if is_row and clause.head.pos_ == "VERB":
                    agreeing = clause.head
            nearest = self._adjoining_thing(clause)
            if clause.dep_ == "acl" and nearest is not None:
                return [nearest]
            first = self._first_before_comma(clause)
            if first is not None:
                return [first]
            if clause.dep_ in ("acl", "relcl", "amod"):
                return self._row(self._doer(self.index.thing_of(clause.head), verb), verb)
            is_joined = clause.dep_ in ("conj", "advcl", "xcomp", "ccomp") or (
                # "sitting at a table eating lunch"
                clause.tag_ == "VBG" and clause.dep_ in ("prep", "pcomp", "dep")
            )
            if not is_joined or clause.head.i == clause.i:
                return []
            clause = clause.head
            if clause in self.index:
                noun = self.index.thing_of(clause)
                is_object = clause.dep_ == "dobj" and clause.head.pos_ == "VERB"
                if is_object and noun is not None and not self.is_animate(noun):
                    # "friends eating pizza and drinking beer"
                    clause = clause.head
                    continue
                return self._row(noun, verb)
        return []

    def _first_before_comma(self, verb: Token) -> int | None:
        """Return of "a stall with melons and no apples, run by an old man" the stall.

        A participle behind a comma is said of what begins the item before it.
        """
        before = self.doc[max(verb.i - 1, 0)].text
        if verb.tag_ != "VBN" or verb.dep_ not in ("acl", "advcl") or before != ",":
            return None
        start = item_start(self.doc, self.index, verb.sent.start, verb.i - 1)
        first = next((at for at in range(len(self.index.tokens)) if self._is_at(at, start)), None)
        if first is None or self.index.tokens[first].start >= verb.i:
            return None
        described = self.index.phrase_of(verb.head)
        is_object = verb.head.dep_ in ("dobj", "pobj")
        if described is not None and self.index.phrases[described].absent:
            return self.index.thing_of(verb.sent.root)
        return first if is_object else None

    def _is_at(self, phrase: int, start: int) -> bool:
        """Return whether a phrase is a thing that begins at a token or behind it."""
        return self.index.tokens[phrase].start >= start and self.index.is_thing(phrase)

    def _adjoining_thing(self, verb: Token) -> int | None:
        """Return of "a dog in a basket lined with a blanket" the basket."""
        before = list(self.index.phrases_before(verb.i))
        if not before or verb.lemma_ in DRESSING_VERBS:
            return None
        nearest = before[-1]
        if verb.tag_ == "VBG":
            # "a game with the batter waiting for the ball"
            is_beside = self.index.tokens[nearest].stop == verb.i and self.is_animate(nearest)
            governor = self.index.thing_of(verb.head)
            is_of_other = governor is not None and not self.is_animate(governor)
            return nearest if is_beside and is_of_other else None
        if verb.tag_ != "VBN":
            return None
        adjoins = self.index.tokens[nearest].stop == verb.i and nearest in self.places
        is_thing = self.index.is_thing(nearest) and not self.is_animate(nearest)
        return nearest if adjoins and is_thing else None

    def passive_agents(self, verb: Token) -> list[int]:
        """Return who does it, where a passive says so: "ridden by a man"."""
        if verb.tag_ != "VBN":
            return []
        for child in verb.children:
            if child.lower_ == "by" and child.dep_ in ("agent", "prep"):
                for noun in child.children:
                    thing = self.index.thing_of(noun) if noun.dep_ == "pobj" else None
                    if thing is not None:
                        return row_after(self.doc, self.index, thing)
        return []

    def holders(self, preposition: Token) -> list[int]:
        """Return who has what stands behind "with": the noun right before, else the subject."""
        head = preposition.head
        before = list(self.index.phrases_before(preposition.i))
        nearest = before[-1] if before else None
        adjoins = nearest is not None and self.index.tokens[nearest].stop == preposition.i
        carrier = self._carrier(nearest, preposition) if nearest is not None and adjoins else None
        if carrier is None and nearest is not None and adjoins:
            # "a table full of food with people around it"
            carrier = container_of(self.doc, self.index, nearest)
        if carrier is not None:
            return [carrier]
        if nearest is not None and adjoins and nearest in self.places:
            subject, relation = self.places[nearest]
            companion = self.index.by_first_token.get(preposition.i + 1)
            is_worn = companion is not None and is_garment(self.index.phrases[companion])
            if is_worn and self.is_animate(subject) and not self.is_animate(nearest):
                # "a woman in front of a laptop with headphones on"
                return [subject]
            if self._has_possessive_behind(preposition):
                # "a horse in a field with her rider"
                return [subject]
            if relation in _BESIDE or self._has_part_behind(nearest, preposition):
                # "a man behind a truck with a trailer", "on a boat with the mast down"
                return [nearest]
        if self._is_with_subject(preposition):
            return self.subjects(head.head)
        if head.pos_ == "VERB":
            is_filled = nearest is not None and adjoins and self._holds(nearest, preposition)
            return [nearest] if nearest is not None and is_filled else self.subjects(head)
        if preposition.lower_ == "with" and head.head.lemma_ in INSTRUMENT_VERBS:
            return self.subjects(head.head)
        if head.pos_ == "ADJ" and head not in self.index:
            # "a basket full of apples"
            before = [at for at in self.index.phrases_before(head.i) if self.index.is_thing(at)]
            return before[-1:]
        thing = self.index.thing_of(head)
        if thing is None and head in self.index:
            # "the front of a restaurant with umbrellas", "a table set for dinner with candles"
            return [at for at in before if self.index.is_thing(at)][-1:]
        return [] if thing is None else [thing]

    def _holds(self, container: int, preposition: Token) -> bool:
        """Return whether a container has it: "holding a plate with a cake", not "with one hand"."""
        following = self.index.by_first_token.get(preposition.i + 1)
        is_body_part = following is not None and self.index.phrases[following].head in BODY_PARTS
        return is_holder(self.index.phrases[container].head) and not is_body_part

    def holders_of(self, thing: int, preposition: Token) -> list[int]:
        """Return the plate of "a man holding a plate with a face drawn on it"."""
        before = list(self.index.phrases_before(preposition.i))
        return before[-1:] if before and (thing, before[-1]) in self.placed else []

    def has_animate_subject(self, verb: Token) -> bool:
        """Return whether a person or an animal does what a verb says."""
        return any(self.is_animate(subject) for subject in self.subjects(verb))

    def is_animate(self, phrase: int) -> bool:
        """Return whether a phrase names a person or an animal."""
        return is_animate(self.index.phrases[phrase])

    def _has_possessive_behind(self, preposition: Token) -> bool:
        following = preposition.i + 1
        return following < len(self.doc) and bool(self.doc[following].tag_ == "PRP$")

    def _has_part_behind(self, nearest: int, preposition: Token) -> bool:
        """Return whether "with the mast" follows a vehicle."""
        following = preposition.nbor(1) if preposition.i + 1 < len(self.doc) else None
        is_vehicle = wordnet.is_kind_of(self.index.phrases[nearest].head, "conveyance")
        return is_vehicle and following is not None and following.lower_ == "the"

    def _is_with_subject(self, preposition: Token) -> bool:
        """Return whether what follows "with" is not of the thing before, but of who uses that.

        "A man eating a hot dog with people around him" has them, and "a woman cutting a cake with a
        knife" the knife.
        """
        companion = self.index.by_first_token.get(preposition.i + 1)
        head = preposition.head
        thing = self.index.thing_of(head)
        if companion is None or thing is None or self.is_animate(thing):
            return False
        if head.dep_ != "dobj" or head.head.pos_ != "VERB":
            return False
        is_tool = wordnet.is_kind_of(self.index.phrases[companion].head, *_TOOLS)
        is_food = wordnet.is_kind_of(self.index.phrases[thing].head, "food")
        return is_person(self.index.phrases[companion]) or (is_tool and is_food)

    def _carrier(self, nearest: int, preposition: Token) -> int | None:
        """Return who stands in a landscape and has what is behind "with".

        "Three boys on a dock with fishing poles", but "a house on a street with trees".
        """
        carried = self.index.by_first_token.get(preposition.i + 1)
        is_ground = self.index.phrases[nearest].head in SCENES | LANDMARKS
        if carried is None or not is_ground:
            return None
        head = self.index.phrases[carried].head
        if head not in _CARRIED and not wordnet.is_kind_of(head, *_TOOLS, *_PORTABLE):
            return None
        living = [phrase for phrase in range(nearest) if self.is_animate(phrase)]
        return living[-1] if living else None

    def _doer(self, noun: int | None, verb: Token) -> int | None:
        """Return of "a woman at a desk using a computer" the woman, else the noun.

        "A bed covered with clothing", though, is the bed, whoever sits on it.
        """
        is_passive = verb.tag_ == "VBN" and verb.lemma_ not in DRESSING_VERBS
        if noun is None or is_passive or self.is_animate(noun):
            return noun
        resting, relation = self.places.get(noun, (noun, ""))
        # "a man in front of a whiteboard holding a marker"
        is_of_living = relation in _RESTING or verb.lemma_ in HOLDING_VERBS | LOOKING_VERBS
        if is_of_living and self.is_animate(resting):
            return resting
        is_ground = self.index.phrases[noun].head in SCENES | LANDMARKS
        is_of_ground = verb.tag_ != "VBG" or verb.lemma_ in MOTION_VERBS | _OF_PLACES
        if is_garment(self.index.phrases[noun]) or (is_ground and not is_of_ground):
            # "soldiers marching down a street carrying flags"
            living = [phrase for phrase in range(noun) if self.is_animate(phrase)]
            return living[-1] if living else noun
        is_companion = self.doc[self.index.tokens[noun].start - 1].lower_ == "with"
        is_part = self.index.phrases[noun].head in BODY_PARTS
        if is_companion and noun and (is_part or self.is_animate(noun - 1)):
            # "a player with a racket hitting the ball"
            return noun - 1
        return noun

    def _subject_row(self, subject: Token, verb: Token) -> list[int]:
        """Return a subject with those in a row with it, and those that the parser joins to it.

        "A woman in a coat and a man in a hat watch the waves."
        """
        row = self._row(self._disguised(self.index.thing_of(subject)), verb)
        if len(row) != 1 or verb.tag_ not in ("VBP", "VB", "VBG"):
            return row
        joined = (self.index.thing_of(token) for token in subject.conjuncts if token.i < verb.i)
        others = [thing for thing in joined if thing is not None and thing not in row]
        is_plural = verb.tag_ != "VBG" or any(child.lower_ == "are" for child in verb.lefts)
        if others and is_plural:
            return [*others, *row]
        return agreeing_row(self.doc, self.index, row[0], verb)

    def _disguised(self, subject: int | None) -> int | None:
        """Return of "a hedgehog dressed as a postman is pushing a cart" the hedgehog."""
        first = self.index.tokens[subject].start if subject is not None else 0
        if subject is None or first < 2 or self.doc[first - 1].lower_ != "as":
            return subject
        before = [at for at in self.index.phrases_before(first - 1) if self.index.is_thing(at)]
        return before[-1] if before and self.doc[first - 2].tag_ == "VBN" else subject

    def _row(self, subject: int | None, verb: Token) -> list[int]:
        """Return a subject with those in a row with it, where a verb is said of all of them."""
        if subject is None:
            return []
        row = whole_row(self.doc, self.index, subject)
        row = [phrase for phrase in row if self.index.tokens[phrase].stop <= verb.i]
        is_singular = verb.tag_ == "VBZ" or any(
            child.tag_ == "VBZ" or child.lower_ == "was" for child in verb.lefts
        )
        if subject not in row or is_singular or is_led(self.doc, self.index, row):
            return [subject]
        return row
