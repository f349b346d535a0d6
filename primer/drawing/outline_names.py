"""Names the outline of a mask where it is a plain one: round, oval, square, ...."""

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

OutlineName = Literal["Round", "Oval", "Square", "Rectangular", "Triangular", "Irregular"]
LEAST = 150  # pixels a mask must have: the outline of fewer is that of the grid
# of an ellipse and a mask taken together, the part both have; of a rectangle, the part that the
# mask fills
_FITS = 0.955
_TRIANGLE = (0.45, 0.56)  # of the least rectangle around it, a triangle fills half
_CONVEX = 0.95  # of its hull, what a plain outline fills at least
_CORNERS = np.array([(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)])  # of a pixel
_RAGGED = 0.68  # of its hull, what an irregular outline fills at most


def outline(mask: NDArray[np.bool_]) -> OutlineName | None:
    """Return the outline of a mask (height, width), turned at will.

    None where it is in between two, or too small to tell.
    """
    ys, xs = np.nonzero(mask)
    if len(ys) < LEAST:
        return None
    points = np.stack([xs, ys], axis=1).astype(np.float64)
    if ratio := _ellipse(mask, points):
        if ratio < 1.13:
            return "Round"
        return "Oval" if ratio > 1.3 else None
    from scipy.spatial import ConvexHull

    hull = ConvexHull((points[:, None] + _CORNERS).reshape(-1, 2))
    filled = len(points) / hull.volume  # in the plane the "volume" is the area
    if filled < _RAGGED:
        return "Irregular"
    if filled < _CONVEX:
        return None
    width, height = _least_rectangle(hull.points[hull.vertices])
    share = len(points) / (width * height)
    if share > _FITS:
        ratio = max(width, height) / min(width, height)
        if ratio < 1.12:
            return "Square"
        return "Rectangular" if ratio > 1.3 else None
    return "Triangular" if _TRIANGLE[0] < share < _TRIANGLE[1] else None


def _ellipse(mask: NDArray[np.bool_], points: NDArray[np.float64]) -> float | None:
    """Return how many times longer than broad an ellipse is that the mask fills.

    None where no ellipse does.
    """
    middle = points.mean(axis=0)
    lengths, axes = np.linalg.eigh(np.cov((points - middle).T) + np.eye(2) / 12)
    # The variance along an axis of a filled ellipse is a quarter of its half length squared.
    half = 2 * np.sqrt(lengths)
    ys, xs = np.indices(mask.shape)
    along = (np.stack([xs, ys], axis=-1) - middle) @ axes / half
    inside = (along**2).sum(axis=-1) <= 1
    both = (inside & mask).sum()
    either = (inside | mask).sum()
    return float(half[1] / half[0]) if both > _FITS * either else None


def _least_rectangle(corners: NDArray[np.float64]) -> tuple[float, float]:
    """Return the sides of the rectangle of least area around a convex polygon.

    One of them lies along an edge of it.
    """
    edges = np.roll(corners, -1, axis=0) - corners
    found = (math.inf, (0.0, 0.0))
    for angle in set(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (math.pi / 2), 3).tolist()):
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        sides = np.ptp(corners @ turn, axis=0)
        found = min(found, (float(sides.prod()), (float(sides[0]), float(sides[1]))))
    return found[1]
