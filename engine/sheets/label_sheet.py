"""Draws sheets to label from on paper: numbered pictures with their questions and lettered choices.

The right answers and a judge's are not on them.
"""

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageFont

from hallascope.data.files.label_folder import LabelItem, picture
from hallascope.data.records import LETTERS, Question
from hallascope.engine.sheets.contact_sheet import SheetBlock, SheetFont, draw_sheet

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
