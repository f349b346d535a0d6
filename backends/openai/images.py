"""Converts pictures: to PNG without texts for a service, and to plain RGB from it."""

import base64
import binascii
import io
import struct
import time
import zlib
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING

from hallascope.backends.cropping import cut
from hallascope.data.records import Picture
from hallascope.data.regions import Box

if TYPE_CHECKING:
    import httpx
    from PIL import Image

    from hallascope.backends.network.public_addresses import Resolve

MAX_BYTES = 20 * 2**20
MAX_PIXELS = 40_000_000
FETCH_SECONDS = 60.0
REDIRECTS = 5
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The bytes of a chunk's length, type and checksum.
_CHUNK_OVERHEAD = 12
# The chunks that pixels depend on.
_PIXEL_CHUNKS = frozenset(
    {b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"IDAT", b"IEND"}
)
_DAMAGED = (
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

    A judge must not read the prompt in them. Raises OSError, ValueError.
    """
    png = without_texts(picture.path.read_bytes())
    if region:
        png = _crop(png, region)
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _crop(png: bytes, region: Box) -> bytes:
    """Crop a region of a picture. Raises ValueError where the picture is damaged."""
    from PIL import Image

    stream = io.BytesIO()
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
            cut(image, region).save(stream, "PNG")
    except _DAMAGED as error:
        raise ValueError("it is damaged") from error
    return stream.getvalue()


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


def decode_base64(text: str) -> bytes:
    """Decode base64, with or without ``data:...,`` before it. Raises BadPicture."""
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadPicture("is no base64") from error
    if len(data) > MAX_BYTES:
        raise BadPicture(f"has more than {MAX_BYTES // 2**20} MB")
    return data


def fetch_picture(
    url: str, client: "httpx.Client", own: str = "", look_up: "Resolve | None" = None
) -> bytes:
    """Fetch the bytes at an address that a service named; no key is sent there.

    Raises BadPicture, and what the client raises.

    Only what lies in the public net is fetched, after every redirect anew, or on the service's
    `own` host; no redirect leads to another host.
    """
    import httpx

    if url.startswith("data:"):
        return decode_base64(url)
    if not url.startswith(("http://", "https://")):
        raise BadPicture("lies at an address that is not of the web")
    until = time.monotonic() + FETCH_SECONDS
    first = httpx.URL(url).host
    for _ in range(REDIRECTS + 1):
        request = _build_request(url, client, own, look_up)
        if httpx.URL(url).host != first:
            raise BadPicture("leads to another host")
        try:
            response = client.send(request, stream=True, follow_redirects=False)
        except httpx.InvalidURL as error:
            # The client reads the address of a redirect even where it does not follow it.
            raise BadPicture("leads to no address of the web") from error
        with closing(response):
            if not response.has_redirect_location:
                response.raise_for_status()
                return _read_body(response, until)
            url = _redirect_target(url, response.headers["location"])
    raise BadPicture("leads from one address to the next without end")


def _build_request(
    url: str, client: "httpx.Client", own: str, look_up: "Resolve | None"
) -> "httpx.Request":
    """Build the request for the checked address, whatever its name leads to later.

    Raises BadPicture."""
    import httpx

    from hallascope.backends.network.public_addresses import ForbiddenAddress, check, resolve

    if own and httpx.URL(url).host == own:
        return client.build_request("GET", url, timeout=FETCH_SECONDS)
    try:
        address = check(url, look_up or resolve)
    except ForbiddenAddress as error:
        raise BadPicture(f"lies at an address that {error}") from error
    except (OSError, UnicodeError) as error:
        raise BadPicture("lies at a host that is not found") from error
    extensions = {"sni_hostname": address.host} if address.url.scheme == "https" else {}
    headers = {"Host": address.url.netloc.decode("ascii")}
    return client.build_request(
        "GET", address.pinned, headers=headers, extensions=extensions, timeout=FETCH_SECONDS
    )


def _redirect_target(url: str, location: str) -> str:
    import httpx

    try:
        return str(httpx.URL(url).join(location))
    except (httpx.InvalidURL, ValueError) as error:
        raise BadPicture("leads to no address of the web") from error


def _read_body(response: "httpx.Response", until: float) -> bytes:
    data = bytearray()
    for chunk in response.iter_bytes():
        data += chunk
        if len(data) > MAX_BYTES:
            raise BadPicture(f"has more than {MAX_BYTES // 2**20} MB")
        if time.monotonic() > until:
            raise BadPicture(f"takes longer than {FETCH_SECONDS:g} seconds to fetch")
    return bytes(data)


def as_png(data: bytes) -> bytes:
    """Convert any common picture to PNG: RGB, white where transparent, without metadata.

    Raises BadPicture.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as image:
            if image.width * image.height > MAX_PIXELS:
                raise BadPicture(f"has more than {MAX_PIXELS // 1_000_000} million pixels")
            image.load()
            stream = io.BytesIO()
            _flatten(image).save(stream, "PNG")
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *_DAMAGED) as error:
        raise BadPicture("is damaged") from error
    return stream.getvalue()


def _flatten(image: "Image.Image") -> "Image.Image":
    """Return the picture in RGB, white where it is transparent."""
    from PIL import Image

    plain = Image.new("RGB", image.size, "white")
    if "A" in image.getbands() or "transparency" in image.info:
        layer = image.convert("RGBA")
        plain.paste(layer, mask=layer.getchannel("A"))
    else:
        plain.paste(image.convert("RGB"))
    return plain
