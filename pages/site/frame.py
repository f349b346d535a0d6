"""Makes the frame of every page of a site, its style and its script.

Links are relative, so that it opens from a disk.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.link_tags import icon_address, link_tags
from hallascope.components.html.markup import substitute, tag
from hallascope.components.theme import look
from hallascope.pages.site import paths

FOLDER = Path(__file__).parent
# Nothing but the site's own files is loaded and no script but its own runs, even if something
# unescaped slipped in.
POLICY = (
    "default-src 'none'; img-src 'self' file: data:; style-src 'self' file: 'unsafe-inline';"
    " script-src 'self' file:; base-uri 'none'; form-action 'none'"
)
_CHIP = re.compile(r'<a class="(judge-chip[^"]*)"[^>]*>(.*?)</a>')
_FINE = re.compile(
    r'<button type="button" class="fine"[^>]*aria-pressed="(true|false)"[^>]*>.*?</button>'
)
_PLAIN_CHIP = Markup(r'<span class="\1">\2</span>')
_FINE_SAID = Markup('<span class="about">a person calls this fine</span>')


class PageLink(NamedTuple):
    """Holds where a link leads, relative to the page, and its words."""

    to: str
    words: str


def link(target: PageLink) -> Markup:
    """Return a link to another page."""
    return tag("a", target.words, href=target.to)


def page_turn_links(before: PageLink | None, after: PageLink | None) -> Markup:
    """Return the links to the page before and the page after; nothing where there is neither."""
    if not before and not after:
        return Markup()
    back = link(before._replace(words=f"← {before.words}")) if before else ""
    on = link(after._replace(words=f"{after.words} →")) if after else ""
    return tag(
        "nav", tag("span", back), tag("span", on), class_="turning", aria_label="Before and after"
    )


FOOTER = (
    "A score is the share of questions where the judge saw what a correct image "
    "would show. It is no better than that judge. Made with HallaScope."
)


_PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"\
 content="{policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta\
 name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>\
{title}</title>{tags}<link rel="icon" href="{icon}"><link rel="stylesheet"\
 href="{up}assets/site.css"><script src="{up}assets/site.js" defer></script></head><body>\
<div class="gradio-container site"><header class="masthead">\
<a class="wordmark" href="{up}index.html">HallaScope</a>{look}</header>\
<main><div class="sheet">{trail}{body}</div></main><footer class="colophon"><p>{footer}</p>\
</footer></div></body></html>
""")


def page(title: str, body: Markup, depth: int = 0, trail: Sequence[PageLink] = ()) -> Markup:
    """Return a whole page. `depth`: in how many folders it lies; `trail`: the pages above it."""
    above = Markup()
    if trail:
        items = tag("ol", *(tag("li", link(target)) for target in trail), class_="trail")
        above = tag("nav", items, aria_label="Where you are")
    return _PAGE.format(
        policy=POLICY,
        title=title,
        tags=link_tags(title, None),
        icon=icon_address(),
        up="../" * depth,
        look=look.BUTTON,
        trail=above,
        body=without_server(body),
        footer=FOOTER,
    )


def without_server(html: Markup) -> Markup:
    """Return what is built for the dashboard without what needs its server.

    The chip of a judge leads nowhere, nobody can say what is fine.
    """
    plain = substitute(_CHIP, _PLAIN_CHIP, html)
    return substitute(_FINE, lambda fine: _FINE_SAID if fine[1] == "true" else Markup(), plain)


def image_address(depth: int) -> Callable[[Path], str]:
    """Return a function that gives a picture's address from a page in so many folders."""
    return lambda path: f"{'../' * depth}{paths.image(f'{path.parent.name}{path.stem}')}"


def style() -> str:
    """Return all style of a site in one sheet."""
    return f"{look.css()}\n{(FOLDER / 'site.css').read_text('utf-8')}"


def front_matter(title: str) -> str:
    """Return the README of a free static Space."""
    plain = re.sub(r"[^\w ,.-]", " ", title)[:60].strip() or "HallaScope"
    return (
        f'---\ntitle: "{plain}"\nsdk: static\napp_file: index.html\npinned: false\n---\n\n'
        "A site that `hallascope export --to site` wrote. Open `index.html`; no server is needed.\n"
    )
