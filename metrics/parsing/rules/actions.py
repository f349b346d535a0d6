"""Reads what things do, and to which other thing: "a man riding a horse", "a sleeping dog".

Positions are read in `positions`, and verbs of pictures ("the image shows") nowhere.

Our reading: "having" and "with" are one relation, "in a suit" is wearing it; a passive with "by" is
turned round; what is said not to be worn, held or had is said not to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Action, Position
from hallascope.metrics.parsing.rules.coordination import conjoined_nouns
from hallascope.metrics.parsing.rules.negation import denies_object, is_negated
from hallascope.metrics.parsing.words.grammar import OBJECTS, SUBJECTS, span_of
from hallascope.metrics.parsing.words.language import gerund, wordset
from hallascope.metrics.parsing.words.noun_words import MATERIAL_OF, WORN

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

# of pictures, not of things
_PICTURE_VERBS = wordset(
    "be show depict display feature showcase contain include see make seem appear"
)
# these say no more than a position does
_STANDING_VERBS = wordset(
    "rest hang lie place put locate position situate sit stand lean set lay stay"
)
_FINITE_OR_ING = ("VBG", "VBZ", "VBP", "VBD")
_FARTHEST = 4  # verbs in a row between a verb and its subject


def find_actions(doc: Doc, index: PhraseIndex, positions: Sequence[Position]) -> tuple[Action, ...]:
    """Return every action in a parsed text, in its order, each once."""
    return tuple(dict.fromkeys(_ActionReader(doc, index, positions).actions()))


class _ActionReader:
    def __init__(self, doc: Doc, index: PhraseIndex, positions: Sequence[Position]) -> None:
        self.doc = doc
        self.index = index
        self.position_spans = [position.span for position in positions]

    def actions(self) -> Iterator[Action]:
        for token in self.doc:
            if token.pos_ == "VERB" and self._is_action(token):
                yield from self._verb_actions(token)
            elif token.pos_ == "ADP" and token.dep_ == "prep" and not self._is_position(token):
                yield from self._preposition_actions(token)

    def _is_action(self, verb: Token) -> bool:
        return (
            verb not in self.index
            and verb.lemma_ not in _PICTURE_VERBS
            and verb.lower_ not in MATERIAL_OF
        )

    # --- verbs

    def _verb_actions(self, verb: Token) -> Iterator[Action]:
        subject = self._subject(verb)
        if subject is None:
            return
        negated = is_negated(verb)
        form = _gerund_or_passive(verb)
        objects = list(self._objects(verb))
        agent = self._agent(verb) if verb.tag_ == "VBN" else None
        if agent is not None:
            # "a horse ridden by a man": a man riding a horse
            form = gerund(verb.lemma_)
            objects = [(subject, "")]
            subject = agent
        for thing, preposition in objects:
            words = "with" if verb.lemma_ == "have" else f"{form} {preposition}".strip()
            if thing != subject and (not negated or denies_object(verb)):
                yield Action(subject, words, thing, self._span(verb), negated)
        if not objects and not negated and verb.tag_ in _FINITE_OR_ING and not self._stands(verb):
            yield Action(subject, form, None, self._span(verb))

    def _subject(self, verb: Token) -> int | None:
        """Return what a verb is said of: its subject, or the noun it describes.

        It may be the subject of the verb it is in a row with.
        """
        for _ in range(_FARTHEST):
            for child in verb.children:
                if child.dep_ in SUBJECTS:
                    return self.index.thing_of(child)
            if verb.dep_ in ("acl", "relcl", "amod"):
                return self.index.thing_of(verb.head)
            if verb.dep_ not in ("conj", "advcl", "xcomp", "ccomp") or verb.head.i == verb.i:
                return None
            verb = verb.head
            if verb in self.index:
                return self.index.thing_of(verb)
        return None

    def _objects(self, verb: Token) -> Iterator[tuple[int, str]]:
        """Yield what a verb is done to, each with the preposition before it."""
        for child in verb.children:
            if child.dep_ in (*OBJECTS, "dative"):
                for thing in conjoined_nouns(child, self.index):
                    yield thing, ""
            elif child.dep_ == "prep" and child.lower_ not in ("by", "with"):
                if self._is_position(child):
                    continue
                for thing in self._prepositional_objects(child):
                    yield thing, child.lower_

    def _prepositional_objects(self, preposition: Token) -> Iterator[int]:
        for child in preposition.children:
            if child.dep_ == "pobj":
                yield from conjoined_nouns(child, self.index)

    def _agent(self, verb: Token) -> int | None:
        """Return who does it, where a passive says so: "ridden by a man"."""
        for child in verb.children:
            if child.lower_ == "by" and child.dep_ in ("agent", "prep"):
                for noun in child.children:
                    thing = self.index.thing_of(noun) if noun.dep_ == "pobj" else None
                    if thing is not None:
                        return thing
        return None

    def _stands(self, verb: Token) -> bool:
        """Return whether a verb says no more than the position behind it."""
        return verb.lemma_ in _STANDING_VERBS and any(
            self._is_position(child) for child in verb.rights
        )

    # --- "with" and "in"

    def _preposition_actions(self, preposition: Token) -> Iterator[Action]:
        head = preposition.head
        subject = self._subject(head) if head.pos_ == "VERB" else self.index.thing_of(head)
        if subject is None:
            return
        for thing in self._prepositional_objects(preposition):
            is_worn = preposition.lower_ == "in" and self.index.phrases[thing].head in WORN
            if thing != subject and (is_worn or preposition.lower_ == "with"):
                words = "wearing" if is_worn else "with"
                yield Action(subject, words, thing, self._span(preposition))

    # --- what both need

    def _is_position(self, token: Token) -> bool:
        """Return whether a word belongs to a position that was read."""
        return any(start <= token.idx < stop for start, stop in self.position_spans)

    def _span(self, token: Token) -> tuple[int, int]:
        return span_of(self.doc, token.i, token.i + 1)


def _gerund_or_passive(verb: Token) -> str:
    """Return a verb as the text says it, where that ends in -ing or is a passive ("hung from").

    The parser takes "riding" for a form of "rid".
    """
    word = str(verb.lower_)
    return word if word.endswith("ing") or verb.tag_ == "VBN" else gerund(verb.lemma_)
