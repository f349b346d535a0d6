"""Shows an image of a run in small, loaded only when it comes into sight."""

from pathlib import Path

from markupsafe import Markup

from hallascope.components.html.markup import file_url, tag


def thumbnail_image(path: Path | None, alt: str = "", size: int = 96) -> Markup:
    """Return the image of that file, `size` pixels wide and high, or an empty place for it."""
    if path is None:
        return tag("span", class_="thumbnail empty")
    return tag(
        "img",
        src=file_url(path),
        alt=alt,
        width=size,
        height=size,
        loading="lazy",
        decoding="async",
        draggable="false",
        class_="thumbnail",
    )
