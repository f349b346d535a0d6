"""Holds the words by which a text says how a thing stands to another, and how these are related.

A relation is "left of", "on", "behind" and so on; every spelling of it is listed here.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

_SIDES_OF = (
    "to the {} of",
    "on the {} of",
    "at the {} of",
    "{} of",
    "to the {} side of",
    "on the {} side of",
    "at the {} side of",
)
_SIDES_ALONE = (
    "on the {}",
    "to the {}",
    "at the {}",
    "on the {} side",
    "on its {}",
    "to its {}",
    "on their {}",
    "to their {}",
)


def _sides(side: str) -> tuple[str, ...]:
    spellings = (side, f"{side} hand", f"{side} - hand")
    return tuple(form.format(spelling) for spelling in spellings for form in _SIDES_OF)


# relation -> the words that say it, followed by what it is said of
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "left of": _sides("left"),
    "right of": _sides("right"),
    "above": ("above", "over"),
    "below": ("below", "under", "beneath", "underneath", "on the bottom of", "at the bottom of"),
    "on": ("on", "on top of", "on the top of", "atop", "upon"),
    "in": ("in", "inside", "inside of", "within"),
    "next to": ("next to", "beside", "near", "close to", "alongside", "adjacent to", "on side of"),
    "in front of": ("in front of", "in the front of"),
    "behind": ("behind", "in back of"),
}
# relation -> the words that say it without what it is said of: "on the right", "to its left"
_RELATIONS_ALONE: Mapping[str, tuple[str, ...]] = {
    "left of": tuple(form.format("left") for form in _SIDES_ALONE),
    "right of": tuple(form.format("right") for form in _SIDES_ALONE),
}
INVERSE: Mapping[str, str] = {
    "left of": "right of",
    "right of": "left of",
    "above": "below",
    "below": "above",
    "in front of": "behind",
    "behind": "in front of",
    "next to": "next to",
}
# what also counts where a relation is asked for, by the lenient rule
KIN: Mapping[str, tuple[str, ...]] = {"on": ("above",), "above": ("on",), "in": ("on",)}


class Spelling(NamedTuple):
    """A relation, and whether what it is said of must follow its words."""

    relation: str
    has_anchor: bool


@cache
def spellings() -> Mapping[tuple[str, ...], Spelling]:
    """Return the words of every spelling with what they say."""
    with_anchor = {
        tuple(words.split()): Spelling(relation, True)
        for relation, spelled in RELATIONS.items()
        for words in spelled
    }
    alone = {
        tuple(words.split()): Spelling(relation, False)
        for relation, spelled in _RELATIONS_ALONE.items()
        for words in spelled
    }
    return with_anchor | alone


@cache
def longest_spelling() -> int:
    """Return how many words the longest spelling has."""
    return max(len(words) for words in spellings())


def relation_words(relation: str) -> str:
    """Return a relation as a sentence says it: "to the left of"."""
    return f"to the {relation}" if relation in ("left of", "right of") else relation
