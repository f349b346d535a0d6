"""Says what a link to a page of ours shows elsewhere, in the page's head, and holds the icon."""

from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True)
class LinkCard:
    """Holds what a link to a page shows elsewhere.

    `picture` is the file of its image, `address` where a server has it, and `alt` says what it
    shows.
    """

    title: str
    description: str
    picture: Path
    address: str
    alt: str


APP = LinkCard(
    title=TITLE,
    description=DESCRIPTION,
    picture=PREVIEW,
    address=ADDRESS,
    alt="Three drawings of a penguin, two of them with facts that are wrong",
)
# Raters must not learn what the images are to show, who made them, or what a judge says of them.
LABELING = LinkCard(
    title="Label images",
    description="Look at images and answer questions about each of them: say what it shows.",
    picture=FOLDER / "link-preview-label.png",
    address="/assets/link-preview-label.png",
    alt="An empty frame for an image, and a question with the choices A to E",
)


def link_tags(title: str, root: str | None, card: LinkCard = APP, place: str = "/") -> Markup:
    """Return the lines of a page's head that say what a link to it shows.

    `root`: the address that the image lies below; None where there is none. `place` is the page's
    own address below it.
    """
    properties = {
        "og:type": "website",
        "og:site_name": TITLE,
        "og:title": _shared_title(title),
        "og:description": card.description,
    }
    pictures = {}
    if root:
        pictures = {
            "og:url": f"{root}{place}",
            "og:image": f"{root}{card.address}",
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": card.alt,
        }
    return join(
        tag("meta", name="description", content=card.description),
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
