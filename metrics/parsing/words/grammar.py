"""Holds the labels of the parser's grammar that several rules share, and a word's place and lemma.

Labels are those of spaCy: parts of speech (`pos_`), and dependencies (`dep_`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words import language
from hallascope.metrics.parsing.words.noun_words import PLURAL_ONLY

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.data.regions import Span

NOUNS = ("NOUN", "PROPN")
PLURALS = ("NNS", "NNPS")
VERBS = ("VERB", "AUX")
SUBJECTS = ("nsubj", "nsubjpass")
OBJECTS = ("dobj", "attr")
# where a noun stands in a sentence, whatever the parser takes the word for
NOUN_DEPENDENCIES = ("ROOT", *SUBJECTS, *OBJECTS, "pobj", "conj")


def span_of(doc: Doc, start: int, stop: int) -> Span:
    """Return the place of some tokens in characters of the parser's text."""
    return doc[start].idx, doc[stop - 1].idx + len(doc[stop - 1])


def lemma(token: Token) -> str:
    """Return the singular in lower case.

    It is the same for the same word whatever the parser takes it for.
    """
    if token.lower_ in PLURAL_ONLY or (token.pos_ != "NOUN" and token.tag_ != "NNPS"):
        return str(token.lower_)
    return language.singular((token.lemma_ if token.pos_ == "NOUN" else token.text).casefold())
