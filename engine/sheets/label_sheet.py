"""Draws sheets to label from on paper: numbered pictures with their questions and lettered choices.

Gold and judge are not on them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from hallascope.data.files.label_folder import LabelItem, picture
from hallascope.data.records import LETTERS, Question

A_SHEET = 12
PAPER = "#ffffff"
INK = "#111418"
SOFT = "#4a515b"
SIZE, COLUMN, GAP, MARGIN = (
    320,
    400,
    28,
    28,
)  # px: of a picture, of its text, between blocks, around all
NUMBER, TEXT, LINE = 24, 15, 20  # px: font sizes and the height of a line
SheetFont = ImageFont.FreeTypeFont | ImageFont.ImageFont


class SheetLine(NamedTuple):
    """A line of text: how far it stands in, in px, and its colour."""

    indent: int
    text: str
    ink: str


def sheets(folder: Path, items: Sequence[LabelItem], across: int = 4) -> Iterator[Image.Image]:
    """Sheets of twelve items in their order, `across` in a row.

    Raises OSError where a picture cannot be read.
    """
    for start in range(0, len(items), A_SHEET):
        yield _sheet(folder, items[start : start + A_SHEET], across)


def _sheet(folder: Path, items: Sequence[LabelItem], across: int) -> Image.Image:
    font = ImageFont.load_default(TEXT)
    told = [
        [line for n, question in enumerate(item.questions, 1) for line in lines(n, question, font)]
        for item in items
    ]
    rows = [range(start, min(start + across, len(items))) for start in range(0, len(items), across)]
    heights = [NUMBER + SIZE + GAP + LINE * max(len(told[i]) for i in row) for row in rows]
    width = 2 * MARGIN + min(across, len(items)) * (COLUMN + GAP) - GAP
    page = Image.new("RGB", (width, 2 * MARGIN + sum(heights) + GAP * len(rows)), PAPER)
    for r, row in enumerate(rows):
        top = MARGIN + sum(heights[:r]) + GAP * r
        for c, i in enumerate(row):
            _block(page, folder, items[i], told[i], (MARGIN + c * (COLUMN + GAP), top))
    return page


def _block(
    page: Image.Image,
    folder: Path,
    item: LabelItem,
    told: Sequence[SheetLine],
    place: tuple[int, int],
) -> None:
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(TEXT)
    x, y = place
    pen.text((x, y), item.id, fill=INK, font=ImageFont.load_default(NUMBER))
    with Image.open(picture(folder, item.id)) as shown:
        large = shown.convert("RGB").resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    page.paste(large, (x, y + NUMBER + 6))
    below = y + NUMBER + SIZE + 14
    for n, line in enumerate(told):
        pen.text((x + line.indent, below + n * LINE), line.text, fill=line.ink, font=font)


def lines(number: int, question: Question, font: SheetFont) -> list[SheetLine]:
    """A question and its choices as lines that fit the column, each choice after its letter.

    "?" stands for what cannot be told.
    """
    asked = [
        SheetLine(0, text, INK) for text in wrap_text(f"{number}. {question.text}", COLUMN, font)
    ]
    pairs = [
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, question.choices, strict=True)
    ]
    return [*asked, *(SheetLine(18, text, SOFT) for text in _flowing(pairs, COLUMN - 18, font))]


def _flowing(parts: Sequence[str], width: int, font: SheetFont) -> list[str]:
    """Parts side by side as far as they fit, none broken that fits a line of its own."""
    found = [""]
    for part in parts:
        both = f"{found[-1]}     {part}" if found[-1] else part
        if font.getlength(both) <= width:
            found[-1] = both
        else:
            found += wrap_text(part, width, font)
    return list(filter(None, found))


def wrap_text(text: str, width: int, font: SheetFont) -> list[str]:
    """The text in lines no wider than so many px; a word that is wider is broken."""
    found = [""]
    for word in text.split():
        both = f"{found[-1]} {word}" if found[-1] else word
        if font.getlength(both) <= width:
            found[-1] = both
            continue
        *whole, rest = _break_word(word, width, font)
        found += [*whole, rest]
    return list(filter(None, found))


def _break_word(word: str, width: int, font: SheetFont) -> list[str]:
    pieces = [""]
    for sign in word:
        if pieces[-1] and font.getlength(pieces[-1] + sign) > width:
            pieces.append("")
        pieces[-1] += sign
    return pieces
