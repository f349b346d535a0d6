"""A card has the size of a link's preview, shows the image with what is lit, and no text leaves its
place.
"""

import io
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from hallascope.components.html.link_tags import SIZE
from hallascope.components.share.card import (
    IMAGE_BOX,
    PlacedText,
    ShareCard,
    draw_card,
    draw_png,
    fit_image,
    place_texts,
)
from hallascope.components.share.text_fit import Extent

LONG = "Which of these very long descriptions of the parts of the image is right, " * 6
CARD = ShareCard(
    image=None,
    regions=(),
    prompt="a molecule of methane",
    headline="Missed: the judge does not see this error",
    kind="wrong",
    title="How many hydrogen atoms are there?",
    rows=(("Expected", "Four"), ("Judge", "Four"), ("Truth", "Three (drawn)")),
    about="primer/hasty, seed 0 · judge primer/judge · I-HallA version 2 (ade7bcd) · 2026-01-02",
    link="example.org/?run=ab12cd34ef56",
)
CARDS = {
    "short": CARD,
    "long": replace(
        CARD,
        prompt=LONG,
        headline=LONG,
        title=LONG,
        rows=tuple((LONG, LONG) for _ in range(3)),
        about=LONG,
        link="https://" + "a" * 300,
    ),
    "right to left": replace(
        CARD,
        title="كم عدد ذرات الهيدروجين في الصورة؟ " * 9,
        rows=(("Expected", "ארבעה " * 30), ("Judge", "三" * 90), ("Truth", "চার " * 40)),
    ),
    "one word": replace(CARD, title="x" * 400, rows=(("Judge", "W" * 300),)),
    "nothing": replace(CARD, prompt="", title="", rows=(), about="", link=""),
}


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image.png"
    Image.new("RGB", (100, 100), "#2080c0").save(path)
    return path


def extent(placed: PlacedText) -> Extent:
    """What a text takes: its lines, within its width."""
    text = placed.text
    left, top, right, _ = text.box
    if text.align_right:
        return right - text.width, top, right, text.bottom
    return left, top, left + text.width, text.bottom


@pytest.mark.parametrize("name", list(CARDS))
def test_no_text_leaves_its_box_or_covers_another(name: str) -> None:
    texts = place_texts(CARDS[name])
    for placed in texts:
        left, top, right, bottom = placed.text.box
        x, y, far, low = extent(placed)
        assert left - 1 <= x < far <= right + 1 or x == far, placed
        assert top <= y <= low <= bottom + 2, placed
        assert 0 <= left < right <= SIZE[0]
        assert 0 <= top <= low <= SIZE[1]
    for one, other in combinations(texts, 2):
        a, b = extent(one), extent(other)
        if one.text.lines and other.text.lines:
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
            assert apart, (one.name, other.name, a, b)


@pytest.mark.parametrize(
    ("width", "height"), [(16, 16), (4000, 10), (10, 4000), (1, 1), (900, 700)]
)
def test_an_image_of_any_shape_lies_within_its_place(
    width: int, height: int, tmp_path: Path
) -> None:
    left, top, right, bottom = fit_image(width, height, IMAGE_BOX)
    assert IMAGE_BOX[0] <= left < right <= IMAGE_BOX[2]
    assert IMAGE_BOX[1] <= top < bottom <= IMAGE_BOX[3]
    path = tmp_path / "image.png"
    Image.new("RGBA", (width, height), (255, 0, 0, 128)).save(path)
    card = draw_card(replace(CARD, image=path, regions=(((0.1, 0.1), (0.9, 0.1), (0.5, 0.9)),)))
    assert card.size == SIZE


def test_the_card_is_a_png_file_of_the_size_of_a_preview(image: Path) -> None:
    with Image.open(io.BytesIO(draw_png(replace(CARD, image=image)))) as card:
        assert (card.format, card.size) == ("PNG", SIZE)


def test_what_is_lit_keeps_its_color_and_the_rest_is_dark(image: Path) -> None:
    square = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))
    hole = ((0.45, 0.45), (0.45, 0.55), (0.55, 0.55), (0.55, 0.45))
    card = draw_card(replace(CARD, image=image, regions=(square, hole)))
    left, top, right, bottom = fit_image(100, 100, IMAGE_BOX)

    def color(x: float, y: float) -> object:
        return card.getpixel((round(left + x * (right - left)), round(top + y * (bottom - top))))

    assert color(0.35, 0.35) == (0x20, 0x80, 0xC0)
    assert sum(color(0.1, 0.1)) < 200  # type: ignore[call-overload]
    assert sum(color(0.5, 0.5)) < 200, "a hole is not lit"  # type: ignore[call-overload]


def test_a_file_that_is_no_image_is_said_in_words(tmp_path: Path) -> None:
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"nothing")
    for path in (None, bad, tmp_path / "missing.png"):
        card = replace(CARD, image=path)
        assert "no image" in [placed.name for placed in place_texts(card)]
        assert draw_card(card).size == SIZE


def test_the_alternative_text_says_that_a_verdict_is_wrong() -> None:
    assert CARD.alt.startswith("Missed: the judge does not see this error. How many")
    assert "Judge: Four; Truth: Three (drawn)" in CARD.alt
