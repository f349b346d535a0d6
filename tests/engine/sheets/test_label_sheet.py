"""Sheets to label from show pictures enlarged, with every question and choice in its column."""

from pathlib import Path

from PIL import ImageFont

from hallascope.data.records import NONE_OF_THE_ABOVE, Question
from hallascope.engine.sheets import label_sheet
from hallascope.engine.sheets.label_sheet import COLUMN, SIZE, TEXT, label_sheets, wrap_text
from tests.support import label_folder


def test_a_sheet_shows_the_pictures_enlarged_and_twelve_at_most(tmp_path: Path) -> None:
    items = label_folder.write(tmp_path, ["a ladybug"] * 13)
    first, second = label_sheets(tmp_path, items)
    assert first.width > 4 * SIZE
    assert first.height > 2 * second.height
    place = label_sheet.MARGIN, label_sheet.MARGIN + label_sheet.NUMBER + 6
    shown = first.crop((*place, place[0] + SIZE, place[1] + SIZE))
    assert shown.getcolors() == [(SIZE * SIZE, (40, 90, 160))]


def test_every_choice_stands_on_the_sheet_after_its_letter_and_fits_its_column() -> None:
    font = ImageFont.load_default(TEXT)
    question = Question(
        text="How many? " * 12,
        choices=("A word", "x" * 200, "Three", "Four", NONE_OF_THE_ABOVE),
        gold="C",
        coi="counting",
    )
    lines = label_sheet.question_lines(3, question, font)
    told = " ".join(line.text for line in lines)
    assert told.startswith("3. How many?")
    assert [told.index(f"{letter})") for letter in "ABCDE"] == sorted(
        told.index(f"{letter})") for letter in "ABCDE"
    )
    assert told.replace(" ", "").count("x" * 200) == 1
    assert all(line.indent + font.getlength(line.text) <= COLUMN for line in lines)
    assert wrap_text("", COLUMN, font) == []
