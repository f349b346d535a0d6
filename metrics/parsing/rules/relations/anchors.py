"""Finds the words that say a place, and what they are said of, the anchors.

"Next to the dog and the cat" has two anchors, "at the edge of the lake" the lake, "behind it" what
the pronoun stands for, and "on the left" none: it is a place in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.rules.coordination import (
    container_of,
    has_own_predicate,
    is_led,
    pair_after,
    row_after,
    row_before,
)
from hallascope.metrics.parsing.rules.noun_phrases.of_phrases import is_holder
from hallascope.metrics.parsing.rules.references.pronouns import find_antecedent, parts_before
from hallascope.metrics.parsing.rules.wearing import is_cloth
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import SUBJECTS, VERBS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.number_words import number_value
from hallascope.metrics.parsing.words.position_words import (
    BODY_PARTS,
    FORMATIONS,
    OTHER_RELATIONS,
    PATHS,
    PICTURE_PLACES,
    PLACE_ADVERBS,
    TIMES,
    longest_spelling,
    spellings,
)
from hallascope.metrics.parsing.words.verb_words import (
    COVERING_VERBS,
    DONE_AT,
    DRAPING_VERBS,
    MOTION_VERBS,
    OBJECT_PREPOSITIONS,
    POSTURE_VERBS,
    RESTING_VERBS,
    STATE_VERBS,
    WITH_THEIR_VERB,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_PRONOUNS = wordset("""
    it them him her itself themselves himself herself one me us you which
    whom""")
# what lies at the bottom of these is in them
_HOLLOW = ("body of water", "container", "vessel", "pit")
_CHOSEN = ("some", "each", "both", "all", "many", "several")
_POSSESSIVES = wordset("its his her their")
_FRAMES = wordset("image picture photo photograph painting frame scene screen view composition")


@dataclass(frozen=True)
class Place:
    """The tokens that say a place, and its relation.

    `has_anchor`: what it is said of follows, a pronoun where `has_pronoun`. `is_possessive`: its
    words or its anchor begin with "its", "his" or the like.
    """

    start: int
    stop: int
    relation: str
    has_anchor: bool
    has_pronoun: bool
    is_possessive: bool


class PlaceReader:
    """Finds places in a parsed text, and their anchors."""

    def __init__(self, doc: Doc, index: PhraseIndex) -> None:
        self.doc = doc
        self.index = index
        self.words = [token.lower_ for token in doc]

    # --- the words

    def place_at(self, start: int) -> Place | None:
        """Return the place whose words begin at a token, the longest; none within a name."""
        for stop in range(min(start + longest_spelling(), len(self.words)), start, -1):
            spelling = spellings().get(tuple(self.words[start:stop]))
            if spelling is None or not self._may_spell(start, stop, spelling.has_anchor):
                continue
            if self._belongs_to_verb(start, stop, spelling.relation):
                return None
            if spelling.has_anchor and (framed := self._place_in_frame(start, stop)) is not None:
                return framed
            following = self.words[stop] if stop < len(self.words) else ""
            is_of = self.words[stop + 1 : stop + 2] == ["of"]
            is_framed = self.words[stop + 2 : stop + 3] == ["of"]
            owner = self.words[stop + 3] if is_framed and self._is_of_body(stop + 4) else ""
            has_pronoun = spelling.has_anchor and following in _PRONOUNS and not is_of
            return Place(
                start,
                stop,
                self._relation_at(start, spelling.relation),
                spelling.has_anchor,
                has_pronoun and stop not in self.index.by_first_token,
                following in _POSSESSIVES
                or not _POSSESSIVES.isdisjoint((*self.words[start:stop], owner)),
            )
        return None

    def _is_of_body(self, at: int) -> bool:
        """Return whether a word names a part of the body: "on the back of his head"."""
        return at < len(self.words) and self.words[at] in BODY_PARTS

    def _relation_at(self, start: int, relation: str) -> str:
        """Return the relation; "on" for "over" in "a blanket draped over a chair".

        At the bottom of the sea is in it.
        """
        if self.words[start : start + 4] == ["at", "the", "bottom", "of"]:
            anchor = self._anchor(start + 4)
            head = "" if anchor is None else self.index.phrases[anchor].head
            return "in" if wordnet.is_kind_of(head, *_HOLLOW) else relation
        if self.words[start : start + 3] == ["coming", "out", "of"]:
            # flowers stay in their vase
            anchor = self._anchor(start + 3)
            is_holding = anchor is not None and is_holder(self.index.phrases[anchor].head)
            return "in" if is_holding else relation
        verb = self.doc[start - 1] if start else None
        is_draped = verb is not None and verb.lemma_ in DRAPING_VERBS
        if verb is not None and verb.lemma_ == "hang":
            # a towel is on what it hangs over, a lamp above it
            before = [*self.index.phrases_before(start)][-1:]
            is_draped = any(is_cloth(self.index.phrases[phrase]) for phrase in before)
        return "on" if self.words[start] == "over" and is_draped else relation

    def _may_spell(self, start: int, stop: int, has_anchor: bool) -> bool:
        """Return whether words say a place where they stand."""
        if not has_anchor:
            last = self.index.by_token.get(stop - 1)
            if last is not None and self.index.by_token.get(stop) == last:
                # "on the top shelf"
                return False
            return self.words[stop : stop + 1] != ["of"] or self._is_of_frame(stop)
        token = self.doc[start]
        if stop - start > 1:
            return True
        is_particle = token.tag_ == "RP" and token.lower_ not in PATHS
        if token in self.index or is_particle:
            return False
        return token.lower_ != "by" or self._is_place_by(token)

    def _is_of_frame(self, at: int) -> bool:
        """Return whether "of the image" stands at a token."""
        return not _FRAMES.isdisjoint(self.words[at + 1 : at + 3])

    def _place_in_frame(self, start: int, stop: int) -> Place | None:
        """Return "on the left of the image" as a place in the picture."""
        frame = self.index.by_first_token.get(stop)
        if frame is None or self.index.is_thing(frame):
            return None
        if self.index.phrases[frame].head not in _FRAMES:
            return None
        place = picture_place(self.words[start:stop])
        if not place:
            return None
        return Place(start, self.index.tokens[frame].stop, place, False, False, False)

    def _is_place_by(self, by: Token) -> bool:
        """Return whether "by" is "next to": "a house by the lake", not "painted by a man"."""
        before = self.doc[by.i - 1] if by.i else None
        following = self.index.by_first_token.get(by.i + 1)
        if before is None or following is None:
            return False
        if before.lemma_ in RESTING_VERBS:
            return True
        posture = before.head
        is_lying = posture.pos_ == "VERB" and posture.lemma_ in POSTURE_VERBS
        if before.tag_ == "VBN" and is_lying and posture.i < before.i:
            # "a bike lies overturned by a hydrant"
            return not is_animate(self.index.phrases[following])
        is_done = before.tag_ in ("VBN", "VBD") or by.dep_ == "agent"
        framed = self.index.phrase_of(before)
        is_made = framed is not None and not self.index.is_thing(framed)
        return not (is_done or is_made) and self.doc[by.i + 1].pos_ in ("DET", "PRON")

    def _belongs_to_verb(self, start: int, stop: int, relation: str) -> bool:
        """Return whether a preposition is a verb's own: "writing on a notepad"."""
        if self.words[start:stop] == ["out", "of"]:
            # "eating out of a bowl"
            return self.doc[start].head.lemma_ in OBJECT_PREPOSITIONS["out of"]
        if stop - start > 1 or start == 0:
            return False
        verb = self.doc[start - 1]
        if verb.pos_ == "ADV" and start > 1:
            verb = self.doc[start - 2]
        governor = self.doc[start].head
        if self.words[start] == "at" and governor.lemma_ in OBJECT_PREPOSITIONS["at"]:
            # "swinging a bat at a ball"
            return bool(governor.pos_ == "VERB")
        if verb.pos_ not in VERBS or verb in self.index:
            return False
        word = self.words[start]
        if word == "at" and verb.pos_ == "VERB" and verb.tag_ != "VBN":
            return verb.lemma_ not in POSTURE_VERBS | MOTION_VERBS | STATE_VERBS | DONE_AT
        if verb.lemma_ in COVERING_VERBS and verb.tag_ == "VBN" and word in ("in", "by"):
            # "covered in mustard": the mustard is on it
            return True
        is_done_there = verb.tag_ == "VBN" and word in ("on", "in")
        if not is_done_there and verb.lemma_ in OBJECT_PREPOSITIONS.get(word, ()):
            # "writing on a notepad", but "a face drawn on a plate"
            return True
        if relation in WITH_THEIR_VERB:
            return bool(verb.lemma_ != "be" and verb.tag_ != "VBN")
        is_place_verb = verb.lemma_ in POSTURE_VERBS | MOTION_VERBS | STATE_VERBS
        is_direction = relation in OTHER_RELATIONS or word in ("into", "onto")
        return is_direction and not (is_place_verb or verb.tag_ == "VBN")

    # --- what they are said of

    def anchors(self, place: Place, subjects: Sequence[int]) -> list[int | None]:
        """Return what a place is said of; [None] for the picture, or where it is not known."""
        if not place.has_anchor:
            return [self._owner_of_side(place, subjects) if place.is_possessive else None]
        if place.has_pronoun:
            pair = self._pair_before(place, subjects) if place.relation == "between" else []
            return [*pair] or [self._referent(place.stop, subjects)]
        first = self._anchor(place.stop)
        if first is None:
            return self._main_thing(place, subjects)
        head = self.index.phrases[first].head
        if (place.relation == "at" and head in TIMES) or (
            place.relation == "in" and head in FORMATIONS and not self.index.phrases[first].definite
        ):
            return []
        if place.relation == "between":
            return self._pair(place, first)
        row = row_after(self.doc, self.index, first)
        return [first, *(other for other in row[1:] if self._is_shared(place, other))]

    def _main_thing(self, place: Place, subjects: Sequence[int]) -> list[int | None]:
        """Return the plane of "a plane in a hangar with a person nearby"."""
        if not self.is_adverb(place) or not subjects:
            return []
        first = self.doc[place.start].sent.start
        things = [
            phrase
            for phrase in self.index.phrases_before(self.index.tokens[subjects[0]].start)
            if self.index.is_thing(phrase) and self.index.tokens[phrase].start >= first
        ]
        is_within = self.words[place.stop - 1] == "inside"
        is_had = self.words[self.index.tokens[subjects[0]].start - 1] == "with"
        # "a jar with a frog inside"
        return [*(things[-1:] if is_within and is_had else things[:1])]

    def is_adverb(self, place: Place) -> bool:
        """Return whether nothing follows that a place could be said of: "a frog inside"."""
        following = self.doc[place.stop] if place.stop < len(self.doc) else None
        is_last = following is None or following.pos_ in ("PUNCT", "CCONJ", "SCONJ", "VERB")
        return is_last and self.words[place.stop - 1] in PLACE_ADVERBS

    def _pair(self, place: Place, first: int) -> list[int | None]:
        """Return both of "between a man reading a newspaper and a nun"."""
        for noun in self.doc[place.stop - 1].children:
            for other in noun.children if noun.dep_ == "pobj" else ():
                second = self.index.thing_of(other) if other.dep_ == "conj" else None
                if second is not None and self.index.phrase_of(noun) == first:
                    return [first, second]
        return [*pair_after(self.doc, self.index, first)]

    def things_after(self, at: int) -> list[int]:
        """Return the things in a row that begins at a token."""
        first = self._anchor(at)
        return [] if first is None else row_after(self.doc, self.index, first)

    def _anchor(self, at: int) -> int | None:
        """Return the thing that begins at a token; of "the side of the house" the house."""
        phrase = self.index.by_first_token.get(at)
        if phrase is None and self.words[at + 1 : at + 2] == ["of"]:
            # "on one of the rooftops"
            is_chosen = number_value(self.words[at]) is not None or self.words[at] in _CHOSEN
            return self.index.by_first_token.get(at + 2) if is_chosen else None
        if phrase is None or self.index.is_thing(phrase):
            return phrase
        stop = self.index.tokens[phrase].stop
        return self._anchor(stop + 1) if self.words[stop : stop + 1] == ["of"] else None

    def _is_shared(self, place: Place, anchor: int) -> bool:
        """Return whether a place is said of a further anchor, too.

        "On a sofa and a cat" begins something new; "on the flower and the thistle" does not.
        """
        phrase = self.index.phrases[anchor]
        if has_own_predicate(self.doc, self.index, anchor):
            return False
        if phrase.definite or place.relation not in ("in", "on", "at"):
            return True
        has_article = self.words[self.index.tokens[anchor].start] in ("a", "an", "another")
        return not has_article and phrase.count is None and not is_animate(phrase)

    def _owner_of_side(self, place: Place, subjects: Sequence[int]) -> int | None:
        """Return the girl of "a girl sits on a bench; to her right stands a machine"."""
        owners = (at for at in range(place.start, place.stop) if self.words[at] in _POSSESSIVES)
        owner = next(owners, None)
        if owner is None:
            return None
        return find_antecedent(self.doc, self.doc[owner], self.index, subjects)

    def _pair_before(self, place: Place, subjects: Sequence[int]) -> list[int]:
        """Return the two that "them" stands for: "a man and a girl wait, a dog between them"."""
        if self.words[place.stop] != "them":
            return []
        first = min([place.start, *(self.index.tokens[at].start for at in subjects)])
        before = [at for at in self.index.phrases_before(first) if self.index.is_thing(at)]
        for last in reversed(before):
            row = row_before(self.doc, self.index, last)
            heads = [self.doc[self.index.tokens[at].stop - 1] for at in row]
            if len(row) == 2 and not is_led(self.doc, self.index, row):
                return row
            is_joined = self.words[self.index.tokens[last].start - 1] == "and"
            is_living = is_animate(self.index.phrases[last]) and not self._is_several(last)
            others = [at for at in before if at < last and is_animate(self.index.phrases[at])]
            if others and is_joined and is_living and heads[-1].dep_ in ("conj", *SUBJECTS):
                return [others[-1], last]
            if self._is_several(last):
                return []
        return []

    def _is_several(self, phrase: int) -> bool:
        """Return whether a phrase names more than one."""
        thing = self.index.phrases[phrase]
        return thing.plural or (thing.number or 1) > 1

    def _referent(self, pronoun: int, subjects: Sequence[int]) -> int | None:
        """Return what a pronoun stands for.

        Of "a bowl with plums in it" that is what stands before "with".
        """
        if subjects:
            row = row_before(self.doc, self.index, subjects[0])
            if len(row) > 1 and len(subjects) == 1:
                # "a sink and a mirror above it"
                return row[-2]
            first = self.index.tokens[row[0]].start
            if first > pronoun:
                # "next to it lies a newspaper"
                return self.index.referents.get(pronoun)
            before = [phrase for phrase in self.index.phrases_before(first) if phrase < row[0]]
            if before and is_led(self.doc, self.index, row) and self.index.is_thing(before[-1]):
                agreeing = [phrase for phrase in before if self._agrees(pronoun, phrase)]
                if agreeing:
                    container = container_of(self.doc, self.index, agreeing[-1])
                    return agreeing[-1] if container is None else container
        referent = self.index.referents.get(pronoun)
        is_living = referent is not None and is_animate(self.index.phrases[referent])
        if self.words[pronoun] in ("him", "her") and not is_living:
            # "a knight on a hill, leaves falling around him"
            before = [at for at in self.index.phrases_before(pronoun) if at not in subjects]
            living = [at for at in before if is_animate(self.index.phrases[at])]
            referent = living[-1] if living else referent
        is_done = any(token.pos_ == "VERB" for token in self.doc[max(0, pronoun - 4) : pronoun])
        if referent in subjects and is_done and self.doc[pronoun].tag_ == "PRP":
            # "a mouse peeks out from behind it"
            parts = parts_before(self.doc, self.doc[pronoun], self.index)
            return find_antecedent(self.doc, self.doc[pronoun], self.index, [*subjects, *parts])
        if referent in subjects and self.words[pronoun] == "it":
            # "a duck floats in the sink, and the mirror above it is fogged"
            first = self.index.tokens[subjects[0]].start
            before = [at for at in self.index.phrases_before(first) if self.index.is_thing(at)]
            return before[-1] if before else referent
        return referent

    def _agrees(self, pronoun: int, phrase: int) -> bool:
        """Return whether a phrase is of several things for "them", and lives for "him"."""
        if self.words[pronoun] in ("him", "himself", "her", "herself"):
            return is_animate(self.index.phrases[phrase])
        return self._is_several(phrase) or self.words[pronoun] not in (
            "them",
            "their",
            "themselves",
        )


def picture_place(words: Sequence[str]) -> str:
    """Return the place in the picture that some words say: "left of", "top", "corner"; else ""."""
    sides = {"left": "left of", "right": "right of", "center": "middle", "centre": "middle"}
    places = {place: place for place in PICTURE_PLACES} | sides
    return next((place for word, place in places.items() if word in words), "")
