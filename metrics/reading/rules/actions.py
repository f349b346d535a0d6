"""Reads what objects do, and have: "a man riding a horse", "a sleeping dog", "with a hat".

"Having", "containing" and "with" are one relation, "in a suit" is wearing it, and a passive with
"by" is turned round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.reading.rules.coordination import row_after
from hallascope.metrics.reading.rules.elements import Features, Link, Parse
from hallascope.metrics.reading.rules.negation import is_negated
from hallascope.metrics.reading.rules.subjects import Subjects
from hallascope.metrics.reading.words.language import gerund
from hallascope.metrics.reading.words.lists import MODIFIERS, VERBS, is_garment, is_living

if TYPE_CHECKING:
    from spacy.tokens import Token

_OBJECTS = ("dobj", "attr", "dative", "pobj")
_NO_ACTION = VERBS["showing"] - VERBS["having"] | {"make", "get", "lack", "miss", "say", "read"}
_WITH_OBJECT = ("read", "make", "get")
_QUIET = VERBS["resting"] | VERBS["motion"]
_DOING = ("VBG", "VBZ", "VBP", "VBD")
_AROUND = ("surround", "encircle")


def find_actions(parse: Parse, subjects: Subjects, placed: set[int]) -> list[Link]:
    """Return every action in a text; one that is done alone has no target.

    `placed` are the tokens that say places.
    """
    return list(dict.fromkeys(_ActionReader(parse, subjects, placed).links()))


class _ActionReader:
    def __init__(self, parse: Parse, subjects: Subjects, placed: set[int]) -> None:
        self.parse = parse
        self.subjects = subjects
        self.placed = placed

    def links(self) -> Iterator[Link]:
        for token in self.parse.doc:
            if token.i in self.parse.written or token.i in self.placed:
                continue
            if token.pos_ == "VERB" and token.i not in self.parse.by_token:
                if self._is_action(token):
                    yield from self._of_verb(token)
            elif token.dep_ == "prep" and token.lower_ in ("with", "in", "of", "without"):
                yield from self._of_preposition(token)

    def _is_action(self, verb: Token) -> bool:
        has_object = any(child.dep_ == "dobj" for child in verb.children)
        if verb.lower_ in MODIFIERS["material_of"] or is_negated(verb):
            return False
        if verb.lemma_ in VERBS["comparing"] - {"look"}:
            return verb.lemma_ == "reflect" and has_object
        if verb.lemma_ in _WITH_OBJECT and has_object and verb.tag_ != "VBN":
            return True
        return verb.lemma_ not in _NO_ACTION

    # --- verbs

    def _of_verb(self, verb: Token) -> Iterator[Link]:
        subjects = self.subjects.of_verb(verb)
        objects = list(self._objects(verb))
        form = _form(verb)
        agents = self._agents(verb)
        if agents:
            objects = [(subject, "") for subject in subjects]
            subjects, form = agents, form if verb.lemma_ in _AROUND else gerund(verb.lemma_)
        for subject in subjects:
            features = Features(distance=abs(verb.i - self.parse.phrases[subject].head))
            for target, preposition in objects:
                if target != subject:
                    words = f"{form} {preposition}".strip()
                    yield Link(subject, words, target, verb.i, verb.i + 1, features)
            is_state = verb.lemma_ in VERBS["state"] and verb.tag_ in _DOING
            is_going_on = verb.tag_ == "VBG" and verb.dep_ in ("acl", "ROOT")
            if not objects and (is_state or (is_going_on and verb.lemma_ not in _QUIET)):
                yield Link(subject, _state(verb), None, verb.i, verb.i + 1, features)

    def _agents(self, verb: Token) -> list[int]:
        """Return who does it, where a passive says so: "ridden by a man"."""
        for child in verb.children:
            if verb.tag_ == "VBN" and child.lower_ == "by" and child.i not in self.placed:
                return self._behind(child)
        return []

    def _objects(self, verb: Token) -> Iterator[tuple[int, str]]:
        """Yield what a verb is done to, each with the preposition before it."""
        for child in verb.children:
            if child.dep_ in _OBJECTS and child.i > verb.i:
                for at in self._row(self.parse.object_at(child.i)):
                    yield at, "at" if verb.lemma_ in VERBS["looking"] else ""
            elif child.dep_ == "prep" and child.i not in self.placed:
                if child.lower_ in ("by", "with", "of", "as", "for", "like"):
                    continue
                is_dressing = verb.lemma_ in VERBS["dressing"] and child.lower_ == "in"
                for at in self._behind(child):
                    is_worn = child.lower_ == "in" and is_garment(self.parse.noun(at))
                    if is_dressing or not is_worn:
                        yield at, "" if is_dressing else child.lower_

    def _behind(self, preposition: Token) -> list[int]:
        """Return the objects behind a preposition."""
        at = self.parse.by_first.get(preposition.i + 1)
        if at is None:
            nouns = [child.i for child in preposition.children if child.dep_ == "pobj"]
            return self._row(self.parse.object_at(nouns[0])) if nouns else []
        return self._row(self.parse.object_at(preposition.i + 1))

    def _row(self, at: int | None) -> list[int]:
        if at is None:
            return []
        row = row_after(self.parse, at)
        living = is_living(self.parse.noun(at))
        return [other for other in row if living or not is_living(self.parse.noun(other))]

    # --- "with" and "in"

    def _of_preposition(self, preposition: Token) -> Iterator[Link]:
        word = preposition.lower_
        if word == "of" and preposition.head.lower_ != "full":
            return
        if preposition.head.lemma_ in VERBS["comparing"]:
            return
        holders = self._holders(preposition)
        absent = self.parse.by_first.get(preposition.i + 1) if word == "without" else None
        for target in self._behind(preposition) if absent is None else [absent]:
            is_worn = is_garment(self.parse.noun(target))
            if word == "in" and not is_worn:
                continue
            words = "wearing" if word == "in" else "with"
            for holder in holders:
                if holder != target:
                    features = Features(preposition.i - self.parse.phrases[holder].stop)
                    yield Link(holder, words, target, preposition.i, preposition.i + 1, features)

    def _holders(self, preposition: Token) -> list[int]:
        """Return who has what stands behind "with": the noun right before, else the subject."""
        head = preposition.head
        if head.pos_ in ("VERB", "AUX"):
            return self.subjects.of_verb(head)
        governor = self.parse.object_at(head.i)
        before = self.parse.objects_before(preposition.i, preposition.sent.start)
        return before[-1:] if governor is None else [governor]


def _form(verb: Token) -> str:
    """Return the relation that a verb says: "with" of "contains", "wearing" of "dressed in"."""
    lemma = verb.lemma_
    is_covered = lemma in VERBS["covering"] and verb.tag_ == "VBN"
    if is_covered or lemma in VERBS["having"] - {"hold"} | VERBS["consisting"]:
        return "with"
    if lemma in VERBS["dressing"]:
        return "wearing"
    if lemma in _AROUND:
        return "around"
    return _state(verb)


def _state(verb: Token) -> str:
    particles = [child.lower_ for child in verb.rights if child.dep_ == "prt"]
    form = verb.lower_ if verb.tag_ in ("VBN", "VBG") else gerund(verb.lemma_)
    return " ".join([form, *particles[:1]])
