"""What a link to a page of ours shows elsewhere, as lines of its head, and the icon.

It knows no server.
"""

import base64
from collections.abc import Sequence
from pathlib import Path

from hallascope.components.html.markup import text

TITLE = "HallaScope"
TAGLINE = "Find what AI-generated images get wrong"
DESCRIPTION = (
    "Generate images, have a vision-language model check their facts, and see the evidence for"
    " every verdict."
)
FOLDER = Path(__file__).parent
PREVIEW = FOLDER / "link-preview.png"
ICON = FOLDER / "icon.png"
ADDRESS = "/assets/link-preview.png"  # below an address of Gradio, which has no file of that name
SIZE = (1200, 630)


def _shared_title(title: str) -> str:
    if title == TITLE:
        return f"{title} · {TAGLINE}"
    return title if TITLE in title else f"{title} · {TITLE}"


def tags(title: str, root: str | None) -> str:
    """The head's lines on what a link shows.

    `root`: the address that the picture lies below; None where there is none.
    """
    rows: list[tuple[str, str, str]] = [
        ("name", "description", DESCRIPTION),
        ("property", "og:type", "website"),
        ("property", "og:site_name", TITLE),
        (
            "property",
            "og:title",
            _shared_title(title),
        ),
        ("property", "og:description", DESCRIPTION),
        ("name", "twitter:card", "summary_large_image" if root else "summary"),
        *(_picture(root) if root else ()),
    ]
    return "".join(
        f'<meta {kind}="{name}" content="{text(content)}">' for kind, name, content in rows
    )


def _picture(root: str) -> Sequence[tuple[str, str, str]]:
    return (
        ("property", "og:url", f"{root}/"),
        ("property", "og:image", f"{root}{ADDRESS}"),
        ("property", "og:image:width", str(SIZE[0])),
        ("property", "og:image:height", str(SIZE[1])),
        (
            "property",
            "og:image:alt",
            "Three drawings of a penguin, two of them with facts that are wrong",
        ),
    )


def icon_address() -> str:
    """The icon as an address that holds all of it, for pages that have no server."""
    return f"data:image/png;base64,{base64.b64encode(ICON.read_bytes()).decode()}"
