"""Finds what a verb or a place is said of, by the tree and, where it errs, by the words' order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hallascope.metrics.reading.rules.coordination import is_led, row_before, whole_row
from hallascope.metrics.reading.rules.elements import SUBJECTS, Parse
from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.lists import NOUNS, VERBS, is_garment, is_living

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_FARTHEST = 5  # dependencies between a verb and its subject
_GROUNDS = NOUNS["scene"] | NOUNS["landmark"]
_FIXED = _GROUNDS | (NOUNS["seat"] - NOUNS["ridden"])
# where somebody is, and not what somebody holds
_AROUND_ALL = _GROUNDS | NOUNS["weather"] | NOUNS["open_space"]
_PATHS = ("around", "past", "through", "along", "across", "toward", "down", "up")
_FINITE = ("VBZ", "VBP", "VBD")
_PREDICATE = ("VERB", "AUX", "ADV", "PRON", "SCONJ")
_RESTING = ("on", "in", "at", "around", "along", "through", "outside", "against")


class Place(NamedTuple):
    """The tokens that say a place, its relation, and the noun of what it is at ("" for none)."""

    first: int
    stop: int
    relation: str
    target_noun: str
    has_pronoun: bool


class Subjects:
    """Finds subjects; `places` has for each object the last subject that is at it, and how."""

    def __init__(self, parse: Parse) -> None:
        self.parse = parse
        self.places: dict[int, tuple[int, str]] = {}

    def of_verb(self, verb: Token) -> list[int]:
        """Return what a verb is said of, one object or several in a row."""
        clause = verb
        for _ in range(_FARTHEST):
            for child in clause.children:
                if child.dep_ in SUBJECTS:
                    subject = self.parse.object_at(child.i)
                    return [] if subject is None else self._row(subject, verb)
            if clause.dep_ in ("acl", "relcl", "amod"):
                noun = self.parse.object_at(clause.head.i)
                return [] if noun is None else self._row(self._doer(noun, verb), verb)
            is_joined = clause.dep_ in ("conj", "advcl", "xcomp", "ccomp", "pcomp", "prep", "dep")
            if not is_joined or clause.head.i == clause.i:
                break
            clause = clause.head
            noun = self.parse.object_at(clause.i)
            if noun is not None and not (clause.dep_ == "dobj" and not self.is_living(noun)):
                return self._row(noun, verb)
        before = self.parse.objects_before(verb.i, verb.sent.start)
        adjoins = before and self.parse.phrases[before[-1]].stop == verb.i
        return self._row(before[-1], verb) if adjoins else []

    def is_living(self, at: int) -> bool:
        """Return whether a phrase names a person or an animal."""
        return is_living(self.parse.noun(at))

    def _doer(self, noun: int, verb: Token) -> int:
        """Return of "a woman at a desk using a computer" the woman, else the noun."""
        is_passive = verb.tag_ == "VBN" and verb.lemma_ not in VERBS["dressing"]
        if is_passive or self.is_living(noun):
            return noun
        subject, relation = self.places.get(noun, (noun, ""))
        is_of_living = relation in _RESTING or verb.lemma_ in VERBS["holding"] | VERBS["looking"]
        if is_of_living and self.is_living(subject):
            return subject
        phrase = self.parse.phrases[noun]
        living = [at for at in self.parse.objects_before(phrase.first) if self.is_living(at)]
        is_worn = is_garment(phrase.noun) or self.parse.word(phrase.first - 1) == "with"
        return living[-1] if living and is_worn else noun

    def _row(self, subject: int, verb: Token) -> list[int]:
        row = [at for at in whole_row(self.parse, subject) if self.parse.phrases[at].stop <= verb.i]
        is_singular = verb.tag_ == "VBZ" or any(
            child.tag_ == "VBZ" or child.lower_ == "was" for child in verb.lefts
        )
        if subject not in row or is_singular or is_led(self.parse, row):
            return [subject]
        return row

    # --- of a place

    def of_place(self, place: Place) -> list[int]:
        """Return what a place is said of."""
        parse = self.parse
        sentence = parse.doc[place.first].sent.start
        before = parse.objects_before(place.first, sentence)
        if not before:
            return []
        nearest = before[-1]
        between = parse.doc[parse.phrases[nearest].stop : place.first]
        is_finite = len(between) > 0 and between[0].tag_ in _FINITE
        if place.has_pronoun:
            self._look_back(nearest, place.stop)
        if all(token.pos_ in _PREDICATE for token in between):
            verbs = [
                token
                for token in parse.doc[sentence : place.first]
                if token.pos_ == "VERB" and token.i not in parse.by_token
            ]
            is_plain = all(
                verb.lemma_ in VERBS["showing"] or verb.i >= between.start for verb in verbs
            )
            is_other = is_finite and is_led(parse, row_before(parse, nearest))
            if place.has_pronoun or (is_plain and not is_other):
                return self._adjoining(nearest, between, place)
        if not len(between) and self._is_own(nearest, place):
            return [nearest]
        subject = self._governor(place)
        if not subject or subject[0] not in before:
            return [nearest]
        return self._adjoining(nearest, between, place) if subject[0] == nearest else subject

    def _look_back(self, nearest: int, pronoun: int) -> None:
        """Let "it" of "a bed with a laptop on it" stand for the bed, and never for the laptop."""
        parse, referents = self.parse, self.parse.referents
        first = parse.phrases[row_before(parse, nearest)[0]].first
        is_had = parse.word(first - 1) == "with"
        first = first if is_had else parse.phrases[nearest].first
        holder = parse.by_token.get(first - 2)
        if is_had and holder is not None and parse.is_object(holder):
            referents[pronoun] = holder
        elif referents[pronoun] == nearest:
            before = parse.objects_before(first)
            referents[pronoun] = before[-1] if before else nearest

    def _governor(self, place: Place) -> list[int]:
        """Return what a place depends on: a noun, or the subject of a verb."""
        head = self.parse.doc[place.first]
        for _ in range(_FARTHEST):
            if head.head.i == head.i:
                return []
            head = head.head
            at = self.parse.object_at(head.i)
            is_held = (
                head.dep_ == "dobj"
                and place.target_noun in _AROUND_ALL
                and not self.is_living(at or 0)
            )
            if at is not None and self.parse.phrases[at].first < place.first and not is_held:
                return [at]
            if head.pos_ in ("VERB", "AUX"):
                return self.of_verb(head)
        return []

    def _is_own(self, nearest: int, place: Place) -> bool:
        """Return whether the object right before has the place, whatever the verb before says."""
        noun, target = self.parse.noun(nearest), place.target_noun
        is_dobj = self.parse.doc[self.parse.phrases[nearest].head].dep_ == "dobj"
        if place.has_pronoun or not target:
            return False
        whose = self.parse.doc[place.stop]
        is_body_part = target in NOUNS["body_part"] or wordnet.is_kind_of(target, "body part")
        if is_body_part and (whose.tag_ == "PRP$" or whose.lower_ == "both"):
            # "women with glasses in their hands"
            return is_dobj or self.parse.word(self.parse.phrases[nearest].first - 1) == "with"
        if is_dobj and self.parse.word(place.first) in ("into", "onto"):
            return True
        if is_dobj and place.relation == "in":
            return target in NOUNS["holder"] or wordnet.is_kind_of(target, "container")
        if is_dobj and place.relation == "on":
            return target not in NOUNS["scene"] | NOUNS["landmark"] | NOUNS["seat"]
        if place.relation == "next to":
            return noun in _FIXED and target in NOUNS["scene"] | NOUNS["landmark"]
        if nearest not in self.places or noun in NOUNS["ridden"] | NOUNS["body_part"]:
            return False
        is_on = self.places[nearest][1] == "on"
        return place.relation == "on" or (place.relation == "in" and is_on)

    def _adjoining(self, nearest: int, between: Span, place: Place) -> list[int]:
        """Return the object right before a place, or what that is at or belongs to."""
        parse = self.parse
        row = row_before(parse, nearest)
        first = parse.phrases[row[0]].first
        resting, how = self.places.get(nearest, (None, ""))
        is_doing = len(between) > 0 and between[0].tag_ == "VBG" and not self.is_living(nearest)
        if is_doing and resting is not None and self.is_living(resting):
            return [resting]
        is_adjoining = not place.has_pronoun and not len(between)
        if (
            resting is not None
            and is_adjoining
            and self._is_of_resting(nearest, resting, how, place)
        ):
            return [resting]
        if parse.word(first - 1) in ("of", "with", "by", "in") and self._is_content(first):
            # "a bowl full of tomatoes next to a plate"
            return parse.objects_before(first - 1)[-1:]
        owner = self._owner(row, nearest, between, place)
        if owner is not None and not place.has_pronoun:
            return [owner]
        return row if place.has_pronoun or not is_led(parse, row) else [nearest]

    def _is_content(self, first: int) -> bool:
        """Return whether "full of" or "topped with" stands before a token."""
        before = self.parse.doc[first - 2] if first > 1 else self.parse.doc[first]
        return before.lower_ == "full" or (
            before.lemma_ in VERBS["covering"] | VERBS["filling"] and before.tag_ == "VBN"
        )

    def _owner(self, row: list[int], nearest: int, between: Span, place: Place) -> int | None:
        """Return who wears or has what stands right before a place: "a man in a suit on"."""
        first = self.parse.phrases[row[0]].first
        led_by = self.parse.word(first - 1)
        owner = self.parse.by_token.get(first - 2)
        if led_by not in ("with", "in", "wearing") or not self.parse.is_object(owner):
            return None
        noun = self.parse.noun(nearest)
        has_place = led_by == "with" and place.relation in _RESTING
        if is_garment(noun) or (has_place and not len(between) and noun not in NOUNS["body_part"]):
            return owner
        is_doing = len(between) > 0 and between[0].tag_ == "VBG" and not self.is_living(nearest)
        return owner if is_doing and owner is not None and self.is_living(owner) else None

    def _is_of_resting(self, nearest: int, resting: int, how: str, place: Place) -> bool:
        """Return whether what is at `nearest` is at a second place, too.

        "A hydrant on a sidewalk next to a car": the hydrant. "Kites in the sky above a beach".
        """
        noun, relation = self.parse.noun(nearest), place.relation
        if noun in NOUNS["open_space"] or place.target_noun in NOUNS["weather"]:
            return True
        if noun in NOUNS["ridden"] and self.is_living(resting):
            return True
        if relation in ("in", "on", "at"):
            return relation == "in" and how in ("next to", "against") and noun not in _GROUNDS
        if relation == "next to":
            return noun in NOUNS["scene"] and place.target_noun not in _GROUNDS
        return noun in _GROUNDS and relation not in _PATHS
