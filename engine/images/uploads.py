"""Accepts a person's picture: checks it before unpacking, and makes a plain PNG of it."""

import io
from contextlib import suppress
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from hallascope.backends.images import (
    DAMAGES,
    MAX_PIXELS,
    SIGNATURE,
    UnreadableImage,
    png_chunks,
    to_rgb,
)
from hallascope.engine.errors import BadImage

MAX_BYTES = 20 * 2**20
FORMATS = ("PNG", "JPEG", "WEBP", "AVIF", "BMP", "GIF", "TIFF")
_ORIENTATION = 0x0112  # in EXIF; 1 is upright
_RGB = b"\x08\x02\x00\x00\x00"  # in a PNG's header: 8 bits, RGB, not interlaced
_SMALL_SIDE = 16  # pixels; hardly anything can be seen on less
_LONG = 8  # times as long as wide; a judge sees it made much smaller


def accept(path: Path) -> bytes:
    """Return the image in a file as PNG bytes, RGB, upright, without metadata.

    Raises BadImage with one sentence.
    """
    return plain_png(read_upload(path), path.name)


def read_upload(path: Path) -> bytes:
    """Return the bytes of a file that is not too large. Raises BadImage with one sentence."""
    name = path.name
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise BadImage(
                f"The file {name!r} has {size / 2**20:.0f} MB; at most {MAX_BYTES // 2**20} MB are"
                " taken: make it smaller."
            )
        return path.read_bytes()
    except OSError as error:
        raise BadImage(
            f"The file {name!r} cannot be read ({error.strerror}): choose another."
        ) from error


def plain_png(data: bytes, name: str) -> bytes:
    """Return an image as PNG bytes, RGB, upright, without metadata.

    The pixels of a PNG that is such a one already stay as they are compressed. Raises BadImage with
    one sentence.
    """
    try:
        return _png(data, name)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(name, "far more pixels than its size suggests") from error
    except UnidentifiedImageError as error:
        raise BadImage(
            f"The file {name!r} is not an image that can be read: use one of {', '.join(FORMATS)}."
        ) from error
    except UnreadableImage as error:
        raise BadImage(f"The image {name!r} {error}.") from error
    except DAMAGES as error:
        raise BadImage(
            f"The image {name!r} is damaged or cut off: save or download it again."
        ) from error


def image_notes(data: bytes) -> list[str]:
    """Return what is odd about an image that `plain_png` takes, each as the end of a sentence."""
    notes: list[str] = []
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        width, height = image.size
        if min(width, height) < _SMALL_SIDE:
            notes.append(f"has only {width} x {height} pixels, on which hardly anything is seen")
        elif max(width, height) > _LONG * min(width, height):
            notes.append(f"has {width} x {height} pixels; judges see such a strip much smaller")
        if image.has_transparency_data and image.convert("RGBA").getchannel("A").getbbox() is None:
            notes.append("is fully transparent, and so a white image")
        try:
            frames = getattr(image, "n_frames", 1)
        except DAMAGES:
            notes.append("is damaged behind its first frame, which is taken")
        else:
            if frames > 1:
                notes.append(f"has {frames} frames; the first is taken")
    return notes


def _png(data: bytes, name: str) -> bytes:
    """Return a picture as PNG bytes. Raises BadImage, and what Pillow raises of damaged files."""
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise _too_many_pixels(name, f"{width:,} x {height:,} pixels")
        image.load()
        if image.format == "PNG" and image.getexif().get(_ORIENTATION, 1) == 1:
            with suppress(ValueError):
                return _without_metadata(data)
        ImageOps.exif_transpose(image, in_place=True)
        stream = io.BytesIO()
        to_rgb(image).save(stream, "PNG")
    return stream.getvalue()


def _without_metadata(png: bytes) -> bytes:
    """Return a PNG of 8-bit RGB with its header and pixels alone.

    Raises ValueError where it is of another kind, has several frames, or a checksum is wrong.
    """
    chunks = list(png_chunks(png))
    kinds = {kind for kind, _ in chunks}
    if chunks[0][1][16:21] != _RGB or kinds & {b"tRNS", b"acTL"}:
        raise ValueError("it is not in 8-bit RGB alone")
    kept = [chunk for kind, chunk in chunks if kind in (b"IHDR", b"IDAT", b"IEND")]
    return b"".join([SIGNATURE, *kept])


def encoded_again(png: bytes) -> bytes:
    """Return a PNG of 8-bit RGB as it was kept by version 0.1.0, which encoded every image."""
    stream = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").save(stream, "PNG")
    return stream.getvalue()


def _too_many_pixels(name: str, pixels: str) -> BadImage:
    return BadImage(
        f"The image {name!r} has {pixels}; at most {MAX_PIXELS // 1_000_000} million are taken:"
        " make it smaller."
    )
