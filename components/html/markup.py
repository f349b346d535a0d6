"""Small pieces of HTML and the one place where text is escaped; it knows no record."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from pathlib import Path
from urllib.parse import quote

# Icons as paths in a 16 x 16 box: a glyph may be missing from a font, a path is not.
_ICONS = {
    "check": "M3.2 8.6 6.5 12 12.8 4.6",
    "cross": "M4 4 12 12M12 4 4 12",
    "question": "M5.4 5.9a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 1.9M8 12.9v.1",
    "dot": "M8 8v.01",
}


def text(value: object) -> str:
    """The value as text that can stand in HTML, between tags and in quoted attributes."""
    return escape(str(value), quote=True)


def data(value: object) -> str:
    """Any JSON value as the content of a quoted attribute."""
    return text(json.dumps(value, ensure_ascii=False))


def keyed(keys: Sequence[str], under: Sequence[str] = ()) -> str:
    """Return the attributes that tie something to the rest.

    They are the keys it leads to, and those with which it only lights up.
    """
    return f'data-keys="{data(tuple(keys))}"' + (
        f' data-under="{data(tuple(under))}"' if under else ""
    )


def icon_path(name: str) -> str:
    """The line of an icon in a box of 16 x 16, for use within a drawing."""
    return _ICONS[name]


def icon(name: str) -> str:
    """A sign without a name of its own: the word stands beside it."""
    line = (
        'fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"'
        ' stroke-linejoin="round"'
    )
    return (
        '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path'
        f' d="{_ICONS[name]}" {line}/></svg>'
    )


def _of_the_app(path: Path) -> str:
    return f"gradio_api/file={quote(str(path))}"


_ADDRESS: ContextVar[Callable[[Path], str]] = ContextVar("address", default=_of_the_app)


@contextmanager
def addressed(by: Callable[[Path], str]) -> Iterator[None]:
    """Let files have other addresses within the block, for a page that needs no server."""
    before = _ADDRESS.set(by)
    try:
        yield
    finally:
        _ADDRESS.reset(before)


def file_url(path: Path) -> str:
    """The address under which the running app serves the file.

    Relative, so that it holds behind a proxy.
    """
    return _ADDRESS.get()(path)


def image(path: Path, alt: str, width: int = 512, height: int | None = None) -> str:
    """A picture that has its place before it is loaded; square where no height is given."""
    return (
        f'<img src="{text(file_url(path))}" alt="{text(alt)}" width="{width}"'
        f' height="{height or width}" draggable="false">'
    )


def bar(share: float | None) -> str:
    """A bar for a share in [0, 1]; its number stands beside it in words."""
    return (
        '<span class="bar" aria-hidden="true"><span'
        f' style="width:{100 * (share or 0):.0f}%"></span></span>'
    )
