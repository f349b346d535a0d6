"""Puts a verb into the words of a relation: "riding", "lit up", "with" for "contains"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.language import gerund
from hallascope.metrics.parsing.words.verb_words import (
    CONSISTING_VERBS,
    COVERING_VERBS,
    DRESSING_VERBS,
    HAVING_VERBS,
    INTERACTING_VERBS,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

# "surrounded by trees": the trees are around it
AROUND_VERBS = ("surround", "encircle")


def with_words(head: Token) -> str:
    """Return "talking with" of "a man talking with a woman", else "with"."""
    is_interacting = head.pos_ == "VERB" and head.lemma_ in INTERACTING_VERBS
    return f"{gerund_or_passive(head)} with" if is_interacting else "with"


def relation_form(verb: Token) -> str:
    """Return the relation that a verb says: "with" of "contains", "wearing" of "dressed in"."""
    is_covering = verb.lemma_ in COVERING_VERBS and verb.tag_ == "VBN"
    if verb.lemma_ in HAVING_VERBS - {"hold"} | CONSISTING_VERBS or is_covering:
        return "with"
    if verb.lemma_ in DRESSING_VERBS:
        return "wearing"
    if verb.lemma_ in AROUND_VERBS:
        return "around"
    return gerund_or_passive(verb)


def state_words(verb: Token) -> str:
    """Return "lit up" of "a tower lit up at night", and "walking" of what walks."""
    particles = [child.lower_ for child in verb.rights if child.dep_ == "prt"]
    words = particles[:1] if verb.tag_ == "VBN" else []
    return " ".join([gerund_or_passive(verb), *words])


def gerund_or_passive(verb: Token) -> str:
    """Return a verb as the text says it, where that ends in -ing or is a passive ("hung from")."""
    word = str(verb.lower_)
    is_misspelled = word == "ridding" and verb.lemma_ == "ride"
    is_gerund = word.endswith("ing") and word != verb.lemma_ and not is_misspelled
    if is_gerund or verb.tag_ == "VBN":
        return word
    return gerund(verb.lemma_)
