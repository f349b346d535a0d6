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
# chunks that pixels depend on
_PIXELS = frozenset(
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
    return "data:image/png;base64," + base64.b64encode(_cut(png, region) if region else png).decode(
        "ascii"
    )


def _cut(png: bytes, region: Box) -> bytes:
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
    kept = [_SIGNATURE]
    at = len(_SIGNATURE)
    while True:
        if len(png) < at + 12:
            raise ValueError("it is cut off")
        size, kind = struct.unpack_from(">I4s", png, at)
        end = at + 12 + size
        if end > len(png):
            raise ValueError("it is cut off")
        if kind in _PIXELS:
            kept.append(png[at:end])
        if kind == b"IEND":
            return b"".join(kept)
        at = end


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
        request = _request(url, client, own, look_up)
        if httpx.URL(url).host != first:
            raise BadPicture("leads to another host")
        try:
            response = client.send(request, stream=True, follow_redirects=False)
        except (
            httpx.InvalidURL
        ) as error:  # of the redirect, which the client reads even where it does not follow
            raise BadPicture("leads to no address of the web") from error
        with closing(response):
            if not response.has_redirect_location:
                response.raise_for_status()
                return _read_body(response, until)
            url = _next(url, response.headers["location"])
    raise BadPicture("leads from one address to the next without end")


def _request(
    url: str, client: "httpx.Client", own: str, look_up: "Resolve | None"
) -> "httpx.Request":
    """Build the request for the checked address, whatever its name leads to later.

    Raises BadPicture."""
    import httpx

    from hallascope.backends.network.public_addresses import ForbiddenAddress, check, resolve

    if own and httpx.URL(url).host == own:
        return client.build_request("GET", url, timeout=FETCH_SECONDS)
    try:
        found = check(url, look_up or resolve)
    except ForbiddenAddress as error:
        raise BadPicture(f"lies at an address that {error}") from error
    except (OSError, UnicodeError) as error:
        raise BadPicture("lies at a host that is not found") from error
    extensions = {"sni_hostname": found.host} if found.url.scheme == "https" else {}
    headers = {"Host": found.url.netloc.decode("ascii")}
    return client.build_request(
        "GET", found.pinned, headers=headers, extensions=extensions, timeout=FETCH_SECONDS
    )


def _next(url: str, location: str) -> str:
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
            _rgb(image).save(stream, "PNG")
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *_DAMAGED) as error:
        raise BadPicture("is damaged") from error
    return stream.getvalue()


def _rgb(image: "Image.Image") -> "Image.Image":
    from PIL import Image

    plain = Image.new("RGB", image.size, "white")
    if "A" in image.getbands() or "transparency" in image.info:
        layer = image.convert("RGBA")
        plain.paste(layer, mask=layer.getchannel("A"))
    else:
        plain.paste(image.convert("RGB"))
    return plain
