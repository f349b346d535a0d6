"""Draws a grid of judged images as one image."""

from PIL import Image, ImageDraw, ImageFont

from hallascope.engine.error_analysis.gallery import GalleryImage
from hallascope.engine.error_analysis.grid_files.export import (
    COLORS,
    GREEN,
    RED,
    ExportedGrid,
    change_words,
)

PAPER = "#faf9f6"
INK = "#1d1f24"
SOFT = "#5c6270"
LINE = "#e4e1da"
# px
SIZE = 112
MARGIN = 16
GAP = 6
HEAD = 46
ROW_NAME = 210
STRIP = 40
TEXT = 12
LINE_HEIGHT = 15
MOST_LINES = 6
_MISSING = "not kept here"


def draw_grid(exported: ExportedGrid) -> Image.Image:
    """Return the grid as an RGB image: names of rows and columns, thumbnails, answers, changes."""
    grid = exported.grid
    width = 2 * MARGIN + ROW_NAME + len(grid.columns) * (SIZE + GAP)
    height = 2 * MARGIN + HEAD + len(grid.rows) * (SIZE + STRIP)
    page = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(TEXT)
    pen.text((MARGIN, MARGIN), exported.title, fill=SOFT, font=font)
    for number, line in enumerate(grid.columns):
        x = MARGIN + ROW_NAME + number * (SIZE + GAP)
        is_baseline = number == exported.baseline
        text = f"{_name(line.value)} (baseline)" if is_baseline else _name(line.value)
        _write(pen, (x, MARGIN + 22), text, font, width=SIZE, most=1)
    for row, line in enumerate(grid.rows):
        y = MARGIN + HEAD + row * (SIZE + STRIP)
        pen.line((MARGIN, y - 3, width - MARGIN, y - 3), fill=LINE)
        _write(pen, (MARGIN, y), _name(line.value), font, ROW_NAME - GAP, MOST_LINES)
        for column in range(len(grid.columns)):
            x = MARGIN + ROW_NAME + column * (SIZE + GAP)
            image = exported.image(row, column)
            if image:
                _draw_cell(page, pen, (x, y), image)
                words = change_words(exported.changes(row, column))
                place = (x, y + SIZE + 17)
                pen.text(place, words, fill=RED if "worse" in words else GREEN, font=font)
    return page


def _draw_cell(
    page: Image.Image, pen: ImageDraw.ImageDraw, corner: tuple[int, int], image: GalleryImage
) -> None:
    x, y = corner
    if image.thumbnail:
        with Image.open(image.thumbnail) as thumbnail:
            small = thumbnail.convert("RGB")
        small.thumbnail((SIZE, SIZE))
        page.paste(small, corner)
    else:
        pen.rectangle((x, y, x + SIZE - 1, y + SIZE - 1), outline=LINE)
        pen.text((x + GAP, y + GAP), _MISSING, fill=SOFT, font=ImageFont.load_default(TEXT))
    for place, answer in enumerate(image.answers[: SIZE // 12]):
        left = x + 12 * place
        shape = (left, y + SIZE + 5, left + 8, y + SIZE + 13)
        if answer.state == "correct":
            pen.ellipse(shape, fill=COLORS[answer.state])
        elif answer.state in ("incorrect", "abstained"):
            pen.line((*shape[:2], *shape[2:]), fill=COLORS[answer.state], width=2)
            pen.line((shape[0], shape[3], shape[2], shape[1]), fill=COLORS[answer.state], width=2)
        else:
            pen.rectangle(shape, outline=COLORS[answer.state])


def _name(value: str) -> str:
    return value.removeprefix("primer/") or "–"


def _write(
    pen: ImageDraw.ImageDraw,
    corner: tuple[int, int],
    text: str,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    width: int,
    most: int,
) -> None:
    """Write a text in lines that fit the width; of one that is too long, the first lines."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    for number, line in enumerate(lines):
        shown = line
        while len(shown) > 1 and font.getlength(shown) > width:
            shown = f"{shown[:-2]}…"
        pen.text((corner[0], corner[1] + number * LINE_HEIGHT), shown, fill=INK, font=font)
