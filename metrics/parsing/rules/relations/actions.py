"""Reads what things do, and to which other thing: "a man riding a horse", "a sleeping dog".

Positions are read in `positions`, and verbs of pictures ("the image shows") nowhere.

"Having", "containing" and "with" are one relation, "in a suit" and "dressed in a suit"
is wearing it; a passive with "by" is turned round; what is said not to be worn, held or had is said
not to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_person
from hallascope.metrics.parsing.parsed import Action, Position
from hallascope.metrics.parsing.rules.coordination import row_after, worn_row
from hallascope.metrics.parsing.rules.noun_phrases.negation import (
    denies_object,
    is_negated,
    says_absence,
)
from hallascope.metrics.parsing.rules.relations.agents import AgentFinder
from hallascope.metrics.parsing.rules.relations.gapping import add_gapped_actions
from hallascope.metrics.parsing.rules.relations.had_rows import had_row, held_row
from hallascope.metrics.parsing.rules.relations.relation_forms import (
    AROUND_VERBS,
    gerund_or_passive,
    relation_form,
    state_words,
    with_words,
)
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words.grammar import OBJECTS, VERBS, span_of
from hallascope.metrics.parsing.words.language import gerund
from hallascope.metrics.parsing.words.noun_words import MATERIAL_OF, PICTURE_WORDS
from hallascope.metrics.parsing.words.position_words import BODY_PARTS
from hallascope.metrics.parsing.words.verb_words import (
    COMPARING_VERBS,
    CONSISTING_VERBS,
    COVERING_VERBS,
    DRESSING_VERBS,
    FILLING_VERBS,
    HAVING_VERBS,
    HOLDING_VERBS,
    INTERACTING_VERBS,
    LIGHT_VERBS,
    LOOKING_VERBS,
    MOTION_VERBS,
    POSTURE_VERBS,
    SHOWING_VERBS,
    STATE_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

# these say what a verb is done to where they are said of things: "the area features a table"
_PICTURE_VERBS = SHOWING_VERBS - HAVING_VERBS | {"make", "get"}
_FINITE_OR_ING = ("VBG", "VBZ", "VBP", "VBD")
# where what somebody moves comes from or gets to
_MOVED = ("from", "to")
_AIR = ("air", "mid-air", "midair")


def find_actions(doc: Doc, index: PhraseIndex, positions: Sequence[Position]) -> tuple[Action, ...]:
    """Return every action in a parsed text, in its order, each once."""
    actions = list(dict.fromkeys(_ActionReader(doc, index, positions).actions()))
    return tuple(dict.fromkeys(add_gapped_actions(doc, index, positions, actions)))


class _ActionReader:
    def __init__(self, doc: Doc, index: PhraseIndex, positions: Sequence[Position]) -> None:
        self.doc = doc
        self.index = index
        self.position_spans = {position.span for position in positions}
        # "flying in the air" is flying, wherever that is
        self.place_spans = {
            position.span
            for position in positions
            if position.anchor is None
            or position.relation != "in"
            or index.phrases[position.anchor].head not in _AIR
        }
        self.agents = AgentFinder(doc, index, positions)

    def actions(self) -> Iterator[Action]:
        for token in self.doc:
            if token.pos_ == "VERB" and token not in self.index and self._is_action(token):
                yield from self._verb_actions(token)
            elif token.lower_ == "than" and token.i and token.nbor(-1).tag_ in ("JJR", "RBR"):
                yield from self._compared(token)
            elif token.tag_ == "WP$":
                yield from self._whose(token)
            elif token.pos_ == "ADP" and token.dep_ == "prep" and not self._is_position(token):
                yield from self._preposition_actions(token)

    def _is_action(self, verb: Token) -> bool:
        if verb.lower_ in MATERIAL_OF or says_absence(verb):
            return False
        if verb.lemma_ == "reflect":
            return any(child.dep_ == "dobj" for child in verb.children)
        if verb.lemma_ in COMPARING_VERBS - LOOKING_VERBS:
            return False
        if verb.lemma_ in ("show", "present", "display"):
            # a person shows something to somebody, a picture shows it to us
            return self.agents.has_animate_subject(verb)
        return verb.lemma_ not in _PICTURE_VERBS

    # --- verbs

    def _verb_actions(self, verb: Token) -> Iterator[Action]:
        subjects = self.agents.subjects(verb)
        negated = is_negated(verb)
        form = relation_form(verb)
        objects = list(self._objects(verb)) or list(self._shared_objects(verb))
        agents = self._passive_agents(verb)
        if agents:
            # "a horse ridden by a man": a man riding a horse
            if not any(self.agents.is_animate(agent) for agent in agents):
                # "a cow is tied to a tree by a rope"
                yield from self._passive_relations(subjects, objects, verb)
            objects = [(subject, "") for subject in subjects]
            subjects = agents
            form = "around" if verb.lemma_ in AROUND_VERBS else gerund(verb.lemma_)
        elif verb.lemma_ in FILLING_VERBS and self._is_position(verb):
            return
        for subject in subjects:
            moved: list[int] = []
            for thing, preposition in self._respective(verb, subject, subjects, objects):
                if thing != subject and (not negated or denies_object(verb)):
                    is_moved = preposition in _MOVED and not self.agents.is_animate(thing)
                    if is_moved and moved:
                        # "pouring milk from a jug": the milk is from it
                        yield Action(moved[-1], preposition, thing, self._span(verb), negated)
                        continue
                    words = f"{form} {preposition}".strip()
                    yield Action(subject, words, thing, self._span(verb), negated)
                    moved += [] if preposition else [thing]
            if not objects and not negated and self._is_done_alone(verb):
                yield Action(subject, state_words(verb), None, self._span(verb))

    def _respective(
        self,
        verb: Token,
        subject: int,
        subjects: Sequence[int],
        objects: Sequence[tuple[int, str]],
    ) -> Sequence[tuple[int, str]]:
        """Return the objects of one of several: "wearing a vest and a coat respectively"."""
        is_paired = any(token.lower_ == "respectively" for token in self.doc[verb.i :])
        if not is_paired or len(subjects) != len(objects):
            return objects
        return [objects[list(subjects).index(subject)]]

    def _passive_relations(
        self, subjects: Sequence[int], objects: Sequence[tuple[int, str]], verb: Token
    ) -> Iterator[Action]:
        for subject in subjects:
            for thing, preposition in objects:
                if thing != subject and preposition:
                    words = f"{gerund_or_passive(verb)} {preposition}"
                    yield Action(subject, words, thing, self._span(verb))

    def _objects(self, verb: Token) -> Iterator[tuple[int, str]]:
        """Yield what a verb is done to, each with the preposition before it."""
        for child in verb.children:
            is_path_end = child.dep_ == "npadvmod" and bool(self._path(verb))
            if child.dep_ in (*OBJECTS, "dative", "pobj") or is_path_end:
                looked_at = "at" if verb.lemma_ in LOOKING_VERBS else ""
                preposition = looked_at or self._path(verb)
                for thing in self._row(child, verb.lemma_ == "wear"):
                    yield thing, preposition
            elif child.dep_ == "prep" and child.tag_ == "IN" and child.lower_ not in ("by", "with"):
                yield from self._prepositional_objects(verb, child)

    def _shared_objects(self, verb: Token) -> Iterator[tuple[int, str]]:
        """Yield the objects of the next verb: "cutting and serving a cake"."""
        for child in verb.children:
            if child.dep_ == "conj" and child.pos_ == "VERB" and child.i == verb.i + 2:
                yield from self._objects(child)

    def _passive_agents(self, verb: Token) -> list[int]:
        """Return who does it; "parked by the door" is a place."""
        is_place = any(child.lower_ == "by" and self._is_position(child) for child in verb.children)
        return [] if is_place else self.agents.passive_agents(verb)

    def _path(self, verb: Token) -> str:
        """Return "down" of "floats down a gutter", which the parser takes for an adverb."""
        following = self.doc[verb.i + 1].lower_ if verb.i + 1 < len(self.doc) else ""
        is_path = verb.lemma_ in MOTION_VERBS and following in ("down", "up")
        return following if is_path else ""

    def _prepositional_objects(self, verb: Token, child: Token) -> Iterator[tuple[int, str]]:
        is_covering = verb.lemma_ in COVERING_VERBS and verb.tag_ == "VBN" and child.lower_ == "in"
        if is_covering:
            # "a wall covered in graffiti" has them
            for thing in self._things_behind(child):
                yield thing, ""
        if is_covering or self._is_position(child):
            return
        is_dressing = verb.lemma_ in DRESSING_VERBS and child.lower_ == "in"
        is_said_already = verb.lemma_ in CONSISTING_VERBS or is_dressing
        following = self.doc[child.i + 1] if child.i + 1 < len(self.doc) else child
        if child.lower_ in ("out", "off") and following.lower_ == "of":
            # "eating out of a bowl"
            for thing in self._things_behind(following):
                yield thing, f"{child.lower_} of"
            return
        for thing in self._things_behind(child, is_dressing):
            if child.lower_ == "in" and not is_dressing and is_garment(self.index.phrases[thing]):
                continue
            yield thing, "" if is_said_already else child.lower_

    def _things_behind(self, preposition: Token, only_worn: bool = False) -> Iterator[int]:
        following = self.index.by_first_token.get(preposition.i + 1)
        if following is not None and self.index.is_thing(following):
            yield from self._row(self.doc[self.index.tokens[following].start], only_worn)
            return
        for child in preposition.children:
            if child.dep_ == "pobj":
                yield from self._row(child, only_worn)

    def _row(self, noun: Token, only_worn: bool = False) -> Iterator[int]:
        """Yield the thing that a noun names, and those in a row with it.

        A person begins something new behind what does not live: "a man with a hat and a woman".
        What is worn stops at what is no garment, where that is a person or an animal.
        """
        first = self.index.thing_of(noun)
        if first is None:
            first = self._framed(noun)
        if first is None:
            return
        yield first
        is_living_first = self.agents.is_animate(first)
        row = (worn_row if only_worn else row_after)(self.doc, self.index, first)
        for thing in [*row, *held_row(self.doc, self.index, row[-1])][1:]:
            is_new_person = not is_living_first and is_person(self.index.phrases[thing])
            if is_new_person or (only_worn and self.agents.is_animate(thing)):
                return
            yield thing

    def _framed(self, noun: Token) -> int | None:
        """Return the mountain of "walking up the side of a mountain"."""
        framing = self.index.phrase_of(noun)
        if framing is None or self.index.phrases[framing].head in PICTURE_WORDS:
            return None
        of = self.index.tokens[framing].stop
        is_framing = of < len(self.doc) and self.doc[of].lower_ == "of"
        framed = self.index.by_first_token.get(of + 1) if is_framing else None
        return framed if framed is not None and self.index.is_thing(framed) else None

    def _is_done_alone(self, verb: Token) -> bool:
        """Return whether a verb without an object says a state of its thing: "smiling"."""
        if verb.tag_ == "VBN":
            return self._is_state(verb)
        if verb.tag_ not in _FINITE_OR_ING or verb.lemma_ in HAVING_VERBS | LIGHT_VERBS:
            return False
        if verb.lemma_ in DRESSING_VERBS | HOLDING_VERBS:
            # "wearing no shoes"
            return False
        is_interaction = verb.lemma_ in INTERACTING_VERBS
        if is_interaction and any(child.lower_ == "with" for child in verb.children):
            return False
        if any(child.dep_ in ("xcomp", "ccomp", "acomp") for child in verb.children):
            return False
        if any(child.dep_ == "dobj" and child.pos_ != "PROPN" for child in verb.children):
            # "casting a glow", of which nobody asks; a sign that says "OPEN" is asked for
            return False
        is_place_verb = verb.lemma_ in (POSTURE_VERBS | MOTION_VERBS) - STATE_VERBS
        return not (is_place_verb and self._has_place(verb))

    def _is_state(self, verb: Token) -> bool:
        """Return whether a passive says a state: "a tower lit up", "food that was prepared"."""
        is_passive = verb.dep_ in ("ROOT", "relcl", "conj") and any(
            child.dep_ == "auxpass" and child.lemma_ == "be" for child in verb.children
        )
        has_particle = any(child.dep_ == "prt" for child in verb.rights)
        is_clause = is_passive or (verb.dep_ in ("acl", "ROOT") and has_particle)
        is_linking = verb.lemma_ in POSTURE_VERBS | MOTION_VERBS | COVERING_VERBS | FILLING_VERBS
        has_more = any(child.dep_ in ("agent", "oprd", "dobj", "xcomp") for child in verb.children)
        return is_clause and not has_more and not is_linking and not self._is_followed(verb)

    def _is_followed(self, verb: Token) -> bool:
        """Return whether "with" or "by" and a thing follow a verb, or "to": "tied to a tree"."""
        following = self.doc[verb.i + 1].lower_ if verb.i + 1 < len(self.doc) else ""
        return following in ("with", "by", "to", "of", "from", "as", "for")

    def _has_place(self, verb: Token) -> bool:
        """Return whether a place follows a verb, also behind an adverb."""
        following = self.doc[verb.i + 1 : verb.i + 4]
        return any(self._is_place(token) for token in (*following, *verb.rights))

    # --- "with", "full of" and "in"

    def _preposition_actions(self, preposition: Token) -> Iterator[Action]:
        head = preposition.head
        word = preposition.lower_
        is_full = word == "of" and head.lower_ == "full"
        if word not in ("with", "in") and not is_full:
            return
        if head.pos_ == "VERB" and head.lemma_ in COMPARING_VERBS:
            return
        subjects = self.agents.holders(preposition)
        things = list(self._things_behind(preposition))
        if word == "with" and subjects:
            things = had_row(self.doc, self.index, subjects[0], things)
        for thing in things:
            is_worn = word == "in" and is_garment(self.index.phrases[thing])
            if is_worn and self._is_position(preposition):
                # "dropping a coin in his hat"
                continue
            if not is_worn and word == "in":
                continue
            if is_worn and head.pos_ == "VERB" and head.lemma_ in DRESSING_VERBS:
                continue
            for subject in self.agents.holders_of(thing, preposition) or subjects:
                if thing != subject and not self._is_one_of(thing, subject):
                    words = "wearing" if is_worn else with_words(head)
                    yield Action(subject, words, thing, self._span(preposition))

    def _compared(self, than: Token) -> Iterator[Action]:
        """Yield that a bear is larger than an igloo."""
        compared = list(self._things_behind(than))
        adjective = than.nbor(-1)
        before = [at for at in self.index.phrases_before(adjective.i) if self.index.is_thing(at)]
        if not compared or not before:
            return
        adjoins = self.index.tokens[before[-1]].stop == adjective.i
        subjects = [] if adjoins else self._compared_subjects(adjective)
        for subject in subjects or before[-1:]:
            if subject != compared[0]:
                yield Action(
                    subject, f"{adjective.lower_} than", compared[0], self._span(adjective)
                )

    def _compared_subjects(self, adjective: Token) -> list[int]:
        """Return the subject of the verb that an adjective depends on."""
        return self.agents.subjects(adjective.head) if adjective.head.pos_ in VERBS else []

    def _whose(self, pronoun: Token) -> Iterator[Action]:
        """Yield that a wizard has a beard, of "a wizard in a robe, whose beard is long"."""
        owned = self.index.by_token.get(pronoun.i)
        owned = self.index.by_first_token.get(pronoun.i + 1) if owned is None else owned
        before = [at for at in self.index.phrases_before(pronoun.i) if self.index.is_thing(at)]
        if owned is None or not self.index.is_thing(owned) or not before:
            return
        thing = self.index.phrases[owned]
        living = [at for at in before if self.agents.is_animate(at)]
        is_of_body = is_garment(thing) or thing.head in BODY_PARTS
        owner = living[-1] if is_of_body and living else before[-1]
        yield Action(owner, "with", owned, self._span(pronoun))

    def _is_one_of(self, thing: int, subject: int) -> bool:
        """Return whether a thing is one of several: "two dogs with one dog holding a disc"."""
        phrases = self.index.phrases
        return phrases[thing].head == phrases[subject].head and phrases[subject].plural

    # --- what both need

    def _is_position(self, token: Token) -> bool:
        """Return whether a word belongs to a position that was read."""
        return any(start <= token.idx < stop for start, stop in self.position_spans)

    def _is_place(self, token: Token) -> bool:
        """Return whether a word belongs to a position that is no mere "in the air"."""
        return any(start <= token.idx < stop for start, stop in self.place_spans)

    def _span(self, token: Token) -> tuple[int, int]:
        return span_of(self.doc, token.i, token.i + 1)
