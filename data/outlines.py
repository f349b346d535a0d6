"""Turns masks into polygons that a page can draw: outlines with holes, smoothed, simplified."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hallascope.data.masks import Heat, Pixels, array
from hallascope.data.regions import Mask

OutlinePoint = tuple[float, float]  # (x, y) as shares of width and height, from the top left corner
# closed: the last point leads to the first; holes run the other way round
Polygon = tuple[OutlinePoint, ...]
Polyline = NDArray[np.float64]  # (points, 2)

# how far an outline may be moved, as a share of the picture's longer side: not half a pixel of 512
FINE = 0.4 / 512
LEAST = 6  # pixels; smaller islands and holes are not drawn
# pixels of the longer side on which outlines are looked for; larger masks are averaged down to it
_MOST = 512
_REACH = 2  # points to each side over which the stairs of pixels are smoothed


@lru_cache(maxsize=512)
def polygons(mask: Mask) -> tuple[Polygon, ...]:
    """Return the outlines of a mask, those of its holes among them; () where it is empty."""
    return trace(array(mask))


def trace(pixels: Pixels) -> tuple[Polygon, ...]:
    """The outlines of an array (height, width) of truth values, points in [0, 1].

    Islands of a few pixels are left out.
    """
    rows = np.flatnonzero(pixels.any(axis=1))
    columns = np.flatnonzero(pixels.any(axis=0))
    if not rows.size:
        return ()
    height, width = pixels.shape
    step = -(-max(height, width) // _MOST)
    top = rows[0]
    left = columns[0]
    lines = _contours(_coarse(pixels[top : rows[-1] + 1, left : columns[-1] + 1], step))
    placed = ((line * step + (left, top)) for line in lines)
    return tuple(
        _to_polygon(line, width, height) for line in placed if abs(area(line)) >= LEAST * step**2
    )


def _coarse(pixels: Pixels, step: int) -> Heat:
    """Return the mean of every `step` x `step` pixels."""
    if step == 1:
        return pixels.astype(np.float64)
    height, width = (-(-side // step) * step for side in pixels.shape)
    padded = np.zeros((height, width), dtype=np.float32)
    padded[: pixels.shape[0], : pixels.shape[1]] = pixels
    mean: Heat = padded.reshape(height // step, step, width // step, step).mean(axis=(1, 3))
    return mean


def _contours(shares: Heat) -> list[Polyline]:
    """Return closed lines where the share passes a half, in pixels from the upper left corner.

    The end of a line is not its start again.
    """
    import contourpy

    lines = contourpy.contour_generator(z=np.pad(shares, 1)).lines(0.5)
    # A point moves by the pixel of padding, and by half a pixel to the pixel's corner.
    return [np.asarray(line, dtype=np.float64)[:-1] - 0.5 for line in lines]


def _to_polygon(line: Polyline, width: int, height: int) -> Polygon:
    kept = simplify(smooth(line), FINE * max(width, height)) / (width, height)
    return tuple((x, y) for x, y in np.clip(kept, 0, 1).round(4).tolist())


def smooth(line: Polyline, reach: int = _REACH) -> Polyline:
    """Return a closed line with every point at the mean of its neighbors, `reach` to each side.

    A short line stays as it is.
    """
    if len(line) < 8 * reach:
        return line
    mean: Polyline = np.mean([np.roll(line, k, axis=0) for k in range(-reach, reach + 1)], axis=0)
    return mean


def simplify(line: Polyline, tolerance: float) -> Polyline:
    """Return as few points of a closed line as keep it within the tolerance.

    It is the method of Douglas and Peucker, Cartographica 10, 1973.
    """
    # Points as complex numbers make a distance two steps.
    closed = np.append(line, line[:1], axis=0) @ np.array([1, 1j])
    far = int(np.abs(closed - closed[0]).argmax())
    kept = {0, far}
    waiting = [(0, far), (far, len(line))]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        off = _distances(closed[first + 1 : last], closed[first], closed[last])
        worst = int(off.argmax())
        if off[worst] > tolerance:
            between = first + 1 + worst
            kept.add(between)
            waiting += [(first, between), (between, last)]
    return line[sorted(kept)]


def _distances(
    points: NDArray[np.complexfloating], start: complex, end: complex
) -> NDArray[np.float64]:
    """Return how far points lie from the line through two others."""
    along = end - start
    length = abs(along)
    off: NDArray[np.float64] = (
        np.abs(((points - start) * along.conjugate()).imag) / length
        if length
        else np.abs(points - start)
    )
    return off


def area(polygon: Sequence[OutlinePoint] | Polyline) -> float:
    """Return the signed area of a closed line (shoelace rule), in squares of its units."""
    xs, ys = np.asarray(polygon, dtype=float).T
    return float((xs * np.roll(ys, -1) - np.roll(xs, -1) * ys).sum() / 2)


def middle(polygon: Sequence[OutlinePoint] | Polyline) -> OutlinePoint:
    """Return the centroid of the area within a closed line.

    Where it has no area, it is the mean of its points.
    """
    xs, ys = np.asarray(polygon, dtype=float).T
    cross = xs * np.roll(ys, -1) - np.roll(xs, -1) * ys
    if abs(cross.sum()) < 1e-12:
        return float(xs.mean()), float(ys.mean())
    x, y = (float(((c + np.roll(c, -1)) * cross).sum() / (3 * cross.sum())) for c in (xs, ys))
    return x, y
