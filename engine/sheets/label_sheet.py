"""Draws sheets to label from on paper: numbered pictures with their questions and lettered choices.

The right answers and a judge's are not on them.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from hallascope.data.files.label_folder import LabelItem, picture
from hallascope.data.records import LETTERS, Question

ITEMS_PER_SHEET = 12
PAPER = "#ffffff"
INK = "#111418"
SOFT = "#4a515b"
SIZE = 320  # px of a picture
COLUMN = 400  # px of its text
GAP = 28  # px between blocks
MARGIN = 28  # px around all
NUMBER = 24  # px of a number's font
TEXT = 15  # px of a text's font
LINE = 20  # px of a line's height
INDENT = 18  # px by which choices stand in
SheetFont = ImageFont.FreeTypeFont | ImageFont.ImageFont


class SheetLine(NamedTuple):
    """Holds a line of text: how far it stands in, in px, and its color."""

    indent: int
    text: str
    ink: str


def label_sheets(
    folder: Path, items: Sequence[LabelItem], across: int = 4
) -> Iterator[Image.Image]:
    """Yield sheets of twelve items in their order, `across` in a row.

    Raises OSError where a picture cannot be read.
    """
    for start in range(0, len(items), ITEMS_PER_SHEET):
        yield _draw_sheet(folder, items[start : start + ITEMS_PER_SHEET], across)


def _draw_sheet(folder: Path, items: Sequence[LabelItem], across: int) -> Image.Image:
    font = ImageFont.load_default(TEXT)
    blocks = [
        (
            item,
            [
                line
                for number, question in enumerate(item.questions, 1)
                for line in question_lines(number, question, font)
            ],
        )
        for item in items
    ]
    rows = [blocks[start : start + across] for start in range(0, len(blocks), across)]
    heights = [NUMBER + SIZE + 2 * GAP + LINE * max(len(lines) for _, lines in row) for row in rows]
    width = 2 * MARGIN + len(rows[0]) * (COLUMN + GAP) - GAP
    page = Image.new("RGB", (width, 2 * MARGIN + sum(heights)), PAPER)
    for row, top in zip(rows, accumulate(heights, initial=MARGIN), strict=False):
        for column, (item, lines) in enumerate(row):
            corner = (MARGIN + column * (COLUMN + GAP), top)
            _draw_item(page, picture(folder, item.id), item.id, lines, corner)
    return page


def _draw_item(
    page: Image.Image, file: Path, name: str, lines: Sequence[SheetLine], corner: tuple[int, int]
) -> None:
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(TEXT)
    x, y = corner
    pen.text((x, y), name, fill=INK, font=ImageFont.load_default(NUMBER))
    with Image.open(file) as original:
        large = original.convert("RGB").resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    page.paste(large, (x, y + NUMBER + 6))
    y += NUMBER + SIZE + 14
    for line in lines:
        pen.text((x + line.indent, y), line.text, fill=line.ink, font=font)
        y += LINE


def question_lines(number: int, question: Question, font: SheetFont) -> list[SheetLine]:
    """Return a question and its choices as lines that fit the column.

    Each choice stands after its letter, as many in a line as there is room for.
    """
    text = wrap_text(f"{number}. {question.text}", COLUMN, font)
    choices = [
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, question.choices, strict=False)
    ]
    return [
        *(SheetLine(0, line, INK) for line in text),
        *(
            SheetLine(INDENT, line, SOFT)
            for line in _fill_lines(choices, " " * 5, COLUMN - INDENT, font, wrap_text)
        ),
    ]


def wrap_text(text: str, width: int, font: SheetFont) -> list[str]:
    """Return the text in lines no wider than so many px; a word that is wider is broken."""
    return _fill_lines(text.split(), " ", width, font, _break_word)


def _fill_lines(
    parts: Sequence[str],
    separator: str,
    width: int,
    font: SheetFont,
    break_part: Callable[[str, int, SheetFont], list[str]],
) -> list[str]:
    """Return parts side by side as far as they fit; only one wider than a line is broken."""
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]}{separator}{part}" if lines else part
        if lines and font.getlength(joined) <= width:
            lines[-1] = joined
        else:
            lines += break_part(part, width, font)
    return lines


def _break_word(word: str, width: int, font: SheetFont) -> list[str]:
    pieces = [""]
    for character in word:
        if pieces[-1] and font.getlength(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
