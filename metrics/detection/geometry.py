"""Boxes and masks of two things: how much they share, and how one stands to the other.

It knows no names and no text.
"""

from typing import NamedTuple

import numpy as np

from hallascope.data import masks
from hallascope.data.masks import overlap
from hallascope.data.regions import Box, Mask

APART = 0.08  # of the picture, what two centers must lie apart at least
CLOSE = 0.15  # of the picture, what may lie between two things that are next to each other
TOUCH = 0.05  # of the picture, what may lie between a thing and what it stands on
SAME = 0.5  # intersection over union from which two boxes are of one thing
COVERED = 0.8  # share of a box or mask that another covers, from which it is mostly covered


class Center(NamedTuple):
    """A place in a picture as shares of its width and height, from the top left corner."""

    x: float
    y: float


def center(mask: Mask) -> Center | None:
    """Mean x and y of the mask's pixels, what the FiG paper calls the median.

    None where it is empty.
    """
    rows, columns = np.nonzero(masks.array(mask))
    if not rows.size:
        return None
    return Center(
        (float(columns.mean()) + 0.5) / mask.width, (float(rows.mean()) + 0.5) / mask.height
    )


def middle(box: Box) -> Center:
    return Center((box.left + box.right) / 2, (box.top + box.bottom) / 2)


def covered(one: Box, other: Box) -> float:
    """The share of a box that another covers, in [0, 1]."""
    return shared(one, other) / one.area


def mostly_covered(one: Box, other: Box) -> bool:
    """Whether one of two boxes mostly covers the other."""
    return max(covered(one, other), covered(other, one)) > COVERED


def same_box(one: Box, other: Box) -> bool:
    return overlap(one, other) > SAME


def mask_within(one: Mask, other: Mask) -> bool:
    """Whether another mask covers most of this one; no where they are of pictures of two sizes."""
    if (one.height, one.width) != (other.height, other.width):
        return False
    both = int(np.logical_and(masks.array(one), masks.array(other)).sum())
    return both > COVERED * masks.area(one)


def masks_cover(one: Mask, other: Mask) -> bool:
    """Whether one of two masks mostly covers the other."""
    return mask_within(one, other) or mask_within(other, one)


def shared(one: Box, other: Box) -> float:
    """What two boxes share, as a share of the picture."""
    return max(0.0, _along(one.left, one.right, other.left, other.right)) * max(
        0.0, _along(one.top, one.bottom, other.top, other.bottom)
    )


def relations(a: Box, at: Center, b: Box, of: Center) -> frozenset[str]:
    """Return how the thing in box `a` with its center `at` stands to that in box `b`.

    It goes by boxes and centers alone. Our reading:

    left of, right of, above, below: the centers lie apart along that side by `APART` and by half of
    the mean size along it; on: above it, over at least half of the narrower one, and reaching into
    its upper part or to within `TOUCH` of it; in: nine tenths of its box lie within the other's,
    which is much larger; next to: side by side with at most `CLOSE` between them. What stands in
    front or behind cannot be told from boxes.
    """
    across = of.x - at.x
    down = of.y - at.y
    wide = max(APART, (a.right - a.left + b.right - b.left) / 4)
    high = max(APART, (a.bottom - a.top + b.bottom - b.top) / 4)
    found = {
        "left of": across >= wide,
        "right of": -across >= wide,
        "above": down >= high,
        "below": -down >= high,
        "on": at.y < of.y and _is_on(a, b),
        "in": shared(a, b) >= 0.9 * a.area and a.area < 0.7 * b.area,
        "next to": abs(across) >= wide
        and _level(a, b)
        and _along(a.left, a.right, b.left, b.right) >= -CLOSE,
    }
    return frozenset(name for name, holds in found.items() if holds)


def _along(low: float, high: float, other_low: float, other_high: float) -> float:
    """How far two stretches overlap; below 0 what lies between them."""
    return min(high, other_high) - max(low, other_low)


def _is_on(a: Box, b: Box) -> bool:
    over = _along(a.left, a.right, b.left, b.right) >= 0.5 * min(a.right - a.left, b.right - b.left)
    return over and b.top - TOUCH <= a.bottom <= b.bottom and a.top < (b.top + b.bottom) / 2


def _level(a: Box, b: Box) -> bool:
    return _along(a.top, a.bottom, b.top, b.bottom) >= 0.5 * min(a.bottom - a.top, b.bottom - b.top)
