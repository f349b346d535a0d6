"""Holds the attributes of scene-graph QA: kinds of words, synonyms, and judges' choices.

The kinds are the paper's (color, shape, texture), with "state" for whatever
else describes a thing; the words are those of T2I-CompBench's prompts and of the Primer world.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import COLORS, wordset

# These are asked of every thing that is seen.
ASKED = ("color", "shape", "texture")
STATE = "state"
NUMBER = "number"
CHOICES: Mapping[str, tuple[str, ...]] = {
    "color": (
        "red",
        "orange",
        "yellow",
        "green",
        "blue",
        "light blue",
        "purple",
        "pink",
        "brown",
        "black",
        "grey",
        "white",
        "gold",
        "silver",
        "beige",
    ),
    "shape": (
        "round",
        "oval",
        "square",
        "rectangular",
        "triangular",
        "hexagonal",
        "star-shaped",
        "heart-shaped",
        "cross-shaped",
        "crescent-shaped",
        "spherical",
        "cubic",
        "cylindrical",
        "conical",
        "pyramidal",
        "irregular",
    ),
    "texture": (
        "plain",
        "striped",
        "dotted",
        "checked",
        "wooden",
        "metallic",
        "glass",
        "leather",
        "plastic",
        "rubber",
        "fabric",
        "fluffy",
        "furry",
        "feathered",
        "scaly",
        "stone",
        "paper",
    ),
}
# Words that say the same, the first of each being ours.
_SYNONYMS = (
    "round circular",
    "oval elliptical oblong",
    "rectangular rectangle",
    "triangular triangle",
    "spherical ball-shaped globular",
    "cubic cubical cube-shaped cuboid",
    "cylindrical cylinder-shaped",
    "conical cone-shaped",
    "pyramidal pyramid-shaped",
    "hexagonal hexagon-shaped",
    "star-shaped starlike",
    "crescent-shaped",
    "heart-shaped",
    "cross-shaped",
    "irregular",
    "square",
    "wooden wood",
    "metallic metal steel iron",
    "glass glassy",
    "leather leathery",
    "plastic",
    "rubber rubbery",
    "fabric cloth cotton silk woolen woollen",
    "fluffy",
    "furry fur",
    "feathered feathery",
    "scaly",
    "stone",
    "paper",
    "dotted spotted",
    "striped banded",
    "checked checkered chequered",
    "plain",
    "grey gray",
    "gold golden",
)
# Neighbors in meaning that a judge may give for one another; what was asked is met by either.
_NEAR: Mapping[str, frozenset[str]] = {
    "fluffy": frozenset({"furry"}),
    "furry": frozenset({"fluffy"}),
    "round": frozenset({"spherical"}),
    "spherical": frozenset({"round"}),
    "square": frozenset({"cubic"}),
    "cubic": frozenset({"square"}),
    "crimson": frozenset({"red", "scarlet"}),
    "scarlet": frozenset({"red", "crimson"}),
    "violet": frozenset({"purple", "indigo", "lavender"}),
    "indigo": frozenset({"purple", "violet", "lavender"}),
    "lavender": frozenset({"purple", "violet", "indigo"}),
    "blue": frozenset({"light blue"}),
    "light blue": frozenset({"blue"}),
    "navy": frozenset({"blue", "light blue"}),
}
# Further words of a kind that a judge does not choose from.
_MORE_WORDS: Mapping[str, frozenset[str]] = {
    "texture": wordset(
        "rough smooth soft hard shiny knitted woven velvet suede ceramic porcelain marble brick"
        " concrete tiled polka-dotted"
    ),
    "shape": wordset("diamond-shaped pentagonal octagonal curved flat pointed teardrop"),
}
_SHAPES = wordset("""
    circle disc disk ring oval ellipse square rectangle triangle diamond pentagon hexagon octagon
    star cross heart crescent sphere ball cube cuboid cylinder cone pyramid
""")
# Words that say nothing of a thing that could be seen.
_UNSEEN_WORDS = wordset("""
    other same different own various several certain main such new beautiful nice pretty lovely
    famous typical good great perfect real first second third last next another whole very top
    bottom left right front back single solitary visible distant nearby
""")


@cache
def _normal_words() -> Mapping[str, str]:
    return {word: group.split()[0] for group in _SYNONYMS for word in group.split()}


def is_shape(label: str) -> bool:
    """Return whether a thing is called by its shape."""
    return label.casefold() in _SHAPES


def normal(word: str) -> str:
    """Return the word we use for a word: "grey" for "gray", "round" for "circular"."""
    plain = " ".join(word.casefold().split())
    return _normal_words().get(plain, plain)


def meets(expected: str, observed: str) -> bool:
    """Return whether what is seen is what was asked for, by our words and their neighbors."""
    expected = normal(expected)
    observed = normal(observed)
    return expected == observed or observed in _NEAR.get(expected, ())


@cache
def _kinds() -> Mapping[str, str]:
    """Return the kind of every word of the lists."""
    kinds = {
        word: kind
        for words_by_kind in (CHOICES, _MORE_WORDS)
        for kind, words in words_by_kind.items()
        for word in words
    }
    return kinds | dict.fromkeys(COLORS, "color")


def kind(word: str) -> str | None:
    """Return the kind of attribute that a word is; None where nothing of it could be seen."""
    plain = word.casefold()
    if plain in _UNSEEN_WORDS or plain in language.STOP or plain.isdigit():
        return None
    return _kinds().get(plain) or _kinds().get(normal(plain)) or STATE


@cache
def describing_words() -> frozenset[str]:
    """Return the words that describe and do not name: "leather" in "a leather wallet"."""
    single = {word for word in _kinds() if " " not in word}
    synonyms = {word for word, ours in _normal_words().items() if ours in _kinds()}
    return frozenset((single | synonyms) - wordset("rectangle triangle fur wood square"))


def choices(attribute_kind: str, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what a judge may choose from, the words that were asked for among them."""
    return tuple(dict.fromkeys((*CHOICES[attribute_kind], *(normal(word) for word in asked))))
