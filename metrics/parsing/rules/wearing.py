"""Tells clothes, which a person is "in", from places."""

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.noun_words import WORN


def is_garment(phrase: Phrase) -> bool:
    """Return whether a phrase names clothes: "a suit jacket", "hats"."""
    kinds = ("clothing", "headdress", "footwear")
    return phrase.head in WORN or wordnet.is_kind_of(phrase.head, *kinds)


def is_cloth(phrase: Phrase) -> bool:
    """Return whether a phrase names clothes, or what else hangs limp: "a towel", "a rope"."""
    kinds = ("fabric", "clothing", "piece of cloth", "bedclothes", "linen", "line", "towel")
    return is_garment(phrase) or wordnet.is_kind_of(phrase.head, *kinds)
