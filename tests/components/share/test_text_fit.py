"""Any text stays within its box, in every script, and nothing of it turns the rest around."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from hallascope.components.share.fonts import FontFamily, load_font
from hallascope.components.share.text_fit import (
    FINER,
    FittedText,
    TextStyle,
    break_lines,
    fit_text,
    is_right_to_left,
)

BOX = (40, 20, 340, 120)
STYLE = TextStyle(sizes=(30, 24, 18), most_lines=3)
ARABIC = "كم عدد ذرات الهيدروجين في الصورة؟"
HEBREW = "כמה אטומי מימן יש בתמונה?"


def ink(fitted: FittedText) -> tuple[int, int, int, int]:
    """Where a text is drawn: left, top, right and bottom in px of the card, beyond its box, too."""
    canvas = Image.new("L", (900 * FINER, 400 * FINER), 0)
    fitted.draw(ImageDraw.Draw(canvas), "white")
    left, top, right, bottom = canvas.getbbox() or (0, 0, 0, 0)
    return left // FINER, top // FINER, -(-right // FINER), -(-bottom // FINER)


def assert_within(fitted: FittedText) -> None:
    left, top, right, bottom = ink(fitted)
    assert right == 0 or (left >= BOX[0] - 1 and right <= BOX[2] + 1), fitted.lines
    assert bottom <= BOX[3] + fitted.size // 3, "what hangs below the last line reaches no further"
    assert top == 0 or top >= BOX[1] - 1


@given(st.text(max_size=200))
@settings(max_examples=60)
def test_what_is_drawn_of_any_text_stays_within_its_box(text: str) -> None:
    assert_within(fit_text(text, BOX, STYLE))


def test_a_long_word_is_broken_and_a_long_text_ends_with_an_ellipsis() -> None:
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    assert_within(broken := fit_text(word, BOX, STYLE))
    assert "".join(broken.lines) == word
    assert_within(cut := fit_text("a long question about the image " * 20, BOX, STYLE))
    assert len(cut.lines) == 3
    assert cut.lines[-1].endswith("…")
    assert cut.size == 18, "the smallest size is tried before anything is cut"


def test_a_short_text_has_the_largest_size() -> None:
    fitted = fit_text("Four", BOX, STYLE)
    assert (fitted.lines, fitted.size) == (("Four",), 30)


def test_text_from_right_to_left_stands_at_the_right_edge() -> None:
    for text in (ARABIC, HEBREW):
        assert is_right_to_left(text)
        fitted = fit_text(text, BOX, STYLE)
        left, _, right, _ = ink(fitted)
        assert right >= BOX[2] - 6
        assert left >= BOX[0] - 1
    assert not is_right_to_left(f"Four {HEBREW}")


def test_signs_that_turn_the_direction_are_taken_out() -> None:
    (line,) = fit_text("not \u202egnorw\u202c right", BOX, STYLE).lines
    assert line == "not gnorw right"


def test_lines_hold_all_words_and_combining_marks_stay_with_their_letter() -> None:
    font = load_font(FontFamily(None, None), 40)
    assert " ".join(break_lines("two words and some more of them", font, 200)).split() == (
        ["two", "words", "and", "some", "more", "of", "them"]
    )
    for line in break_lines("e\u0301" * 60, font, 100):
        assert not unicodedata.combining(line[0])
