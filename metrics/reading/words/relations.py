"""Holds the relations of place: their names, their spellings, and which of them boxes can show."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from hallascope.metrics.reading.words.language import LISTS

PART_OF = "part of"
RELATIONS = tuple(LISTS["relations"])
# those that the boxes of two objects can show
BOX_RELATIONS = RELATIONS[: RELATIONS.index("between")]
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
    """A relation, and whether its words need an object behind them."""

    relation: str
    has_object: bool


@cache
def spellings() -> Mapping[tuple[str, ...], Spelling]:
    """Return every spelling of a relation of place, as words, with the relation."""
    return {
        tuple(spelling.split()): Spelling(relation, section == "relations")
        for section in ("relations", "image_places")
        for relation, spelled in LISTS[section].items()
        for spelling in spelled
    }


FIRST_WORDS = frozenset(words[0] for words in spellings())
LONGEST_SPELLING = max(len(words) for words in spellings())


def relation_words(relation: str) -> str:
    """Return a relation as a sentence says it: "to the left of"."""
    return f"to the {relation}" if relation in ("left of", "right of") else relation


def box_relation(words: str) -> str:
    """Return the relation that boxes can show, "" for another: "left of" for "on the left"."""
    spelling = spellings().get(tuple(words.casefold().split()))
    relation = spelling.relation if spelling else words.casefold()
    if relation in ("left", "right"):
        return f"{relation} of"
    return relation if relation in BOX_RELATIONS else ""
