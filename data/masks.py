"""Computes with masks as arrays: run lengths, boxes, overlap, and pieces of a heat map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hallascope.data.regions import Box, Mask

Pixels = NDArray[np.bool_]  # (height, width), True where a pixel belongs to the thing
# (height, width), the probability in [0, 1] that a pixel belongs to the thing
Heat = NDArray[np.floating]

_PIECES = 11  # of five bits, beyond which a number needs more than 64


# --- run lengths


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
    return _bounds(array(mask))


def _bounds(pixels: Pixels) -> Box | None:
    rows = np.flatnonzero(pixels.any(axis=1))
    columns = np.flatnonzero(pixels.any(axis=0))
    if not rows.size:
        return None
    height, width = pixels.shape
    return Box(
        columns[0] / width, rows[0] / height, (columns[-1] + 1) / width, (rows[-1] + 1) / height
    )


# --- run lengths as text


def coco(mask: Mask) -> dict[str, object]:
    """Return the mask in COCO's form, ``{"size": [height, width], "counts": "..."}``.

    It is as ``pycocotools`` writes it.
    """
    return {"size": [mask.height, mask.width], "counts": squeeze(mask)}


def parse_mask(said: object) -> object:
    """Return the mask of COCO's form; anything else as it is.

    Raises ValueError where the form holds no mask.
    """
    if not isinstance(said, Mapping) or not isinstance(text := said.get("counts"), str):
        return said
    match said.get("size"):
        case [int(height), int(width)]:
            return unsqueeze(text, height, width)
        case size:
            raise ValueError(
                f"The size {size!r} of a mask is none: give [height, width] in pixels."
            )


def squeeze(mask: Mask) -> str:
    """Return the runs as COCO's compressed text (``rleToString`` of its ``maskApi.c``).

    From the fourth on, a run is told as its difference from the one two before it; each number in
    pieces of five bits, the lowest first, a piece as a character from "0" on, with 32 added where
    another follows; the fifth bit of the last is the sign.
    """
    rest = np.array(mask.counts, dtype=np.int64)
    rest[3:] -= np.array(mask.counts[1:-2], dtype=np.int64)
    codes = []
    left = np.ones(rest.size, dtype=bool)
    while left.any():
        piece = rest & 31
        rest = rest >> 5
        more = left & np.where(piece & 16, rest != -1, rest != 0)
        codes.append(np.where(left, piece + 32 * more + 48, 0))
        left = more
    together = np.stack(codes, axis=1).ravel()
    return together[together > 0].astype(np.uint8).tobytes().decode("ascii")


def unsqueeze(text: str, height: int, width: int) -> Mask:
    """Return the mask of a compressed text.

    Raises ValueError where it is none, or does not fill the picture.
    """
    codes = np.array([ord(character) - 48 for character in text], dtype=np.int64)
    if not codes.size or codes.min() < 0 or codes.max() > 63 or codes[-1] & 32:
        raise ValueError(
            f"The runs {text[:40]!r} of a mask are cut short or hold characters that none has: get"
            " the mask again."
        )
    # The last piece of a number is the one without the bit that says that another follows.
    ends = np.flatnonzero((codes & 32) == 0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    place = np.arange(codes.size) - np.repeat(starts, ends - starts + 1)
    if place.max() > _PIECES:
        raise ValueError(
            f"The runs {text[:40]!r} of a mask hold a number that is longer than any picture: get"
            " the mask again."
        )
    runs = np.add.reduceat((codes & 31) << (5 * place), starts)
    # A number is negative where the fifth bit of its last piece is set.
    runs -= np.where(codes[ends] & 16, np.int64(1) << (5 * (place[ends] + 1)), 0)
    # From the fourth on, runs are told as differences from the one two before.
    runs[1::2] = np.cumsum(runs[1::2])
    runs[2::2] = np.cumsum(runs[2::2])
    return Mask(height, width, tuple(runs.tolist()))


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
    found = []
    for label in np.flatnonzero(sizes >= max(1.0, min_area * heat.size)):
        if label and (bounds := _bounds(pixels := labels == label)):
            found.append(HeatComponent(pixels, bounds, float(heat[pixels].mean())))
    return sorted(found, key=lambda piece: -piece.score)


def overlap(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes, in [0, 1]."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (one.area + other.area - width * height)


def best_component(box: Box, found: Sequence[HeatComponent]) -> HeatComponent | None:
    """Return the piece whose box overlaps this box best; None where none does."""
    best = max(found, key=lambda piece: overlap(piece.box, box), default=None)
    return best if best and overlap(best.box, box) > 0 else None


def box_pixels(box: Box, height: int, width: int) -> Pixels:
    """Return the pixels of a picture of this size that a box holds, in part or whole."""
    pixels = np.zeros((height, width), dtype=bool)
    top = int(box.top * height)
    left = int(box.left * width)
    pixels[top : -int(-box.bottom * height // 1), left : -int(-box.right * width // 1)] = True
    return pixels
