"""Small images that differ by name."""

import io

from PIL import Image


def png(name: str = "", size: int = 16) -> bytes:
    """Return a small image as PNG, another for every name."""
    stream = io.BytesIO()
    color = (sum(name.encode()) % 256, len(name) % 256, 40)
    Image.new("RGB", (size, size), color).save(stream, "PNG")
    return stream.getvalue()
