"""Draws sheets of images, such as those to label from on paper.

Sheets to label from have neither the right answers nor those of a judge.
"""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from hallascope.data.files.label_folder import LabelItem, picture
from hallascope.data.records import LETTERS, Question
from hallascope.engine.events import EvaluateRequest, Pictured
from hallascope.engine.services import Services

PAPER = "#faf9f6"
INK = "#1d2126"
SOFT = "#5d6570"
# px
GAP = 6
MARGIN = 18
COLUMN_GAP = 3 * GAP
LEADING = 4  # by which a line is higher than its font
SheetFont = ImageFont.FreeTypeFont | ImageFont.ImageFont


def sample_evenly(prompts: Sequence[str], count: int) -> tuple[str, ...]:
    """Return so many of the prompts, spread evenly over them."""
    count = min(count, len(prompts))
    return tuple(prompts[i * len(prompts) // count] for i in range(count))


def draw_pictures(
    services: Services, models: Sequence[str], prompt: str, seed: int = 0
) -> dict[str, Path | None]:
    """Return the picture that each model makes of the prompt, None where it makes none.

    Raises what `Services.evaluate` raises.
    """
    files: dict[str, Path | None] = dict.fromkeys(models)
    request = EvaluateRequest(
        prompt=prompt, models=tuple(models), metrics=(), judge=None, seed=seed
    )
    for event in services.evaluate(request):
        if isinstance(event, Pictured):
            files[event.shot.model] = event.shot.path
    return files


class SheetBlock(NamedTuple):
    """Holds images side by side (None: an empty frame), the title above and the lines below."""

    title: str
    images: Sequence[Path | None]
    lines: Sequence[str] = ()


def draw_sheet(
    blocks: Sequence[SheetBlock],
    across: int,
    size: int,
    font_size: int,
    *,
    heading: str = "",
    column: int = 0,
) -> Image.Image:
    """Return one page of blocks, `across` in a row.

    `size` of an image, `font_size` and `column`, the least width of a block, are in px.
    """
    font = ImageFont.load_default(font_size)
    line = font_size + LEADING
    width = max([column, *(len(block.images) * (size + 2) for block in blocks)])
    rows = [blocks[start : start + across] for start in range(0, len(blocks), across)]
    heights = [line * (1 + max(len(block.lines) for block in row)) + size + GAP for row in rows]
    columns = min(across, len(blocks))
    page_width = 2 * MARGIN + columns * (width + COLUMN_GAP) - COLUMN_GAP
    page = Image.new("RGB", (page_width, 2 * MARGIN + line + sum(heights)), PAPER)
    pen = ImageDraw.Draw(page)
    pen.text((MARGIN, MARGIN - 6), heading, fill=SOFT, font=font)
    for row, top in zip(rows, accumulate(heights, initial=MARGIN + line), strict=False):
        for number, block in enumerate(row):
            x = MARGIN + number * (width + COLUMN_GAP)
            pen.text((x, top), _truncate(block.title, width, font), fill=INK, font=font)
            for i, file in enumerate(block.images):
                _paste(page, file, (x + i * (size + 2), top + line), size)
            for i, text in enumerate(block.lines, 1):
                pen.text((x, top + size + GAP + i * line), text, fill=INK, font=font)
    return page


def _truncate(text: str, width: int, font: SheetFont) -> str:
    """Return the text, or as much of it as there is room for."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _paste(page: Image.Image, file: Path | None, corner: tuple[int, int], size: int) -> None:
    if file is None:
        opposite = (corner[0] + size - 1, corner[1] + size - 1)
        ImageDraw.Draw(page).rectangle((*corner, *opposite), outline=SOFT)
        return
    with Image.open(file) as picture:
        page.paste(picture.convert("RGB").resize((size, size), Image.Resampling.LANCZOS), corner)


# --- sheets to label from, on paper ---

ITEMS_PER_SHEET = 12
# px
SIZE = 320  # of a picture
COLUMN = 400  # of its text
TEXT = 15  # of a text's font


def label_sheets(
    folder: Path, items: Sequence[LabelItem], across: int = 4
) -> Iterator[Image.Image]:
    """Yield sheets of twelve items in their order, `across` in a row.

    Raises OSError where a picture cannot be read.
    """
    font = ImageFont.load_default(TEXT)
    blocks = [
        SheetBlock(
            item.id,
            [picture(folder, item.id)],
            [
                line
                for number, question in enumerate(item.questions, 1)
                for line in question_lines(number, question, font)
            ],
        )
        for item in items
    ]
    for start in range(0, len(blocks), ITEMS_PER_SHEET):
        page = blocks[start : start + ITEMS_PER_SHEET]
        yield draw_sheet(page, across, SIZE, TEXT, column=COLUMN)


def question_lines(number: int, question: Question, font: SheetFont) -> list[str]:
    """Return a question and its choices, each after its letter, as lines that fit the column."""
    choices = zip(LETTERS, question.choices, strict=False)
    texts = [f"{number}. {question.text}", *(f"{letter}) {choice}" for letter, choice in choices)]
    return [line for text in texts for line in wrap_text(text, COLUMN, font)]


def wrap_text(text: str, width: int, font: SheetFont) -> list[str]:
    """Return the text in lines no wider than so many px; a word that is wider is broken."""
    lines = [text] if text else []
    characters = len(text)
    while lines and max(map(font.getlength, lines)) > width:
        characters -= 1
        lines = textwrap.wrap(text, characters)
    return lines
