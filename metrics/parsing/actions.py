"""What things do, and to which other thing: "a man riding a horse", "a sleeping dog".

Positions are read elsewhere, pictures nowhere.

Our reading: "having" and "with" are one relation, "in a suit" is wearing it; a passive with "by" is
turned round; what is said not to be worn, held or had is said not to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.language import gerund, wordset
from hallascope.metrics.parsing.noun_words import MADE
from hallascope.metrics.parsing.parsed import Action, Phrase, PositionPhrase
from hallascope.metrics.parsing.positions import WORN

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.data.evidence import Span

_SAYING = wordset(
    "be show depict display feature showcase contain include see make seem appear"
)  # of pictures, not of things
_STAYING = wordset(
    "rest hang lie place put locate position situate sit stand lean set lay stay"
)  # what says no more than a position does
_HAVING = wordset("have wear hold carry contain")
_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "attr", "dative")


def actions(
    doc: Doc,
    phrases: Sequence[Phrase],
    tokens: Sequence[range],
    places: Sequence[PositionPhrase],
    meant: Mapping[int, int],
) -> tuple[Action, ...]:
    """Every action in a parsed text, in its order. `meant`: what pronouns stand for, by token."""
    return tuple(dict.fromkeys(_ActionReader(doc, phrases, tokens, places, meant).find_actions()))


class _ActionReader:
    def __init__(
        self,
        doc: Doc,
        phrases: Sequence[Phrase],
        tokens: Sequence[range],
        places: Sequence[PositionPhrase],
        meant: Mapping[int, int],
    ) -> None:
        self.doc = doc
        self.phrases = phrases
        self.of = {at: index for index, span in enumerate(tokens) for at in span} | dict(meant)
        self.placed = [place.span for place in places]

    def find_actions(self) -> Iterator[Action]:
        for token in self.doc:
            if (
                token.pos_ == "VERB"
                and token.i not in self.of
                and token.lemma_ not in _SAYING
                and token.lower_ not in MADE
            ):
                yield from self._of_verb(token)
            elif token.pos_ == "ADP" and token.dep_ == "prep" and not self._is_placed(token):
                yield from self._of_preposition(token)

    # --- verbs

    def _of_verb(self, verb: Token) -> Iterator[Action]:
        subject = self._subject(verb)
        if subject is None:
            return
        denied = any(child.dep_ == "neg" for child in verb.children)
        objects = list(self._objects(verb))
        doer = self._doer(verb) if verb.tag_ == "VBN" else None
        form = _form(verb) if doer is None else gerund(verb.lemma_)
        subject, objects = (subject, objects) if doer is None else (doer, [(subject, "")])
        for thing, preposition in objects:
            said = "with" if verb.lemma_ == "have" else f"{form} {preposition}".strip()
            if thing != subject and (not denied or verb.lemma_ in _HAVING):
                yield Action(subject, said, thing, _span(verb), denied)
        stays = verb.lemma_ in _STAYING and self._has_place(verb)
        if not objects and not denied and not stays and verb.tag_ in ("VBG", "VBZ", "VBP", "VBD"):
            yield Action(subject, _form(verb), None, _span(verb))

    def _subject(self, verb: Token) -> int | None:
        """Return what a verb is said of: its subject, or the noun it describes.

        It may be the subject of the verb it is in a row with.
        """
        for _ in range(4):
            for child in verb.children:
                if child.dep_ in _SUBJECTS:
                    return self._thing(child)
            if verb.dep_ in ("acl", "relcl", "amod"):
                return self._thing(verb.head)
            if verb.dep_ not in ("conj", "advcl", "xcomp", "ccomp") or verb.head.i == verb.i:
                return None
            verb = verb.head
            if verb.i in self.of:
                return self._thing(verb)
        return None

    def _objects(self, verb: Token) -> Iterator[tuple[int, str]]:
        """What a verb is done to, each with the preposition before it."""
        for child in verb.children:
            if child.dep_ in _OBJECTS:
                yield from ((at, "") for at in self._row(child))
            elif (
                child.dep_ == "prep"
                and not self._is_placed(child)
                and child.lower_ not in ("by", "with")
            ):
                yield from (
                    (at, child.lower_)
                    for inner in child.children
                    if inner.dep_ == "pobj"
                    for at in self._row(inner)
                )

    def _doer(self, verb: Token) -> int | None:
        """Who does it, where a passive says so: "ridden by a man"."""
        by = (
            child
            for child in verb.children
            if child.dep_ in ("agent", "prep") and child.lower_ == "by"
        )
        things = (
            self._thing(inner) for child in by for inner in child.children if inner.dep_ == "pobj"
        )
        return next((at for at in things if at is not None), None)

    def _has_place(self, verb: Token) -> bool:
        return any(self._is_placed(child) for child in verb.children if child.i > verb.i)

    # --- "with" and "in"

    def _of_preposition(self, token: Token) -> Iterator[Action]:
        subject = (
            self._thing(token.head) if token.head.pos_ != "VERB" else self._subject(token.head)
        )
        for child in token.children:
            for at in self._row(child) if child.dep_ == "pobj" and subject is not None else ():
                worn = token.lower_ == "in" and self.phrases[at].head in WORN
                if subject is not None and at != subject and (token.lower_ == "with" or worn):
                    yield Action(subject, "wearing" if worn else "with", at, _span(token))

    # --- what both need

    def _row(self, token: Token) -> Iterator[int]:
        """A thing and those in a row with it: "a hat and a coat".

        What is said not to be there is none of them.
        """
        at = self._thing(token)
        if at is None:
            return
        yield at
        for child in token.children:
            if child.dep_ == "conj" and (child.pos_ in ("NOUN", "PROPN")):
                yield from self._row(child)

    def _thing(self, token: Token) -> int | None:
        at = self.of.get(token.i)
        return at if at is not None and self.phrases[at].is_thing else None

    def _is_placed(self, token: Token) -> bool:
        """Whether the word belongs to a position that was read."""
        return any(start <= token.idx < stop for start, stop in self.placed)


def _form(verb: Token) -> str:
    """Return a verb as the text says it, where that ends in -ing or is a passive.

    An example is "hung from"; the parser takes "riding" for one of "rid".
    """
    said = str(verb.lower_)
    return said if said.endswith("ing") or verb.tag_ == "VBN" else gerund(verb.lemma_)


def _span(token: Token) -> Span:
    return token.idx, token.idx + len(token)
