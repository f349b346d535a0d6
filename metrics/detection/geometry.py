"""Compares boxes and masks of two things: what they share, and how one stands to the other."""

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
    """Holds a place in a picture as shares of its width and height, from the top left corner."""

    x: float
    y: float


def center(mask: Mask) -> Center | None:
    """Return mean x and y of the mask's pixels, what the FiG paper calls the median.

    None where it is empty.
    """
    rows, columns = np.nonzero(masks.array(mask))
    if not rows.size:
        return None
    return Center(
        (float(columns.mean()) + 0.5) / mask.width, (float(rows.mean()) + 0.5) / mask.height
    )


def middle(box: Box) -> Center:
    """Return the middle of a box."""
    return Center((box.left + box.right) / 2, (box.top + box.bottom) / 2)


def covered_share(box: Box, other: Box) -> float:
    """Return the share of a box that another covers, in [0, 1]."""
    return shared_area(box, other) / box.area


def mostly_covered(box: Box, other: Box) -> bool:
    """Return whether one of two boxes mostly covers the other."""
    return max(covered_share(box, other), covered_share(other, box)) > COVERED


def same_box(box: Box, other: Box) -> bool:
    """Return whether two boxes overlap so much that they are of one thing."""
    return overlap(box, other) > SAME


def mask_within(mask: Mask, other: Mask) -> bool:
    """Return whether another mask covers most of this one; False for pictures of two sizes."""
    if (mask.height, mask.width) != (other.height, other.width):
        return False
    both = int(np.logical_and(masks.array(mask), masks.array(other)).sum())
    return both > COVERED * masks.area(mask)


def masks_cover(mask: Mask, other: Mask) -> bool:
    """Return whether one of two masks mostly covers the other."""
    return mask_within(mask, other) or mask_within(other, mask)


def shared_area(box: Box, other: Box) -> float:
    """Return the area that two boxes share, as a share of the picture."""
    across = _overlap_across(box, other)
    down = _overlap_down(box, other)
    return max(0.0, across) * max(0.0, down)


def touches(box: Box, other: Box) -> bool:
    """Return whether two boxes overlap, or at most `TOUCH` lies between them."""
    return min(_overlap_across(box, other), _overlap_down(box, other)) >= -TOUCH


def relations(a: Box, a_center: Center, b: Box, b_center: Center) -> frozenset[str]:
    """Return how the thing in box `a` stands to that in box `b`, by boxes and centers alone.

    left of, right of, above, below: the centers lie apart along that side by `APART` and by half of
    the mean size along it; on: above it, over at least half of the narrower one, and reaching into
    its upper part or to within `TOUCH` of it; in: nine tenths of its box lie within the other's,
    which is much larger; next to: side by side with at most `CLOSE` between them. What stands in
    front or behind cannot be told from boxes.
    """
    across = b_center.x - a_center.x
    down = b_center.y - a_center.y
    wide = max(APART, (a.right - a.left + b.right - b.left) / 4)
    high = max(APART, (a.bottom - a.top + b.bottom - b.top) / 4)
    is_close = _overlap_across(a, b) >= -CLOSE
    is_level = _overlap_down(a, b) >= 0.5 * min(_height(a), _height(b))
    holds = {
        "left of": across >= wide,
        "right of": -across >= wide,
        "above": down >= high,
        "below": -down >= high,
        "on": a_center.y < b_center.y and _is_on(a, b),
        "in": shared_area(a, b) >= 0.9 * a.area and a.area < 0.7 * b.area,
        "next to": abs(across) >= wide and is_level and is_close,
    }
    return frozenset(relation for relation in holds if holds[relation])


def _is_on(a: Box, b: Box) -> bool:
    is_over = _overlap_across(a, b) >= 0.5 * min(_width(a), _width(b))
    return is_over and b.top - TOUCH <= a.bottom <= b.bottom and a.top < (b.top + b.bottom) / 2


def _width(box: Box) -> float:
    return box.right - box.left


def _height(box: Box) -> float:
    return box.bottom - box.top


def _overlap_across(box: Box, other: Box) -> float:
    """Return how far two boxes overlap in x; below 0 what lies between them."""
    return min(box.right, other.right) - max(box.left, other.left)


def _overlap_down(box: Box, other: Box) -> float:
    """Return how far two boxes overlap in y; below 0 what lies between them."""
    return min(box.bottom, other.bottom) - max(box.top, other.top)
