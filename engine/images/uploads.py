"""Accepts a person's picture: checks it before unpacking, and makes a plain PNG of it."""

import io
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from hallascope.backends.pictures import DAMAGES, MAX_PIXELS
from hallascope.engine.errors import BadImage

MAX_BYTES = 20 * 2**20
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")


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
    except DAMAGES as error:
        raise BadImage(
            f"The image {name!r} is damaged or cut off: save or download it again."
        ) from error


def _png(data: bytes, name: str) -> bytes:
    """Return a picture as PNG bytes. Raises BadImage, and what Pillow raises of damaged files."""
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise _too_many_pixels(name, f"{width:,} x {height:,} pixels")
        image.load()
        upright = ImageOps.exif_transpose(image)
        stream = io.BytesIO()
        _rgb(upright).save(stream, "PNG")
    return stream.getvalue()


def _too_many_pixels(name: str, pixels: str) -> BadImage:
    return BadImage(
        f"The image {name!r} has {pixels}; at most {MAX_PIXELS // 1_000_000} million are taken:"
        " make it smaller."
    )


def _rgb(image: Image.Image) -> Image.Image:
    """Return the picture in RGB, with white where it is transparent.

    It is a fresh image, so that no metadata comes along.
    """
    if "A" in image.getbands() or "transparency" in image.info:
        layer = image.convert("RGBA")
        plain = Image.new("RGB", image.size, "white")
        plain.paste(layer, mask=layer.getchannel("A"))
        return plain
    plain = image.convert("RGB")
    plain.info.clear()
    return plain
