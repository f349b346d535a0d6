"""Compares where things are in an image: the parts of a drawing, and the segments of metrics."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hallascope.data import outlines
from hallascope.data.evidence import SegmentEvidence
from hallascope.data.outlines import Polygon
from hallascope.data.regions import Box

SIDE = 96  # px of the grid on which places are compared
SAME = 0.5  # intersection over union from which two places of one name are of one thing
SAME_WITHOUT_NAME = 0.9  # and from which two places of other names are
WITHIN = 0.9  # share of a place that lies in another whose part it is
LARGER = 1.1  # how much larger the other one is at least

Place = NDArray[np.bool_]  # (SIDE, SIDE), what the thing covers


def segment_place(segment: SegmentEvidence) -> Place:
    """Return what a segment covers: its mask, or its box where it has none."""
    if segment.mask:
        shapes = outlines.polygons(segment.mask)
        if shapes:
            return polygon_place(shapes)
    return box_place(segment.box)


def part_places(shapes: Sequence[Polygon]) -> tuple[Place, ...]:
    """Return what each shape of a part covers, then all of them together."""
    single = [polygon_place((shape,)) for shape in shapes]
    return (*single, polygon_place(tuple(shapes))) if len(single) > 1 else tuple(single)


@lru_cache(maxsize=512)
def polygon_place(shapes: tuple[Polygon, ...]) -> Place:
    """Return what polygons with points in [0, 1] cover, their holes included."""
    from PIL import Image, ImageDraw

    grid = Image.new("1", (SIDE, SIDE))
    draw = ImageDraw.Draw(grid)
    for shape in shapes:
        if len(shape) > 2:
            draw.polygon([(x * (SIDE - 1), y * (SIDE - 1)) for x, y in shape], fill=1)
    return np.asarray(grid, dtype=np.bool_)


def box_place(box: Box) -> Place:
    """Return what a box covers."""
    return polygon_place((box.corners,))


def is_same(one: Place, other: Place, share: float = SAME) -> bool:
    """Return whether two places are of one thing: they cover about the same.

    `share`: the least intersection over union, in (0, 1].
    """
    both = int((one & other).sum())
    return both > 0 and both >= share * int((one | other).sum())


def is_part(part: Place, whole: Place) -> bool:
    """Return whether a place lies within a larger one."""
    area = int(part.sum())
    if area == 0 or int(whole.sum()) < LARGER * area:
        return False
    return int((part & whole).sum()) >= WITHIN * area
