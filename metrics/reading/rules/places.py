"""Reads where objects are: "a cat on a mat", "to the left of it", "on the right"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.reading.rules.coordination import row_after
from hallascope.metrics.reading.rules.elements import Features, Link, Parse
from hallascope.metrics.reading.rules.subjects import Place, Subjects
from hallascope.metrics.reading.words.lists import (
    NOUNS,
    OBJECT_PREPOSITIONS,
    VERBS,
    is_garment,
)
from hallascope.metrics.reading.words.relations import FIRST_WORDS, LONGEST_SPELLING, spellings

if TYPE_CHECKING:
    from spacy.tokens import Token

_PATHS = ("around", "past", "through", "along", "across", "toward", "down", "up")
_PLACES = ("left", "right", "top", "bottom", "middle", "corner", "background", "foreground")
_EDGES = ("left", "right", "top", "bottom", "middle", "center", "corner")


def find_places(parse: Parse, subjects: Subjects) -> list[Link]:
    """Return every place in a text, each once, in its order."""
    return list(dict.fromkeys(_PlaceReader(parse, subjects).links()))


class _PlaceReader:
    def __init__(self, parse: Parse, subjects: Subjects) -> None:
        self.parse = parse
        self.subjects = subjects
        # where the last place ended, and what it is said of
        self.last: tuple[int, list[int]] = (-1, [])

    def links(self) -> Iterator[Link]:
        at = 0
        while at < len(self.parse.words):
            first, at = at, at + 1
            yield from self._covered(self.parse.doc[first])
            if self.parse.words[first] not in FIRST_WORDS:
                continue
            for stop in range(min(first + LONGEST_SPELLING, len(self.parse.words)), first, -1):
                spelling = spellings().get(tuple(self.parse.words[first:stop]))
                if spelling is not None and self._may_spell(first, stop, *spelling):
                    yield from self._links_at(first, stop, spelling.relation, spelling.has_object)
                    at = stop
                    break

    def _covered(self, verb: Token) -> Iterator[Link]:
        """Yield "on" of "a bed covered with clothing"."""
        first = verb.i
        is_covering = verb.lemma_ in VERBS["covering"] and verb.tag_ in ("VBN", "VBD")
        if not is_covering or self.parse.word(first + 1) not in ("with", "in", "by"):
            return
        before = self.parse.objects_before(first)
        adjoins = bool(before) and self.parse.phrases[before[-1]].stop == first
        covered = before[-1:] if adjoins else self.subjects.of_verb(verb)
        for subject in self._targets(first + 2, "on"):
            for target in covered[:1]:
                yield Link(subject, "on", target, first, first + 1)

    def _may_spell(self, first: int, stop: int, relation: str, has_object: bool) -> bool:
        """Return whether words say a place where they stand."""
        parse, token = self.parse, self.parse.doc[first]
        if not has_object:
            is_in_name = parse.by_token.get(stop - 1, -1) == parse.by_token.get(stop, -2)
            return not is_in_name and (parse.word(stop) != "of" or self._frame(stop + 1))
        if token.dep_ == "mark" or token.i in parse.written:
            return False
        if stop - first == 1:
            is_particle = token.tag_ == "RP" and token.lower_ not in _PATHS
            if first in parse.by_token or is_particle:
                return False
            if token.lower_ in ("up", "down") and token.head.lemma_ not in VERBS["motion"]:
                return False
        said = " ".join(parse.words[first:stop])
        verbs = OBJECT_PREPOSITIONS.get(said, OBJECT_PREPOSITIONS.get(relation, frozenset()))
        verb = parse.doc[first - 1] if first else token
        if verb.lemma_ in verbs or (token.head.lemma_ in verbs and token.head.pos_ == "VERB"):
            return False
        return token.lower_ != "by" or stop - first > 1 or self._is_beside(token)

    def _is_beside(self, by: Token) -> bool:
        """Return whether "by" is "next to": "a house by the lake", not "painted by a man"."""
        before = by.nbor(-1) if by.i else by
        if before.lemma_ in VERBS["resting"]:
            return True
        is_done = by.dep_ == "agent" or by.head.tag_ == "VBN"
        return not is_done and self.parse.word(by.i + 1) in ("a", "an", "the", "his", "her", "its")

    def _frame(self, first: int) -> bool:
        """Return whether the image itself begins at a token: "of the image"."""
        at = self.parse.by_first.get(first)
        if at is None or self.parse.phrases[at].name != self.parse.phrases[at].head:
            return False
        return self.parse.noun(at) in NOUNS["image"] | {"frame"}

    def _links_at(self, first: int, stop: int, relation: str, has_object: bool) -> Iterator[Link]:
        parse = self.parse
        has_pronoun = has_object and stop in parse.referents
        if has_object and self._frame(stop):
            relation = next((word for word in parse.words[first:stop] if word in _EDGES), "")
            relation, has_object = relation.replace("center", "middle"), False
        targets = self._targets(stop, relation) if has_object else []
        if has_object and not targets:
            return
        noun = parse.noun(targets[0]) if targets else ""
        place = Place(first, stop, relation, noun, has_pronoun)
        subjects = self._subjects(place, targets)
        targets = self._targets(stop, relation) if has_pronoun else targets
        subjects = [at for at in subjects if at not in targets]
        if parse.word(first - 1) in ("not", "n't", "never", "except", "but") and any(
            parse.is_object(at) for at in targets
        ):
            return
        if parse.word(first) == "over" and parse.doc[first - 1].lemma_ in VERBS["draping"]:
            relation = "on"
        if not subjects or not (targets or relation in _PLACES):
            return
        end = parse.phrases[targets[-1]].stop if targets and not has_pronoun else stop
        self.last = (end, subjects)
        for target in targets:
            self.subjects.places[target] = (subjects[0], relation)
        for subject in subjects:
            features = self._features(subject, first)
            if not targets:
                yield Link(subject, relation, None, first, stop, features)
            for target in targets:
                # "a man in a suit" wears it
                if relation != "in" or not is_garment(parse.noun(target)):
                    yield Link(subject, relation, target, first, stop, features)

    def _features(self, subject: int, first: int) -> Features:
        phrase = self.parse.phrases[subject]
        governor = self.parse.by_token.get(self.parse.doc[first].head.i)
        agrees = governor in (None, subject)
        return Features(distance=max(0, first - phrase.stop), agrees=agrees)

    def _targets(self, stop: int, relation: str) -> list[int]:
        target = self.parse.object_at(stop)
        if target is None or stop not in self.parse.by_first.keys() | self.parse.referents.keys():
            return []
        if stop in self.parse.referents:
            return [target]
        row = row_after(self.parse, target, all_items=relation == "between")
        return row[:2] if relation == "between" else row

    def _subjects(self, place: Place, targets: list[int]) -> list[int]:
        fronted = self._fronted(place, targets)
        if fronted:
            return fronted
        end, subjects = self.last
        words = " ".join(self.parse.words[end : place.first]) if subjects else ""
        return subjects if words in ("and", ",", ", and") else self.subjects.of_place(place)

    def _fronted(self, place: Place, targets: list[int]) -> list[int]:
        """Return the books of "on the table are two books", with nothing before the place."""
        parse = self.parse
        opens = place.has_pronoun and parse.word(place.first - 1) in (",", ";", "and")
        start = parse.doc[place.first].sent.start
        if not opens and any(
            phrase.kind != "none" and start <= phrase.first < place.first
            for phrase in parse.phrases
        ):
            return []
        if opens and parse.doc[place.stop : place.stop + 2].root.pos_ not in (
            "VERB",
            "AUX",
            "PRON",
        ):
            return []
        end = max([place.stop, *(parse.phrases[at].stop for at in targets)])
        near = (parse.by_token[token] for token in range(end, end + 4) if token in parse.by_token)
        at = next(near, None)
        return row_after(parse, at) if at is not None and parse.is_object(at) else []
