"""Holds the attributes of scene-graph QA: kinds of words, synonyms, and judges' choices.

It knows no picture. The kinds are the paper's (colour, shape, texture), with "state" for whatever
else describes a thing; the words are those of T2I-CompBench's prompts and of the Primer world.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from hallascope.metrics.parsing import language
from hallascope.metrics.parsing.language import wordset
from hallascope.metrics.parsing.parser import COLORS

ASKED = ("color", "shape", "texture")  # of every thing that is seen
STATE = "state"
NUMBER = "number"
CHOICES: Mapping[str, tuple[str, ...]] = {
    "color": (
        *(
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
        ),
        *("gold", "silver", "beige"),
    ),
    "shape": (
        *(
            "round",
            "oval",
            "square",
            "rectangular",
            "triangular",
            "hexagonal",
            "star-shaped",
            "heart-shaped",
            "cross-shaped",
        ),
        *(
            "crescent-shaped",
            "spherical",
            "cubic",
            "cylindrical",
            "conical",
            "pyramidal",
            "irregular",
        ),
    ),
    "texture": (
        *(
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
        ),
        *("furry", "feathered", "scaly", "stone", "paper"),
    ),
}
# words that say the same, the first of each being ours
_SAME = (
    *(
        "round circular",
        "oval elliptical oblong",
        "rectangular rectangle",
        "triangular triangle",
        "spherical ball-shaped globular",
    ),
    *(
        "cubic cubical cube-shaped cuboid",
        "cylindrical cylinder-shaped",
        "conical cone-shaped",
        "pyramidal pyramid-shaped",
    ),
    *(
        "hexagonal hexagon-shaped",
        "star-shaped starlike",
        "crescent-shaped",
        "heart-shaped",
        "cross-shaped",
        "irregular",
        "square",
    ),
    *(
        "wooden wood",
        "metallic metal steel iron",
        "glass glassy",
        "leather leathery",
        "plastic",
        "rubber rubbery",
    ),
    *(
        "fabric cloth cotton silk woolen woollen",
        "fluffy",
        "furry fur",
        "feathered feathery",
        "scaly",
        "stone",
        "paper",
    ),
    *(
        "dotted spotted",
        "striped banded",
        "checked checkered chequered",
        "plain",
        "grey gray",
        "gold golden",
    ),
)
# neighbours in meaning that a judge may give for one another; what was asked is met by either
_NEAR: Mapping[str, frozenset[str]] = {
    **{one: frozenset({"fluffy", "furry"}) for one in ("fluffy", "furry")},
    **{one: frozenset({"round", "spherical"}) for one in ("round", "spherical")},
    **{one: frozenset({"square", "cubic"}) for one in ("square", "cubic")},
    **{one: frozenset({"red", "crimson", "scarlet"}) for one in ("crimson", "scarlet")},
    **{
        one: frozenset({"purple", "violet", "indigo", "lavender"})
        for one in ("violet", "indigo", "lavender")
    },
    **{one: frozenset({"blue", "light blue"}) for one in ("blue", "light blue", "navy")},
}
_MORE: Mapping[str, frozenset[str]] = {
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
# what is said of a thing and nothing can be seen of
_SILENT = wordset("""
    other same different own various several certain main such new beautiful nice pretty lovely
    famous typical good great perfect real first second third last next another whole very top
    bottom left right front back single solitary visible distant nearby
""")


@cache
def _ours() -> Mapping[str, str]:
    return {word: group.split()[0] for group in _SAME for word in group.split()}


def is_shape(label: str) -> bool:
    """Whether a thing is called by its shape."""
    return label.casefold() in _SHAPES


def normal(word: str) -> str:
    """The word we use for it: "gray" is grey, "circular" is round."""
    plain = " ".join(word.casefold().split())
    return _ours().get(plain, plain)


def meets(asked: str, seen: str) -> bool:
    """Whether what is seen is what was asked for, by our words and their neighbours."""
    one = normal(asked)
    other = normal(seen)
    return one == other or other in _NEAR.get(one, ())


@cache
def _kinds() -> Mapping[str, str]:
    found = {word: kind for kind, words in CHOICES.items() for word in words} | {
        word: kind for kind, words in _MORE.items() for word in words
    }
    return found | dict.fromkeys(COLORS, "color")


def kind(word: str) -> str | None:
    """The kind of attribute that a word is; None where it says nothing that could be seen."""
    plain = word.casefold()
    if plain in _SILENT or plain in language.STOP or plain.isdigit():
        return None
    return _kinds().get(plain) or _kinds().get(normal(plain)) or STATE


@cache
def describing() -> frozenset[str]:
    """The words that describe and do not name: "leather" in "a leather wallet"."""
    words = {word for word in _kinds() if " " not in word} | {
        word for word, ours in _ours().items() if ours in _kinds()
    }
    return frozenset(words - wordset("rectangle triangle fur wood square"))


def choices(of: str, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """What a judge may choose from, the words that were asked for among them."""
    return tuple(dict.fromkeys((*CHOICES[of], *map(normal, asked))))
