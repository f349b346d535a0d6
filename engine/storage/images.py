"""Keeps pictures as files named by the hash of their bytes, each with a thumbnail beside it."""

import hashlib
import io
import os
import struct
import tempfile
import threading
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from PIL import Image

from hallascope.data.records import Picture
from hallascope.data.requests import Generated

THUMBNAIL = 384  # longest side in pixels
_SIGNATURE = b"\x89PNG\r\n\x1a\n"

ImageWriter = Callable[[Path, bytes], None]


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def is_whole(picture: Picture) -> bool:
    """Return whether a picture's file is there and holds the bytes that it is named by."""
    try:
        data = picture.path.read_bytes()
    except OSError:
        return False
    return hashlib.sha256(data).hexdigest() == picture.sha256


class ImageStore:
    """Keeps pictures in a folder. Raises OSError where the disk is full or may not be written."""

    def __init__(self, folder: Path, write: ImageWriter = write_atomically) -> None:
        self._folder = folder
        self._write = write

    def add(
        self,
        png: bytes,
        text: Mapping[str, str] | None = None,
        thumbnail: Future[bytes] | None = None,
    ) -> Picture:
        """Keep a PNG with `text` in its text chunks, and a WebP thumbnail.

        The same bytes are kept once. `thumbnail` is that of `with_thumbnail`; without it, it is
        rendered here. Raises ValueError where the bytes are no whole PNG.
        """
        data = add_text_chunks(png, text or {})
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.path(sha256)
        if not self.thumbnail(sha256).exists():
            rendered = thumbnail.result() if thumbnail else _render_thumbnail(png)
            self._write(self.thumbnail(sha256), rendered)
        if not path.exists():
            self._write(path, data)
        return Picture(sha256, path)

    def find(self, path: Path) -> Picture | None:
        """Return the kept picture that lies at this path, None where it is not one of these."""
        sha256 = f"{path.parent.name}{path.stem}"
        return Picture(sha256, path) if path == self.path(sha256) and path.exists() else None

    def delete(self, sha256: str) -> None:
        """Delete a picture and its thumbnail, as far as they are there."""
        self.path(sha256).unlink(missing_ok=True)
        self.thumbnail(sha256).unlink(missing_ok=True)

    def path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / f"{sha256[2:]}.png"

    def thumbnail(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / f"{sha256[2:]}.webp"


def with_thumbnail(drawn: Generated) -> Generated:
    """Return a drawn picture whose thumbnail is being rendered by a thread of its own.

    For 1,024 px that takes more time than all that a sweep does beside it, and most of it without
    Python's lock, so that whoever keeps pictures does not have to do it for one after another.
    """
    thumbnail: Future[bytes] = Future()
    threading.Thread(
        target=_render_into, args=(thumbnail, drawn.png), name="thumbnail", daemon=True
    ).start()
    return replace(drawn, thumbnail=thumbnail)


def _render_into(thumbnail: Future[bytes], png: bytes) -> None:
    try:
        thumbnail.set_result(_render_thumbnail(png))
    except BaseException as error:  # raised where the picture is kept
        thumbnail.set_exception(error)


def add_text_chunks(png: bytes, text: Mapping[str, str]) -> bytes:
    """Return the same PNG with text chunks (iTXt, UTF-8) before its end.

    The pixels are not touched. Raises ValueError where the bytes are no whole PNG.
    """
    if not png.startswith(_SIGNATURE) or b"IEND" not in png:
        raise ValueError("A generator gave bytes that are no whole PNG: mend its backend.")
    end = png.rindex(b"IEND") - 4
    chunks = [_png_chunk(b"iTXt", f"{key}\0\0\0\0\0{text[key]}".encode()) for key in text]
    return png[:end] + b"".join(chunks) + png[end:]


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _render_thumbnail(png: bytes) -> bytes:
    try:
        with Image.open(io.BytesIO(png)) as image:
            thumbnail = image.convert("RGB")
    except (OSError, SyntaxError) as error:
        raise ValueError("A generator gave a damaged PNG: mend its backend.") from error
    thumbnail.thumbnail((THUMBNAIL, THUMBNAIL))
    stream = io.BytesIO()
    thumbnail.save(stream, "WEBP", quality=82)
    return stream.getvalue()
