"""Accepts a person's picture: checks it before unpacking, and makes a plain PNG of it."""

import io
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from hallascope.backends.images import DAMAGES, MAX_PIXELS, UnreadableImage, to_rgb
from hallascope.engine.errors import BadImage

MAX_BYTES = 20 * 2**20
FORMATS = ("PNG", "JPEG", "WEBP", "AVIF", "BMP", "GIF", "TIFF")
_SMALL_SIDE = 16  # pixels; hardly anything can be seen on less
_LONG = 8  # times as long as wide; a judge sees it made much smaller


def accept(path: Path) -> bytes:
    """Return the picture in a file as PNG bytes, RGB, upright, without metadata.

    Raises BadImage with one sentence.
    """
    name = path.name
    try:
        size = path.stat().st_size
    except OSError as error:
        raise BadImage(
            f"The file {name!r} cannot be read ({error.strerror}): choose another."
        ) from error
    if size > MAX_BYTES:
        raise BadImage(
            f"The file {name!r} has {size / 2**20:.0f} MB; at most {MAX_BYTES // 2**20} MB are"
            " taken: make it smaller."
        )
    data = path.read_bytes()
    try:
        return _png(data, name)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(name, "far more pixels than its size suggests") from error
    except UnidentifiedImageError as error:
        raise BadImage(
            f"The file {name!r} is no image that can be read: use one of {', '.join(FORMATS)}."
        ) from error
    except UnreadableImage as error:
        raise BadImage(f"The image {name!r} {error}.") from error
    except DAMAGES as error:
        raise BadImage(
            f"The image {name!r} is damaged or cut off: save or download it again."
        ) from error


def image_notes(path: Path) -> list[str]:
    """Return what is odd about a picture that `accept` takes, each as the end of a sentence."""
    notes: list[str] = []
    with Image.open(path, formats=FORMATS) as image:
        width, height = image.size
        if (frames := getattr(image, "n_frames", 1)) > 1:
            notes.append(f"has {frames} frames; the first is taken")
        if min(width, height) < _SMALL_SIDE:
            notes.append(f"has only {width} x {height} pixels, on which hardly anything is seen")
        elif max(width, height) > _LONG * min(width, height):
            notes.append(f"has {width} x {height} pixels; judges see such a strip much smaller")
        if image.has_transparency_data and image.convert("RGBA").getchannel("A").getbbox() is None:
            notes.append("is fully transparent, and so a white image")
    return notes


def _png(data: bytes, name: str) -> bytes:
    """Return a picture as PNG bytes. Raises BadImage, and what Pillow raises of damaged files."""
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise _too_many_pixels(name, f"{width:,} x {height:,} pixels")
        image.load()
        ImageOps.exif_transpose(image, in_place=True)
        stream = io.BytesIO()
        to_rgb(image).save(stream, "PNG")
    return stream.getvalue()


def _too_many_pixels(name: str, pixels: str) -> BadImage:
    return BadImage(
        f"The image {name!r} has {pixels}; at most {MAX_PIXELS // 1_000_000} million are taken:"
        " make it smaller."
    )
