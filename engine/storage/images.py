"""Keeps images as files named by the hash of their bytes.

The thumbnail beside an image is rendered when somebody first looks at it.
"""

import hashlib
import io
import os
import struct
import tempfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image

from hallascope.backends.images import SIGNATURE, png_chunks
from hallascope.data.records import Picture

THUMBNAIL = 384  # longest side in pixels

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
        count: Callable[[int], None] = lambda size: None,
    ) -> Picture:
        """Keep a PNG with `text` in its text chunks. The same bytes are kept, and counted, once.

        Raises ValueError where the bytes are no whole PNG.
        """
        data = add_text_chunks(png, text or {})
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.path(sha256)
        if not path.exists():
            count(len(data))
            self._write(path, data)
        return Picture(sha256, path)

    def find(self, path: Path) -> Picture | None:
        """Return the kept picture that lies at this path, None where it is not one of these."""
        sha256 = f"{path.parent.name}{path.stem}"
        return Picture(sha256, path) if path == self.path(sha256) and path.exists() else None

    def delete(self, sha256: str) -> None:
        """Delete a picture and its thumbnail, as far as they are there."""
        self.path(sha256).unlink(missing_ok=True)
        self.thumbnail_path(sha256).unlink(missing_ok=True)

    def path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / f"{sha256[2:]}.png"

    def thumbnail_path(self, sha256: str) -> Path:
        """Return where the thumbnail of an image lies once somebody has looked at it."""
        return self.path(sha256).with_suffix(".webp")

    def thumbnail(self, sha256: str) -> Path | None:
        """Return the thumbnail of an image as `thumbnail_path`; None where there is no image."""
        return self.thumbnail_path(sha256) if self.path(sha256).exists() else None

    def render_thumbnail(self, sha256: str) -> Path | None:
        """Return the thumbnail of an image, which is rendered unless it is there.

        None where there is no image, it is damaged, or the disk takes no file.
        """
        path = self.thumbnail_path(sha256)
        if not path.exists():
            try:
                self._write(path, _render_thumbnail(self.path(sha256)))
            except (OSError, SyntaxError):
                return None
        return path


def add_text_chunks(png: bytes, text: Mapping[str, str]) -> bytes:
    """Return the same PNG with text chunks (iTXt, UTF-8) before its end.

    The pixels are not touched. Raises ValueError where the bytes are no whole PNG.
    """
    try:
        chunks = [chunk for _, chunk in png_chunks(png)]
    except ValueError as error:
        raise ValueError(
            "A generator gave bytes that are no whole PNG: fix its backend."
        ) from error
    told = [_png_chunk(b"iTXt", f"{key}\0\0\0\0\0{text[key]}".encode()) for key in text]
    return b"".join([SIGNATURE, *chunks[:-1], *told, chunks[-1]])


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _render_thumbnail(path: Path) -> bytes:
    with Image.open(path) as image:
        thumbnail = image.convert("RGB")
    thumbnail.thumbnail((THUMBNAIL, THUMBNAIL))
    stream = io.BytesIO()
    thumbnail.save(stream, "WEBP", quality=82)
    return stream.getvalue()
