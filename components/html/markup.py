"""Builds HTML: everything is escaped that is not `Markup` already.

HTML is a `Markup` everywhere in the app, never a plain str, so that the type checker tells it from
text and no text can become a tag. It is made by `tag`, by `Markup("<b>{}</b>").format(text)` or by
joining what is `Markup`.
"""

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup, escape

_WITHOUT_END = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
_SHAPES = frozenset({"circle", "path", "rect"})  # of SVG, closed at once where they hold nothing


def tag(name: str, /, *content: str | int, **attributes: str | int | None) -> Markup:
    """Return an element with its attributes and content; what is not `Markup` is escaped.

    An attribute that is True stands without a value, one that is None or False is left out. Its
    name loses an underscore at the end (`class_`) and has hyphens for the others (`data_key`). No
    button sends a form.
    """
    if name == "button":
        attributes = {"type": "button", **attributes}
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.removesuffix("_").replace("_", "-")
        parts.append(f" {attribute}" if value is True else f' {attribute}="{escape(value)}"')
    if name in _WITHOUT_END:
        parts.append(">")
    elif name in _SHAPES and not content:
        parts.append("/>")
    else:
        parts += [">", *map(escape, content), f"</{name}>"]
    return Markup("".join(parts))


def join(*parts: str | int) -> Markup:
    """Return the parts one after the other; what is not `Markup` is escaped."""
    return Markup("".join(map(escape, parts)))


def raw_element(name: str, /, code: str, **attributes: str) -> Markup:
    """Return a script or style element, whose content HTML does not escape.

    Raises ValueError where the code would end the element.
    """
    if f"</{name}" in code.lower():
        raise ValueError(f"The code of a {name} element must not contain its end.")
    return tag(name, Markup(code), **attributes)


def substitute(
    pattern: re.Pattern[str], replace: Markup | Callable[[re.Match[str]], Markup], html: Markup
) -> Markup:
    """Return the HTML with every match of the pattern replaced.

    Groups of a match are HTML as it stands, of type `str`.
    """
    # within Markup, `re` would escape the parts of the replacement when it joins them
    return Markup(pattern.sub(replace, str(html)))


def to_json(value: object) -> str:
    """Return a JSON value as text, such as an attribute holds it."""
    return json.dumps(value, ensure_ascii=False)


def key_attributes(keys: Sequence[str], under: Sequence[str] = ()) -> dict[str, str]:
    """Return the attributes that tie an element to the rest of the evidence.

    `keys` are those it leads to, `under` those with which it only lights up.
    """
    attributes = {"data_keys": to_json(tuple(keys))}
    if under:
        attributes["data_under"] = to_json(tuple(under))
    return attributes


def column_heads(names: Iterable[str]) -> Markup:
    """Return the cells that name the columns of a table; what is a cell already stays."""
    return join(*(name if _is_cell(name) else tag("th", name, scope="col") for name in names))


def corner(words: str = "") -> Markup:
    """Return the head of a column that stays in sight at the left, over names of rows."""
    return tag("th", words, scope="col", class_="corner")


def html_table(
    heads: Iterable[str], rows: Iterable[str], caption: str = "", **attributes: str | int | None
) -> Markup:
    """Return a table of rows under the names of its columns."""
    return tag(
        "table",
        tag("caption", caption) if caption else "",
        tag("thead", tag("tr", column_heads(heads))),
        tag("tbody", *rows),
        **attributes,
    )


def table_row(name: str | int, *cells: str | int, **attributes: str | int | None) -> Markup:
    """Return a row with its name and its cells; what is a cell already stays."""
    made = (cell if _is_cell(cell) else tag("td", cell) for cell in cells)
    return tag("tr", tag("th", name, scope="row"), *made, **attributes)


def _is_cell(content: str | int) -> bool:
    return isinstance(content, Markup) and content.startswith(("<td", "<th"))


def soft_line(*content: str) -> Markup:
    """Return a line of less weight."""
    return tag("p", *content, class_="soft")


def panel(title: str, *content: str, class_: str = "", **attributes: str | int | None) -> Markup:
    """Return a panel under its title. `class_`: more classes."""
    classes = f"panel {class_}".rstrip()
    return tag("section", tag("h2", title), *content, class_=classes, **attributes)


def side_note(words: str) -> Markup:
    """Return words in small type, which stand beside or below what they explain; "" gives none."""
    return tag("span", words, class_="about") if words else Markup()


def scroll_region(content: Markup, label: str, kind: str = "scroll") -> Markup:
    """Return a region for what is wide, which scrolls, also by the keys. `kind`: its class."""
    return tag("div", content, class_=kind, tabindex="0", role="region", aria_label=label)


def icon(name: str) -> Markup:
    """Return an icon of the look, without a name of its own: the word stands beside it."""
    return tag("span", class_=f"icon icon-{name}", aria_hidden="true")


def _served_address(path: Path) -> str:
    """Return the address of a file, that of an image of the store without the store's own place."""
    if len(path.stem) >= _STORED:
        return f"images/{path.parent.name}/{path.name}"
    return f"gradio_api/file={quote(str(path))}"


# the store names images by the digits of a SHA-256, the first two of which may be their folder's
_STORED = 62
_URL_OF: ContextVar[Callable[[Path], str]] = ContextVar("url_of", default=_served_address)


@contextmanager
def file_urls(url_of: Callable[[Path], str]) -> Iterator[None]:
    """Give files other addresses within the block, for a page that needs no server."""
    token = _URL_OF.set(url_of)
    try:
        yield
    finally:
        _URL_OF.reset(token)


@lru_cache(maxsize=128)
def png_address(path: Path) -> str:
    """Return an address that holds a whole PNG file, for pages that have no server."""
    return data_address(path.read_bytes())


def data_address(content: bytes, kind: str = "image/png") -> str:
    """Return an address that holds the whole content of a file."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def file_url(path: Path) -> str:
    """Return the address under which the running app serves the file.

    It is relative, so that it holds behind a proxy.
    """
    return _URL_OF.get()(path)


def image(path: Path, alt: str, width: int = 512, height: int | None = None) -> Markup:
    """Return an image that has its place before it is loaded; square where no height is given."""
    return tag(
        "img",
        src=file_url(path),
        alt=alt,
        width=width,
        height=height or width,
        draggable="false",
    )


def undrawn(*content: str) -> Markup:
    """Return what the page's script draws once it is to be seen (`drawFolded`).

    It is text for a browser that runs scripts. In a ``<template>`` it would stay that of another
    image: Gradio 6.31 changes the nodes of a page one by one, and compares no templates.
    """
    return tag("noscript", *content)


def fold(
    summary: str, content: Markup, *, is_open: bool = False, **attributes: str | int | None
) -> Markup:
    """Return what unfolds under a summary; a closed one is drawn when it is first opened."""
    inner = content if is_open else undrawn(content)
    return tag("details", tag("summary", summary), inner, open=is_open, **attributes)


def bar(share: float | None) -> Markup:
    """Return a bar for a share in [0, 1]; its number stands beside it in words."""
    filled = tag("span", style=f"width:{100 * (share or 0):.0f}%")
    return tag("span", filled, class_="bar", aria_hidden="true")
