"""Tells clothes, which a person is "in", from places."""

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.words.noun_words import WORN


def is_garment(phrase: Phrase) -> bool:
    """Return whether a phrase names clothes: "a suit jacket", "hats"."""
    return phrase.head in WORN
