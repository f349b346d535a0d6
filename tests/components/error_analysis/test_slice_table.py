"""Slices are shown as sentences with bars; no text becomes a tag."""

from dataclasses import replace

from hallascope.components.error_analysis.slice_table import NONE_FOUND, SliceRow, slice_table
from tests.support.tiles import EVIL, no_markup_of

ROW = SliceRow(
    name="Numbers above three",
    sentence="Numbers above three: 61 % wrong",
    numbers="95 % interval",
    error_rate=0.61,
    rest_error_rate=0.12,
    interval=(0.5, 0.7),
    conditions="number above 3:yes",
    filter="model:a;number above 3:yes",
)


def test_a_slice_has_its_bar_its_images_and_its_link() -> None:
    html = slice_table([ROW], "of 84 images")
    assert "width:61.0%" in html
    assert 'data-slice-images="number above 3:yes"' in html
    assert "?tab=errors&amp;slice=model%3Aa%3Bnumber+above+3%3Ayes" in html
    assert "of 84 images" in html


def test_no_slice_is_said_in_words() -> None:
    assert NONE_FOUND in slice_table([], "")


def test_no_text_becomes_a_tag() -> None:
    evil = replace(ROW, name=EVIL, sentence=EVIL, numbers=EVIL, conditions=EVIL, filter=EVIL)
    no_markup_of(EVIL, slice_table([evil], EVIL))
