"""Small pictures for tests."""

import io

from PIL import Image


def png(name: str = "", size: int = 16) -> bytes:
    """A small picture, another for every name."""
    stream = io.BytesIO()
    colour = (sum(name.encode()) % 256, len(name) % 256, 40)
    Image.new("RGB", (size, size), colour).save(stream, "PNG")
    return stream.getvalue()
