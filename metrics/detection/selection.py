"""Which of the detected things a metric looks at, and which of them are one and the same.

It knows no prompt and no model.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hallascope.data import masks
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.masks import overlap
from hallascope.data.regions import Box, Detection, Mask
from hallascope.metrics.detection.geometry import (
    COVERED,
    covered,
    mask_within,
    masks_cover,
    mostly_covered,
    same_box,
)

MOST = 40  # things of one picture that are looked at


def select_detections(
    found: Sequence[Detection], asked: Sequence[str], most: int = MOST
) -> tuple[list[Detection], list[str]]:
    """What is looked at, things of the prompt first, the surest of each first.

    And one sentence on what was left out.

    `asked` are the phrases of the prompt; other phrases are of a general list. Our reading: two
    boxes of one name are one thing where they overlap by more than `geometry.SAME`, or one mostly
    covers the other; a box around several of its name is none of them; a thing of the general list
    is one of the prompt, or a surer one of the list, where they overlap as much.
    """
    names = {phrase.casefold() for phrase in asked}
    ranked = sorted(found, key=lambda one: (one.phrase.casefold() not in names, -one.score))
    kept: list[Detection] = []
    for one in ranked:
        if not _surrounds(one, found) and not any(_one_thing(one, other, names) for other in kept):
            kept.append(one)
    notes = (
        [
            f"{len(kept) - most} more things were detected and left out: the surest {most} are"
            " looked at."
        ]
        if len(kept) > most
        else []
    )
    return kept[:most], notes


def _one_thing(one: Detection, other: Detection, asked: set[str]) -> bool:
    if one.phrase.casefold() == other.phrase.casefold():
        return same_box(one.box, other.box) or mostly_covered(one.box, other.box)
    return one.phrase.casefold() not in asked and same_box(one.box, other.box)


def _surrounds(one: Detection, found: Sequence[Detection]) -> bool:
    """Whether a box holds two or more others of its name that lie apart and fill half of it."""
    inner = [
        other.box
        for other in found
        if other.phrase == one.phrase
        and other.box != one.box
        and covered(other.box, one.box) > COVERED
    ]
    apart = [
        box
        for at, box in enumerate(inner)
        if all(overlap(box, before) < 0.1 for before in inner[:at])
    ]
    return len(apart) > 1 and sum(box.area for box in apart) >= 0.5 * one.box.area


def merged(
    segments: Sequence[SegmentEvidence], names: Callable[[SegmentEvidence, SegmentEvidence], bool]
) -> tuple[list[SegmentEvidence], list[str]]:
    """Return the segments without those that a surer one shows, and a sentence on it.

    They show the same by place and by what their captions call them.

    Our reading: two detections under two names whose captions name one thing, at one place, are
    that thing.
    """
    kept: list[SegmentEvidence] = []
    for one in segments:
        if not any(
            _one_place(one, other) and names(one, other)
            for other in kept
            if not other.failure and not one.failure
        ):
            kept.append(one)
    fewer = len(segments) - len(kept)
    shown = "1 box shows" if fewer == 1 else f"{fewer} boxes show"
    return kept, (
        [f"{shown} a thing that another box shows already, and was left out."] if fewer else []
    )


def _one_place(one: SegmentEvidence, other: SegmentEvidence) -> bool:
    if same_box(one.box, other.box):
        return True
    return (
        mostly_covered(one.box, other.box)
        and one.mask is not None
        and other.mask is not None
        and masks_cover(one.mask, other.mask)
    )


def called_at(box: Box, found: Sequence[Detection]) -> tuple[str, ...]:
    """Under which phrases something was detected at a place, the surest first."""
    there = [one for one in found if same_box(one.box, box)]
    return tuple(dict.fromkeys(one.phrase for one in sorted(there, key=lambda one: -one.score)))


def is_part(one: SegmentEvidence, others: Sequence[SegmentEvidence]) -> bool:
    """Whether a larger thing covers most of it.

    Told from masks alone, as the box of a bed also holds the cat on it.
    """
    return one.mask is not None and any(_holds(other, one.mask) for other in others)


def _holds(one: SegmentEvidence, mask: Mask) -> bool:
    return (
        one.mask is not None
        and masks.area(one.mask) > masks.area(mask)
        and mask_within(mask, one.mask)
    )


def without_parts(
    segments: Sequence[SegmentEvidence], asked: Sequence[str]
) -> tuple[list[SegmentEvidence], list[str]]:
    """Return the segments without unasked ones within a larger one, and a sentence on it.

    Such a segment is a part of the larger one.
    """
    names = {phrase.casefold() for phrase in asked}
    kept = [one for one in segments if one.phrase.casefold() in names or not is_part(one, segments)]
    gone = ", ".join(dict.fromkeys(one.phrase for one in segments if one not in kept))
    return kept, (
        [f"What was detected within a larger thing is a part of it, and was left out: {gone}."]
        if gone
        else []
    )


def numbered(segments: Sequence[SegmentEvidence]) -> tuple[SegmentEvidence, ...]:
    """With names s1, s2, ... in their order."""
    return tuple(replace(one, name=f"s{at}") for at, one in enumerate(segments, 1))
