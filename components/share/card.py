"""Draws the card of one image and question: 1200 x 630 px, as a link shows it elsewhere.

It knows texts, outlines and a file; what they say is made elsewhere.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from hallascope.components.html.link_tags import SIZE, TITLE
from hallascope.components.share.text_fit import FINER, Extent, FittedText, TextStyle, fit_text
from hallascope.components.theme.look import LIGHT
from hallascope.data.outlines import Polygon

CardKind = Literal["right", "wrong", "open"]
NO_IMAGE = "The image is not kept here."
IMAGE_BOX: Extent = (36, 36, 556, 500)
_PROMPT_BOX: Extent = (36, 510, 556, 564)
_HEADLINE_BOX: Extent = (652, 47, 1150, 87)
_BADGE: Extent = (596, 36, 1164, 98)
_TITLE_BOX: Extent = (596, 116, 1164, 370)
_ROWS_LEFT = 596
_ROWS_RIGHT = 1164
_ROWS_BOTTOM = 562
_LABEL_WIDTH = 116
_FOOTER_TOP = 576
_NAME_BOX: Extent = (36, 590, 172, 624)
_LINK_BOX: Extent = (178, 594, 556, 622)
_ABOUT_BOX: Extent = (596, 584, 1164, 626)
_VEIL = 150  # of 255: how dark what is not lit becomes

_HEADLINE = TextStyle(sizes=(25, 22, 20, 17, 15), most_lines=2, bold=True)
_TITLE = TextStyle(sizes=(38, 34, 30, 26, 23, 20), most_lines=10, bold=True)
_PROMPT = TextStyle(sizes=(22, 19, 17), most_lines=2)
_LABEL = TextStyle(sizes=(19, 17, 15))
_VALUE = TextStyle(sizes=(27, 24, 21, 19, 17), most_lines=4)
_PLACEHOLDER = TextStyle(sizes=(24,), most_lines=3)
_NAME = TextStyle(sizes=(26, 22), bold=True)
_LINK = TextStyle(sizes=(19, 17, 15))
_ABOUT = TextStyle(sizes=(17, 15, 14), most_lines=2, align_right=True)
_COLORS: dict[CardKind, str] = {"right": "correct", "wrong": "incorrect", "open": "left-out"}


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


class PlacedText(NamedTuple):
    """Holds a text in its place on the card, with its color."""

    name: str
    text: FittedText
    color: str


def draw_png(card: ShareCard) -> bytes:
    """Return the card as a PNG file of 1200 x 630 px."""
    stream = io.BytesIO()
    draw_card(card).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def draw_card(card: ShareCard) -> Image.Image:
    """Return the card as an image of 1200 x 630 px."""
    fine = Image.new("RGB", (SIZE[0] * FINER, SIZE[1] * FINER), LIGHT["paper"])
    drawing = ImageDraw.Draw(fine)
    _draw_frame(drawing, card.kind)
    for placed in place_texts(card):
        placed.text.draw(drawing, placed.color)
    canvas = fine.reduce(FINER)
    _draw_image(canvas, card)
    return canvas


def place_texts(card: ShareCard) -> list[PlacedText]:
    """Return all texts of the card, each as it fits its place."""
    ink, soft = LIGHT["ink"], LIGHT["soft"]
    headline = fit_text(card.headline, _HEADLINE_BOX, _HEADLINE)
    title = fit_text(card.title, _TITLE_BOX, _TITLE)
    texts = [
        PlacedText("headline", _centered(headline), LIGHT[_COLORS[card.kind]]),
        PlacedText("title", title, ink),
        *_place_rows(card.rows, title.bottom + 22),
        PlacedText("prompt", fit_text(card.prompt, _PROMPT_BOX, _PROMPT), soft),
        PlacedText("name", fit_text(TITLE, _NAME_BOX, _NAME), ink),
        PlacedText("link", fit_text(card.link, _LINK_BOX, _LINK), soft),
        PlacedText("about", fit_text(card.about, _ABOUT_BOX, _ABOUT), soft),
    ]
    if _open_image(card.image) is None:
        texts.append(
            PlacedText("no image", fit_text(NO_IMAGE, _inset(IMAGE_BOX), _PLACEHOLDER), soft)
        )
    return texts


def _place_rows(rows: Sequence[tuple[str, str]], top: int) -> Iterator[PlacedText]:
    """Yield the labels and values of rows that share what is left of the card's height."""
    for number, (label, value) in enumerate(rows):
        height = (_ROWS_BOTTOM - top) // (len(rows) - number)
        value_left = _ROWS_LEFT + _LABEL_WIDTH
        fitted = fit_text(value, (value_left, top, _ROWS_RIGHT, top + height - 8), _VALUE)
        label_box = (_ROWS_LEFT, top + 3, value_left - 8, top + height - 8)
        yield PlacedText("label", fit_text(label, label_box, _LABEL), LIGHT["soft"])
        yield PlacedText("value", fitted, LIGHT["ink"])
        top = min(fitted.bottom + 14, top + height)


def _centered(text: FittedText) -> FittedText:
    """Return a text in the middle of the height of its box."""
    left, top, right, bottom = text.box
    free = bottom - top - len(text.lines) * text.line_height
    moved = (left, top + max(0, free // 2), right, bottom)
    return FittedText(text.lines, text.font, text.size, moved, text.align_right)


def _inset(box: Extent, by: int = 24) -> Extent:
    left, top, right, bottom = box
    return left + by, top + by, right - by, bottom - by


# --- the image with what is lit ---


def _open_image(path: Path | None) -> Image.Image | None:
    """Return an image over white; None where the file is not here, or is no image."""
    if path is None:
        return None
    try:
        with Image.open(path) as opened:
            opened.draft("RGB", (2 * SIZE[0], 2 * SIZE[1]))
            image = opened.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def fit_image(width: int, height: int, box: Extent) -> Extent:
    """Return where an image of a size lies in the middle of a box, as large as it can be, in px."""
    left, top, right, bottom = box
    scale = min((right - left) / width, (bottom - top) / height)
    wide = max(1, round(width * scale))
    high = max(1, round(height * scale))
    x = left + (right - left - wide) // 2
    y = top + (bottom - top - high) // 2
    return x, y, x + wide, y + high


def _draw_image(canvas: Image.Image, card: ShareCard) -> None:
    drawing = ImageDraw.Draw(canvas)
    image = _open_image(card.image)
    if image is None:
        drawing.rectangle(IMAGE_BOX, fill=LIGHT["quiet"], outline=LIGHT["line"])
        return
    place = fit_image(image.width, image.height, IMAGE_BOX)
    size = (place[2] - place[0], place[3] - place[1])
    shown = image.resize(size, Image.Resampling.LANCZOS)
    if card.regions:
        shown = _lit(shown, card.regions)
    canvas.paste(shown, place[:2])
    drawing.rectangle(
        (place[0] - 1, place[1] - 1, place[2], place[3]), outline=LIGHT["line-strong"]
    )


def _lit(image: Image.Image, regions: Sequence[Polygon]) -> Image.Image:
    """Return an image in which everything but the regions is dark, with their outlines drawn."""
    fine = (image.width * FINER, image.height * FINER)
    lit = Image.new("L", fine, 0)
    edges = Image.new("L", fine, 0)
    for region in regions:
        points = [(x * fine[0], y * fine[1]) for x, y in region]
        if len(points) < 3:
            continue
        shape = Image.new("L", fine, 0)
        ImageDraw.Draw(shape).polygon(points, fill=255)
        lit = ImageChops.difference(lit, shape)  # a hole runs within its shape
        ImageDraw.Draw(edges).line([*points, points[0]], fill=255, width=4 * FINER, joint="curve")
    lit = lit.resize(image.size, Image.Resampling.BOX)
    edges = edges.resize(image.size, Image.Resampling.BOX)
    dark = Image.blend(image, Image.new("RGB", image.size, "black"), _VEIL / 255)
    shown = Image.composite(image, dark, lit)
    shown.paste(Image.new("RGB", image.size, "white"), (0, 0), edges)
    return shown


# --- what stands around the texts ---


def _draw_frame(drawing: ImageDraw.ImageDraw, kind: CardKind) -> None:
    """Draw the footer, and the frame and the sign of the headline, on the fine canvas."""
    width, height = SIZE
    color = _COLORS[kind]
    drawing.rectangle(_finer(0, _FOOTER_TOP, width, height), fill=LIGHT["quiet"])
    drawing.line(_finer(0, _FOOTER_TOP, width, _FOOTER_TOP), fill=LIGHT["line"], width=2 * FINER)
    drawing.rounded_rectangle(
        _finer(*_BADGE),
        14 * FINER,
        fill=LIGHT[f"{color}-wash"],
        outline=LIGHT[color],
        width=2 * FINER,
    )
    _draw_sign(drawing, kind, LIGHT[color])


def _finer(*numbers: int) -> list[int]:
    return [number * FINER for number in numbers]


def _draw_sign(drawing: ImageDraw.ImageDraw, kind: CardKind, color: str) -> None:
    """Draw the sign of the headline: a check, a triangle with an exclamation mark, or a ring."""
    left, top, _, bottom = _BADGE
    x = left + 30
    y = (top + bottom) // 2
    wide = 4 * FINER
    match kind:
        case "right":
            check = _finer(x - 12, y, x - 3, y + 10, x + 13, y - 11)
            drawing.line(check, color, wide, "curve")
        case "wrong":
            triangle = _finer(x, y - 15, x + 17, y + 13, x - 17, y + 13, x, y - 15)
            drawing.line(triangle, color, wide, "curve")
            drawing.line(_finer(x, y - 5, x, y + 3), color, wide)
            drawing.ellipse(_finer(x - 2, y + 6, x + 2, y + 10), fill=color)
        case "open":
            drawing.ellipse(_finer(x - 13, y - 13, x + 13, y + 13), outline=color, width=wide)
