"""The frame of every page of a site, its style and its script.

Links are relative, so that it opens from a disk. It knows no run.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.components.html import scripts
from hallascope.components.html.link_tags import icon_address, tags
from hallascope.components.html.markup import text
from hallascope.components.theme import look
from hallascope.pages.site import paths

FOLDER = Path(__file__).parent
# Nothing but the site's own files is loaded and no script but its own runs, even if something
# unescaped slipped in.
POLICY = (
    "default-src 'none'; img-src 'self' file: data:; style-src 'self' file: 'unsafe-inline';"
    " script-src 'self' file:; base-uri 'none'; form-action 'none'"
)
_CHIP = re.compile(r'<a class="judge-chip"[^>]*>(.*?)</a>')
_FINE = re.compile(
    r'<button type="button" class="fine"[^>]*aria-pressed="(true|false)"[^>]*>.*?</button>'
)
_FINE_SAID = '<span class="about">a person calls this fine</span>'
LOOK = (
    '<button type="button" class="look" data-look aria-pressed="false" aria-label="Dark look"><svg'
    ' viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.2" fill="none"'
    ' stroke="currentColor" stroke-width="1.4"/><path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z"'
    ' fill="currentColor"/></svg></button>'
)


class PageLink(NamedTuple):
    """Where it leads, relative to the page, and its words."""

    to: str
    words: str


def link(one: PageLink | None, kind: str = "") -> str:
    """A link, or nothing."""
    named = f' class="{kind}"' if kind else ""
    return f'<a{named} href="{text(one.to)}">{text(one.words)}</a>' if one else ""


def page_turn_links(before: PageLink | None, after: PageLink | None) -> str:
    """The links to the page before and the page after; nothing where there is neither."""
    back = before and before._replace(words=f"← {before.words}")
    on = after and after._replace(words=f"{after.words} →")
    sides = "".join(f"<span>{link(one)}</span>" for one in (back, on))
    return f'<nav class="turning" aria-label="Before and after">{sides}</nav>' if back or on else ""


def page(title: str, body: str, depth: int = 0, trail: Sequence[PageLink] = ()) -> str:
    """A whole page. `depth`: in how many folders it lies; `trail`: the pages above it.

    `body` is HTML, escaped by its builders.
    """
    up = "../" * depth
    home = f'<a class="wordmark" href="{up}index.html">HallaScope</a>'
    above = "".join(f"<li>{link(one)}</li>" for one in trail)
    where = f'<nav aria-label="Where you are"><ol class="trail">{above}</ol></nav>' if above else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta'
        f' http-equiv="Content-Security-Policy" content="{text(POLICY)}"><meta name="viewport"'
        ' content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light'
        ' dark"><meta name="referrer"'
        f' content="no-referrer"><title>{text(title)}</title>{tags(title, None)}<link rel="icon"'
        f' href="{icon_address()}"><link rel="stylesheet" href="{up}assets/site.css"><script'
        f' src="{up}assets/site.js" defer></script></head><body><div class="gradio-container'
        f' site"><header class="masthead">{home}{LOOK}</header><main><div'
        f' class="sheet">{where}{still(body)}</div></main><footer'
        f' class="colophon"><p>{text(FOOTER)}</p></footer></div></body></html>\n'
    )


FOOTER = (
    "A score is the share of the answered questions that the judge answers as a factual picture"
    " would lead it to; it says what it counted, what it left out and who judged, and it is no"
    " better than that judge. Made by HallaScope."
)


def still(html: str) -> str:
    """Return what is built for the dashboard without what needs its server.

    The chip of a judge leads nowhere, nobody can say what is fine.
    """
    plain = _CHIP.sub(r'<span class="judge-chip">\1</span>', html)
    return _FINE.sub(lambda found: _FINE_SAID if found.group(1) == "true" else "", plain)


def image_address(depth: int) -> Callable[[Path], str]:
    """The address of a kept picture from a page in so many folders."""
    return lambda path: f"{'../' * depth}{paths.image(f'{path.parent.name}{path.stem}')}"


def style() -> str:
    """All style of a site in one sheet."""
    return f"{look.css()}\n{(FOLDER / 'site.css').read_text('utf-8')}"


def script() -> str:
    """Return a site's script: the look, and the evidence viewer in every place kept for one.

    The viewer is the dashboard's.
    """
    return (
        (FOLDER / "site.js")
        .read_text("utf-8")
        .replace(scripts.VIEWER, scripts.script("evidence/viewer"))
    )


def front_matter(title: str) -> str:
    """The README of a free static Space."""
    plain = re.sub(r"[^\w ,.-]", " ", title)[:60].strip() or "HallaScope"
    return (
        f'---\ntitle: "{plain}"\nsdk: static\napp_file: index.html\npinned: false\n---\n\n'
        "A site that `hallascope export --to site` wrote. Open `index.html`; no server is needed.\n"
    )
