"""Converts pictures: to PNG without texts for a service, and to plain RGB from it."""

import base64
import io
import struct
import zlib
from functools import lru_cache

from hallascope.backends.cropping import cut
from hallascope.data.records import Picture
from hallascope.data.regions import Box

MAX_PIXELS = 40_000_000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
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


class BadPicture(ValueError):
    """Says why a picture is not accepted, as the end of a sentence."""


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
            cut(image, region).save(stream, "PNG")
        png = stream.getvalue()
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def without_texts(png: bytes) -> bytes:
    """Return the same pixels, bit by bit, with only those chunks that pixels depend on.

    Raises ValueError where it is no whole PNG.
    """
    if not png.startswith(_SIGNATURE):
        raise ValueError("it is no PNG")
    chunks = [_SIGNATURE]
    start = len(_SIGNATURE)
    while start + _CHUNK_OVERHEAD <= len(png):
        size, chunk_type = struct.unpack_from(">I4s", png, start)
        end = start + _CHUNK_OVERHEAD + size
        if end > len(png):
            break
        if chunk_type in _PIXEL_CHUNKS:
            chunks.append(png[start:end])
        if chunk_type == b"IEND":
            return b"".join(chunks)
        start = end
    raise ValueError("it is cut off")


def as_png(data: bytes) -> bytes:
    """Convert any common picture to PNG: RGB, white where transparent, without metadata.

    Raises BadPicture.
    """
    from PIL import Image

    stream = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as image:
            if image.width * image.height > MAX_PIXELS:
                raise BadPicture(f"has more than {MAX_PIXELS // 1_000_000} million pixels")
            plain = Image.new("RGB", image.size, "white")
            if "A" in image.getbands() or "transparency" in image.info:
                layer = image.convert("RGBA")
                plain.paste(layer, mask=layer.getchannel("A"))
            else:
                plain.paste(image.convert("RGB"))
        plain.save(stream, "PNG")
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *DAMAGES) as error:
        raise BadPicture("is damaged") from error
    return stream.getvalue()
