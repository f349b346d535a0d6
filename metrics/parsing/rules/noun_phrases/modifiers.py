"""Reads the words that describe a thing from elsewhere: "the car is red", "a dog, brown and white".

Of "not red" there is nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Modifier, Phrase
from hallascope.metrics.parsing.rules.noun_phrases.describing_words import modifier
from hallascope.metrics.parsing.rules.noun_phrases.negation import is_negated_word
from hallascope.metrics.parsing.words.grammar import SUBJECTS, VERBS
from hallascope.metrics.parsing.words.noun_words import NEVER_DESCRIBE

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

# how an adjective depends on what leads to the thing that it describes
_DEPENDENCIES = ("acomp", "attr", "oprd", "amod", "conj", "advcl", "acl", "ROOT", "xcomp")
_FARTHEST = 6  # dependencies between an adjective and its thing


def add_modifiers(doc: Doc, index: PhraseIndex, describing: frozenset[str]) -> list[Phrase]:
    """Return the phrases with the words that describe them from elsewhere."""
    more: dict[int, list[Modifier]] = defaultdict(list)
    for token in doc:
        describes = token.pos_ == "ADJ" or token.lower_ in describing
        if token.lower_ in NEVER_DESCRIBE or token in index or is_negated_word(token):
            continue
        if not describes:
            continue
        phrase = _described_phrase(token, index)
        if phrase is not None:
            more[phrase].append(modifier(token))
    return [
        replace(phrase, modifiers=(*phrase.modifiers, *more[at]))
        for at, phrase in enumerate(index.phrases)
    ]


def _described_phrase(token: Token, index: PhraseIndex) -> int | None:
    """Return the phrase that an adjective describes: the subject of its verb, or what it is in."""
    for _ in range(_FARTHEST):
        head = token.head
        if token.dep_ not in _DEPENDENCIES or head.i == token.i:
            return None
        if head in index:
            return index.phrase_of(head)
        if head.pos_ in VERBS:
            for child in head.children:
                if child.dep_ in SUBJECTS and child in index:
                    return index.phrase_of(child)
            if head.dep_ == "relcl":
                return index.phrase_of(head.head)
        token = head
    return None
