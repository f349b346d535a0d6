"""Cuts the region a question is about out of a picture, with a little of what is around it.

It knows no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.data.regions import Box, window

if TYPE_CHECKING:
    from PIL.Image import Image


def cut(image: Image, region: Box | None, square: bool = False) -> Image:
    """The window of the region; the whole image where there is no region."""
    return image.crop(window(region, image.width, image.height, square)) if region else image
