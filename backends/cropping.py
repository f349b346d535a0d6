"""Cuts the region a question is about out of a picture, with a little of what is around it; it knows no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from data.seeing import Box

if TYPE_CHECKING:
    from PIL.Image import Image

MARGIN = 0.1  # of the region's longer side, on every side
Window = tuple[int, int, int, int]


def window(region: Box, width: int, height: int, square: bool = False) -> Window:
    """Left, top, right, bottom in px of what is cut out of a picture of `width` x `height` px.

    The region with a margin; with `square` its shorter side is widened to its longer one. What would leave the picture
    is moved into it, and made no larger than it: a long region of an oblong picture may stay oblong.
    """
    across, down = (region.right - region.left) * width, (region.bottom - region.top) * height
    margin = 2 * MARGIN * max(across, down)
    least = max(across, down) if square else 1.0
    left, right = _span(region.left * width, region.right * width, max(across, least) + margin, width)
    top, bottom = _span(region.top * height, region.bottom * height, max(down, least) + margin, height)
    return left, top, right, bottom


def _span(low: float, high: float, length: float, most: int) -> tuple[int, int]:
    """So many px around the middle of two places, at least one, within 0 and `most`."""
    size = min(max(round(length), 1), most)
    start = min(max(round((low + high - size) / 2), 0), most - size)
    return start, start + size


def cut(image: Image, region: Box | None, square: bool = False) -> Image:
    """The window of the region; the whole image where there is no region."""
    return image.crop(window(region, image.width, image.height, square)) if region else image
