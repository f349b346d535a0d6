"""Finds which things of a row stand behind "with" and belong to who has the first.

"A cabin with a fire in the hearth and skis on the wall" has both; of "a map, boots with laces, a
compass and a bottle" the boots have the laces alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.name_matching import is_animate
from hallascope.metrics.parsing.rules.coordination import (
    is_in_hand,
    joins,
    words_before,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.phrase_index import PhraseIndex


def had_row(doc: Doc, index: PhraseIndex, holder: int, row: Sequence[int]) -> list[int]:
    """Return which things a holder has; `row` is the thing behind "with" and those joined to it."""
    first = index.tokens[holder].start
    is_item = first > 0 and doc[first - 1].text in (",", ":")
    if len(row) > 1 and is_item and _goes_on(doc, index, first - 1, row[0]):
        return [row[0]]
    if not row or is_item or is_animate(index.phrases[holder]):
        return [*row]
    return [*row, *_placed_row(doc, index, row[-1])]


def held_row(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return the bucket of "carries a lamb in one arm and a bucket in the other"."""
    row = [phrase, *_placed_row(doc, index, phrase)]
    ends = [index.tokens[index.last_part(thing)].stop for thing in row]
    return row[1:] if all(is_in_hand(doc, end) for end in ends) else []


def _goes_on(doc: Doc, index: PhraseIndex, mark: int, thing: int) -> bool:
    """Return whether a comma behind a thing goes on with a longer list, in which the holder is.

    `mark` is the comma or colon before the holder. "To the right, a workbench with a can, some pots
    and a radio" is no longer list.
    """
    if doc[index.tokens[index.last_part(thing)].stop].text != ",":
        return False
    at = mark - 1
    while at > 0 and doc[at].text not in (",", ";", ":", "and"):
        at -= 1
    return bool(doc[at + 1 if at else 0].pos_ != "ADP")


def _placed_row(doc: Doc, index: PhraseIndex, phrase: int) -> list[int]:
    """Return the things behind one with a place that have a place, too: "and skis on the wall"."""
    row: list[int] = []
    while True:
        stop = index.tokens[index.last_part(phrase)].stop
        anchor = index.by_first_token.get(stop + 1)
        if anchor is None or stop >= len(doc) or doc[stop].pos_ != "ADP":
            return row
        following = index.last_part(anchor) + 1
        if following >= len(index.phrases) or not joins(words_before(doc, index, following)):
            return row
        stop = index.tokens[index.last_part(following)].stop
        has_place = stop < len(doc) and doc[stop].pos_ == "ADP"
        is_new = is_animate(index.phrases[following])
        if not has_place or is_new or not index.is_thing(following):
            return row
        row.append(following)
        phrase = following
