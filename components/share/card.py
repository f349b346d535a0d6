"""Draws the card of one image and question: 1200 x 630 px, as a link shows it elsewhere.

It knows texts, outlines and a file; what they say is made elsewhere.
"""

import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from markupsafe import Markup
from PIL import Image

from hallascope.components.html.link_tags import SIZE, TITLE
from hallascope.components.html.markup import data_address, join, tag
from hallascope.components.theme.drawing import fit_text, svg_png
from hallascope.components.theme.look import ICON_PATHS
from hallascope.data.outlines import Polygon

CardKind = Literal["right", "wrong", "open"]
NO_IMAGE = "The image is not kept here."
IMAGE_BOX = (36, 36, 556, 500)  # left, top, right and bottom in px
_RIGHT = 596  # where the texts beside the image begin, in px
_SIGNS: dict[CardKind, str] = {"right": "check", "wrong": "warning", "open": "question"}
_MOST_CHARACTERS = 1_000  # of a text that are looked at: more never fits
_JOINERS = "\u200c\u200d"  # signs without a shape that some scripts need


class TextStyle(NamedTuple):
    """Says how a text is set: its class in the style sheet, font size, width in px, and lines."""

    name: str
    size: int
    width: int
    lines: int

    @property
    def line_height(self) -> float:
        """Return the distance of two lines in px."""
        return self.size * 1.22


_HEADLINE = TextStyle("headline", 20, 440, 2)
_QUESTION = TextStyle("strong", 27, 520, 7)
_LABEL = TextStyle("soft", 19, 110, 1)
_VALUE = TextStyle("ink", 21, 452, 2)
_PROMPT = TextStyle("soft", 19, 520, 2)
_NAME = TextStyle("strong", 24, 200, 1)
_LINK = TextStyle("soft", 15, 345, 2)
_ABOUT = TextStyle("about", 15, 568, 2)


@dataclass(frozen=True, kw_only=True)
class ShareCard:
    """Holds what a card shows.

    `image`: None where the file is not here. `regions` are lit, as outlines in shares of the image.
    `headline` says what the judge made of it, `kind` whether the judge is right, wrong, or nobody
    knows. `rows` are labels with their values. `about`: model, judge, metric and date; `link`:
    where the result is found.
    """

    image: Path | None
    regions: tuple[Polygon, ...]
    prompt: str
    headline: str
    kind: CardKind
    title: str
    rows: tuple[tuple[str, str], ...]
    about: str
    link: str

    @property
    def alt(self) -> str:
        """Return what the card says, in words."""
        rows = "; ".join(f"{label}: {value}" for label, value in self.rows)
        return f"{self.headline}. {self.title} {rows}. Image of the prompt: {self.prompt}."


def draw_png(card: ShareCard) -> bytes:
    """Return the card as a PNG file of 1200 x 630 px."""
    return svg_png(card_svg(card), "share/card_drawing.css")


def card_svg(card: ShareCard) -> Markup:
    """Return the card as SVG."""
    width, height = SIZE
    question, y = _paragraph(card.title, _QUESTION, _RIGHT, 116)
    rows = []
    for label, value in card.rows:
        label_text, _ = _paragraph(label, _LABEL, _RIGHT, y + 24)
        value_text, y = _paragraph(value, _VALUE, _RIGHT + 116, y + 22)
        rows += [label_text, value_text]
    return tag(
        "svg",
        tag("rect", class_="paper", width=width, height=height),
        tag("rect", class_="footer", y=576, width=width, height=54),
        tag("path", class_="edge", d=f"M0 576H{width}"),
        *_image(card),
        _headline(card),
        question,
        *rows,
        *_texts(
            (card.prompt, _PROMPT, IMAGE_BOX[0], 510),
            (TITLE, _NAME, IMAGE_BOX[0], 588),
            (card.link, _LINK, 208, 585),
            (card.about, _ABOUT, width - IMAGE_BOX[0], 585),
        ),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
    )


# --- texts ---


def _texts(*placed: tuple[str, TextStyle, int, float]) -> list[Markup]:
    return [_paragraph(*one)[0] for one in placed]


def _paragraph(text: str, style: TextStyle, x: int, y: float) -> tuple[Markup, float]:
    """Return the lines of a text from `y` down as far as they fit, and where they end."""
    lines = fit_text(_clean(text), style.width, style.size, style.lines)
    drawn = (
        tag(
            "text",
            line,
            class_=style.name,
            x=x,
            y=f"{y + style.size + i * style.line_height:.1f}",
            font_size=style.size,
        )
        for i, line in enumerate(lines)
    )
    return join(*drawn), y + len(lines) * style.line_height


def _clean(text: str) -> str:
    """Return a text in one paragraph, without signs that change the direction of what follows."""
    return "".join(
        " " if unicodedata.category(sign)[0] == "C" and sign not in _JOINERS else sign
        for sign in text[:_MOST_CHARACTERS]
    ).strip()


def _headline(card: ShareCard) -> Markup:
    """Return the verdict in its frame, in the middle of its height, after its sign."""
    style = _HEADLINE._replace(name=f"headline {card.kind}")
    _, height = _paragraph(card.headline, style, 0, 0)
    frame = tag("rect", class_=f"badge {card.kind}", x=_RIGHT, y=36, width=568, height=62, rx=14)
    sign = tag(
        "path",
        class_=f"sign {card.kind}",
        transform=f"translate({_RIGHT + 16} 52) scale(1.9)",
        d=ICON_PATHS[_SIGNS[card.kind]],
    )
    text, _ = _paragraph(card.headline, style, _RIGHT + 62, 65 - height / 2)
    return join(frame, sign, text)


# --- the image with what is lit ---


def _image(card: ShareCard) -> list[Markup]:
    """Return the image in the middle of its place, as large as it can be, else a remark."""
    left, top, right, bottom = IMAGE_BOX
    place = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    image = _open_image(card.image)
    if image is None:
        remark = _texts((NO_IMAGE, _PROMPT, left + 24, top + 24))
        return [tag("rect", class_="missing", **place), *remark]
    width, height = image.size
    pixel = max(width / place["width"], height / place["height"])  # of the card, in image px
    frame = tag("rect", class_="frame", width=width, height=height, stroke_width=f"{2 * pixel}")
    picture = tag("image", href=_image_address(image), width=width, height=height)
    lit = _lit(card.regions, width, height, pixel) if card.regions else Markup()
    return [tag("svg", picture, lit, frame, viewBox=f"0 0 {width} {height}", **place)]


def _open_image(path: Path | None) -> Image.Image | None:
    """Return an image over white; None where the file is not here, or is no image."""
    if path is None:
        return None
    try:
        with Image.open(path) as opened:
            opened.draft("RGB", SIZE)
            image = opened.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    image.thumbnail(SIZE)
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def _image_address(image: Image.Image) -> str:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return data_address(stream.getvalue())


def _lit(regions: Sequence[Polygon], width: int, height: int, pixel: float) -> Markup:
    """Return what darkens everything but the regions, and their outlines.

    A hole runs within its shape and is dark.
    """
    shapes = "".join(
        "M" + "L".join(f"{x * width:.2f} {y * height:.2f}" for x, y in region) + "z"
        for region in regions
        if len(region) > 2
    )
    veil = tag("path", class_="veil", d=f"M0 0H{width}V{height}H0z{shapes}")
    return veil + tag("path", class_="outline", d=shapes, stroke_width=f"{4 * pixel}")
