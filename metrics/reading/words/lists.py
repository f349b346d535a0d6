"""Holds the word lists of the reader (``words.toml``), and asks what kind of thing a noun names.

It knows no grammar: nothing here looks at a parsed text.
"""

from collections.abc import Mapping

from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import LISTS

_LIVING = ("person", "animal", "imaginary being", "automaton")
_CLOTHES = ("clothing", "footwear", "headdress", "eyewear", "jewelry")


def word_lists(section: str) -> Mapping[str, frozenset[str]]:
    """Return all lists of a section by their names."""
    return {name: frozenset(words.split()) for name, words in LISTS[section].items()}


NOUNS = word_lists("nouns")
MODIFIERS = word_lists("modifiers")
VERBS = word_lists("verbs")
STYLE = word_lists("style")
SIGNALS = word_lists("signals")
OBJECT_PREPOSITIONS = {
    name.replace("_", " "): words for name, words in word_lists("object_prepositions").items()
}
# of each pair, one word is said of one object and the other of another
CONTRARY = frozenset(frozenset(pair) for pair in LISTS["contrary"].items())
BOUNDS: Mapping[str, str] = LISTS["bounds"]
BOUNDS_BEHIND: Mapping[str, str] = LISTS["bounds_behind"]


def is_living(noun: str) -> bool:
    """Return whether a noun names a person, an animal, or who acts like one ("robot")."""
    return wordnet.may_be_kind_of(noun, *_LIVING)


def is_person(noun: str) -> bool:
    """Return whether a noun names a person."""
    return wordnet.is_kind_of(noun, "person")


def is_garment(noun: str) -> bool:
    """Return whether a noun names what is worn."""
    return noun in NOUNS["worn"] or wordnet.is_kind_of(noun, *_CLOTHES)


def is_unseen(name: str, noun: str) -> bool:
    """Return whether what a name and its noun, in the singular, say cannot be pointed at."""
    if name != noun and wordnet.senses(name) and not wordnet.is_abstract(name):
        return False
    if noun in NOUNS["unseen"]:
        return True
    if noun in NOUNS["seen"]:
        return False
    return wordnet.is_abstract(noun)
