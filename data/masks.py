"""Computes with masks as arrays: run lengths, boxes, overlap, and pieces of a heat map.

The records of boxes and masks, and a mask's form as text, are in `hallascope.data.regions`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hallascope.data.regions import Box, Mask

Pixels = NDArray[np.bool_]  # (height, width), True where a pixel belongs to the thing
# (height, width), the probability in [0, 1] that a pixel belongs to the thing
Heat = NDArray[np.floating]


# --- run lengths and boxes


def encode(pixels: Pixels) -> Mask:
    """Return the mask of an array (height, width).

    The runs are as ``pycocotools`` counts them before it compresses.
    """
    height, width = pixels.shape
    column = np.asarray(pixels, dtype=bool).ravel(order="F")
    changes = np.flatnonzero(column[1:] != column[:-1]) + 1
    runs = np.diff(np.concatenate(([0], changes, [column.size]))).tolist()
    return Mask(height, width, tuple([0, *runs] if column[0] else runs))


def array(mask: Mask) -> Pixels:
    """Return the mask as an array (height, width) of truth values."""
    values = np.arange(len(mask.counts)) % 2 == 1
    return np.repeat(values, mask.counts).reshape((mask.height, mask.width), order="F")


def area(mask: Mask) -> int:
    """Return how many pixels belong to the thing."""
    return sum(mask.counts[1::2])


def box(mask: Mask) -> Box | None:
    """Return the smallest box that holds the thing; None where the mask is empty."""
    return bounds(array(mask))


def bounds(pixels: Pixels) -> Box | None:
    """Return the smallest box that holds all true pixels; None where there are none."""
    rows = np.flatnonzero(pixels.any(axis=1))
    columns = np.flatnonzero(pixels.any(axis=0))
    if not rows.size:
        return None
    height, width = pixels.shape
    return Box(
        columns[0] / width, rows[0] / height, (columns[-1] + 1) / width, (rows[-1] + 1) / height
    )


# --- connected pieces of a heat map


@dataclass(frozen=True, eq=False)
class HeatComponent:
    """Holds a connected part of a heat map: its pixels, box, and mean probability in [0, 1]."""

    pixels: Pixels
    box: Box
    score: float


def pieces(
    heat: Heat, threshold: float = 0.5, min_area: float = 0.0, join: float = 1.0
) -> list[HeatComponent]:
    """Return the connected parts of a heat map, best first.

    A pixel counts from `threshold` on. Pixels hang together by their sides, not their corners;
    where `join` is lower, also over pixels from `join` on, which themselves do not count. Pieces
    that cover less than the share `min_area` of the picture are dropped.
    """
    from scipy import ndimage

    labels, _ = ndimage.label(heat >= min(join, threshold))
    labels[heat < threshold] = 0
    sizes = np.bincount(labels.ravel())
    components = []
    for label in np.flatnonzero(sizes >= max(1.0, min_area * heat.size)):
        if label and (region := bounds(pixels := labels == label)):
            components.append(HeatComponent(pixels, region, float(heat[pixels].mean())))
    return sorted(components, key=lambda component: -component.score)


def overlap(first: Box, second: Box) -> float:
    """Return the intersection over union of two boxes, in [0, 1]."""
    width = min(first.right, second.right) - max(first.left, second.left)
    height = min(first.bottom, second.bottom) - max(first.top, second.top)
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (first.area + second.area - width * height)


def best_component(box: Box, components: Sequence[HeatComponent]) -> HeatComponent | None:
    """Return the component whose box overlaps this box best; None where none does."""
    best = max(components, key=lambda component: overlap(component.box, box), default=None)
    return best if best and overlap(best.box, box) > 0 else None


def box_pixels(box: Box, height: int, width: int) -> Pixels:
    """Return the pixels of a picture of this size that a box holds, in part or whole."""
    pixels = np.zeros((height, width), dtype=bool)
    top = int(box.top * height)
    left = int(box.left * width)
    pixels[top : -int(-box.bottom * height // 1), left : -int(-box.right * width // 1)] = True
    return pixels
