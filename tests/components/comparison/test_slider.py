"""A slider uncovers one picture under another, and names both."""

from pathlib import Path

from hallascope.components.comparison.slider import ImagePair, sliders
from tests.support.tiles import EVIL, no_markup_of


def test_both_pictures_of_a_slider_are_named() -> None:
    html = sliders([ImagePair(Path("/a.png"), "exact", Path("/b.png"), "careless")])
    assert html.count("<img ") == 2
    assert 'alt="exact"' in html
    assert 'alt="careless"' in html
    assert 'aria-label="How much is seen of exact, the rest of careless"' in html


def test_without_pictures_there_is_no_slider() -> None:
    assert "<input" not in sliders([])


def test_text_from_elsewhere_stays_text() -> None:
    assert no_markup_of(EVIL, sliders([ImagePair(Path("/a.png"), EVIL, Path("/b.png"), EVIL)]))
