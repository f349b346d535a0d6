"""Says what a link to a page of ours shows elsewhere, in the page's head, and holds the icon."""

from pathlib import Path

from markupsafe import Markup

from hallascope.components.html.markup import join, png_address, tag

TITLE = "HallaScope"
TAGLINE = "Find what AI-generated images get wrong"
DESCRIPTION = (
    "Generate images, have a vision-language model check their facts, and see the evidence for"
    " every verdict."
)
FOLDER = Path(__file__).parent / "images"
PREVIEW = FOLDER / "link-preview.png"
ICON = FOLDER / "icon.png"
ADDRESS = "/assets/link-preview.png"  # below an address of Gradio, which has no file of that name
SIZE = (1200, 630)


def link_tags(title: str, root: str | None) -> Markup:
    """Return the lines of a page's head that say what a link to it shows.

    `root`: the address that the picture lies below; None where there is none.
    """
    properties = {
        "og:type": "website",
        "og:site_name": TITLE,
        "og:title": _shared_title(title),
        "og:description": DESCRIPTION,
    }
    pictures = {}
    if root:
        pictures = {
            "og:url": f"{root}/",
            "og:image": f"{root}{ADDRESS}",
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": "Three drawings of a penguin, two of them with facts that are wrong",
        }
    return join(
        tag("meta", name="description", content=DESCRIPTION),
        *(tag("meta", property=name, content=content) for name, content in properties.items()),
        tag("meta", name="twitter:card", content="summary_large_image" if root else "summary"),
        *(tag("meta", property=name, content=content) for name, content in pictures.items()),
    )


def _shared_title(title: str) -> str:
    if title == TITLE:
        return f"{title} · {TAGLINE}"
    return title if TITLE in title else f"{title} · {TITLE}"


def icon_tag(root: str) -> Markup:
    """Return the line of a page's head that names the icon, which the app serves below `root`."""
    return tag("link", rel="icon", type="image/png", href=f"{root}/favicon.ico")


def icon_address() -> str:
    """Return the icon as an address that holds all of it, for pages that have no server."""
    return png_address(ICON)
