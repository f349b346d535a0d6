"""Converts images: to PNG without texts for a service, and to plain RGB from it."""

import base64
import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from hallascope.data.records import Picture
from hallascope.data.regions import Box, window

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 40_000_000
SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The bytes of a chunk's length, type and checksum.
_CHUNK_OVERHEAD = 12
# The chunks that pixels depend on.
_PIXEL_CHUNKS = frozenset(
    {b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"IDAT", b"IEND"}
)
# What a damaged file makes its readers raise.
DAMAGES = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    OverflowError,
    EOFError,
    struct.error,
    zlib.error,
)


_WHITE = 255
_WHITE_16 = 65535
# Floats that end between 1 and this are those of no scale: from 0 to 255 they would be black.
_DARKEST = 16
_ORIENTATION = 0x0112  # in EXIF; 1 is upright
_TIFF_BITS, _TIFF_PHOTOMETRIC = 258, 262
# Pillow converts colors that are multiplied with their alpha only to these.
_STRAIGHT_ALPHA = {"La": "LA", "RGBa": "RGBA"}


class UnreadableImage(ValueError):
    """Says why an image is not accepted, as the end of a sentence."""


@lru_cache(maxsize=32)
def data_url(picture: Picture, region: Box | None = None) -> str:
    """Return a PNG file, or a region of it, as a data URL without its texts.

    A judge must not read the prompt in them. Raises DAMAGES.
    """
    from PIL import Image

    png = without_texts(picture.path.read_bytes())
    if region:
        stream = io.BytesIO()
        with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
            crop(image, region).save(stream, "PNG")
        png = stream.getvalue()
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def open_rgb(picture: Picture) -> "Image":
    """Return the image in RGB. Raises DAMAGES."""
    from PIL import Image

    with Image.open(picture.path) as image:
        return to_rgb(image)


def crop(image: "Image", region: Box | None, square: bool = False) -> "Image":
    """Return the window of a region, with a little of what is around it, or the whole image."""
    return image.crop(window(region, image.width, image.height, square)) if region else image


def without_texts(png: bytes) -> bytes:
    """Return the same pixels, bit by bit, with only those chunks that pixels depend on.

    Raises ValueError where it is no whole PNG.
    """
    kept = [chunk for kind, chunk in png_chunks(png) if kind in _PIXEL_CHUNKS]
    return b"".join([SIGNATURE, *kept])


def png_chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield each chunk of a PNG with its type, the last of which is IEND.

    Raises ValueError where it is no whole PNG, or a checksum is wrong.
    """
    if not png.startswith(SIGNATURE):
        raise ValueError("it is no PNG")
    start, kind = len(SIGNATURE), b""
    while kind != b"IEND":
        if start + _CHUNK_OVERHEAD > len(png):
            raise ValueError("it is cut off")
        size, kind = struct.unpack_from(">I4s", png, start)
        chunk = png[start : start + _CHUNK_OVERHEAD + size]
        if zlib.crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:]):
            raise ValueError("it is cut off or damaged")
        yield kind, chunk
        start += len(chunk)


def to_rgb(image: "Image") -> "Image":
    """Return a fresh image in RGB without metadata, white where it is transparent.

    No value is clipped: 16-bit gray is scaled to 8 bits, whole numbers and floats by the range of
    0 to 1, 255 or 65535 that their values lie in. Raises UnreadableImage where they lie in none.
    """
    from PIL import Image

    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _scale_gray(image)
    clear = image.info.get("transparency")
    if isinstance(clear, tuple) and max(clear) > _WHITE:  # of 16 bits, as the file has them
        image = image.copy()
        image.info["transparency"] = tuple(value >> 8 for value in clear)
    if image.mode == "LAB":
        raise UnreadableImage("has colors of the kind LAB, which are not read: save it as RGB")
    layer = image.convert(_STRAIGHT_ALPHA.get(image.mode, "RGBA")).convert("RGBA")
    plain = Image.new("RGB", image.size, "white")
    plain.paste(layer, mask=layer.getchannel("A"))
    return plain


def upright(image: "Image") -> "Image":
    """Return an image as its EXIF data says it is held; one that lies right as it is."""
    from PIL import ImageOps

    turned = image.getexif().get(_ORIENTATION, 1) != 1
    return ImageOps.exif_transpose(image) if turned else image


def _scale_gray(image: "Image") -> "Image":
    """Return a gray image of more than 8 bits in RGB. Raises UnreadableImage."""
    import numpy as np
    from PIL import Image

    values = np.asarray(image)
    tags = getattr(image, "tag_v2", {})  # of a TIFF
    high = float(values.max())
    ends: list[float] = [1, _WHITE, _WHITE_16] if image.mode == "F" else [_WHITE, _WHITE_16]
    if image.mode.startswith("I;16"):
        ends = [2 ** tags.get(_TIFF_BITS, (16,))[0] - 1]
    white = next((end for end in ends if high <= end), 0)
    is_unclear = image.mode == "F" and 1 < high < _DARKEST
    if not white or is_unclear or not (np.isfinite(values).all() and values.min() >= 0):
        raise UnreadableImage(
            f"has values from {values.min():g} to {high:g}, which no scale of gray has: save it"
            " with 8 or 16 bits"
        )
    gray = np.rint(values * (_WHITE / white)).astype(np.uint8)
    if tags.get(_TIFF_PHOTOMETRIC) == 0:  # zero is white
        gray = _WHITE - gray
    clear = image.info.get("transparency")
    if isinstance(clear, int):
        gray[values == clear] = _WHITE
    return Image.fromarray(gray).convert("RGB")


def as_png(data: bytes) -> bytes:
    """Convert any common image to PNG: RGB, white where transparent, without metadata.

    Raises UnreadableImage.
    """
    from PIL import Image

    with (
        _as_unreadable(),
        Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as image,
    ):
        return encode_png(image)


def encode_png(image: "Image") -> bytes:
    """Return an image as PNG, which `as_png` describes. Raises UnreadableImage."""
    stream = io.BytesIO()
    with _as_unreadable():
        if image.width * image.height > MAX_PIXELS:
            raise UnreadableImage(f"has more than {MAX_PIXELS // 1_000_000} million pixels")
        to_rgb(image).save(stream, "PNG")
    return stream.getvalue()


@contextmanager
def _as_unreadable() -> Iterator[None]:
    """Raise UnreadableImage for what a damaged file makes its readers raise."""
    from PIL import Image

    try:
        yield
    except UnreadableImage:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *DAMAGES) as error:
        raise UnreadableImage("is damaged") from error
