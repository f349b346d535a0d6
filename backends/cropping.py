"""Cuts the region a question is about out of a picture, with a little of what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.data.regions import Box, window

if TYPE_CHECKING:
    from PIL.Image import Image


def cut(image: Image, region: Box | None, square: bool = False) -> Image:
    """Return the window of the region, or the whole image where there is no region."""
    return image.crop(window(region, image.width, image.height, square)) if region else image
