"""A share card shows the image with what is lit and stays in its size; the panel offers what there
is.
"""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from hallascope.components.html.link_tags import SIZE
from hallascope.components.share.card import IMAGE_BOX, NO_IMAGE, ShareCard, card_svg, draw_png

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


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image.png"
    Image.new("RGB", (100, 100), "#2080c0").save(path)
    return path


def drawn(card: ShareCard) -> Image.Image:
    return Image.open(io.BytesIO(draw_png(card))).convert("RGB")


@pytest.mark.parametrize("width, height", [(16, 16), (4000, 10), (10, 4000), (1, 1), (900, 700)])
def test_an_image_of_any_shape_lies_within_its_place(
    width: int, height: int, tmp_path: Path
) -> None:
    path = tmp_path / "image.png"
    Image.new("RGBA", (width, height), (255, 0, 0, 128)).save(path)
    card = replace(CARD, image=path, regions=(((0.1, 0.1), (0.9, 0.1), (0.5, 0.9)),))
    with_image, without = drawn(card), drawn(replace(CARD, image=None))
    assert with_image.size == SIZE
    left, top, right, bottom = IMAGE_BOX
    place = Image.new("L", SIZE, 255)
    place.paste(0, (left - 2, top - 2, right + 2, bottom + 2))
    changed = ImageChops.difference(with_image, without).convert("L")
    assert changed.getbbox() is not None
    assert ImageChops.multiply(changed, place).getbbox() is None, "nothing changes around it"


def test_what_is_lit_keeps_its_color_and_the_rest_is_dark(image: Path) -> None:
    square = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))
    hole = ((0.45, 0.45), (0.45, 0.55), (0.55, 0.55), (0.55, 0.45))
    card = drawn(replace(CARD, image=image, regions=(square, hole)))
    left, top, right, bottom = IMAGE_BOX
    side = bottom - top  # the image is square and its place is wider than high
    margin = (right - left - side) / 2

    def color(x: float, y: float) -> object:
        return card.getpixel((round(left + margin + x * side), round(top + y * side)))

    assert color(0.35, 0.35) == (0x20, 0x80, 0xC0)
    assert sum(color(0.1, 0.1)) < 200  # type: ignore[call-overload]
    assert sum(color(0.5, 0.5)) < 200, "a hole is not lit"  # type: ignore[call-overload]


def test_a_file_that_is_no_image_is_said_in_words(tmp_path: Path) -> None:
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"nothing")
    for path in (None, bad, tmp_path / "missing.png"):
        card = replace(CARD, image=path)
        assert NO_IMAGE in card_svg(card)
        assert drawn(card).size == SIZE


def test_a_card_holds_its_image_prompt_question_verdict_truth_and_model() -> None:
    texts = re.findall("<text[^>]*>([^<]*)</text>", card_svg(CARD))
    assert {CARD.headline, CARD.prompt, "How many hydrogen atoms are", "there?"} <= set(texts)
    assert {"Truth", "Three (drawn)", CARD.link} <= set(texts)
    assert CARD.about in " ".join(texts)


@pytest.mark.parametrize("text", ["\u202e\x00\udc80<b>&", "鍋 مرحبا \U000e0001", "W" * 3_000, ""])
def test_any_text_is_drawn_within_the_card(text: str) -> None:
    card = replace(
        CARD,
        rows=((text, text),) * 3,
        prompt=text,
        headline=text,
        title=text,
        about=text,
        link=text,
    )
    assert drawn(card).size == SIZE
    places = [float(y) for y in re.findall(r'<text[^>]* y="([\d.]+)"', card_svg(card))]
    assert max(places, default=0) < SIZE[1]
    assert "\u202e" not in card_svg(card)


def test_the_alternative_text_says_that_a_verdict_is_wrong() -> None:
    assert CARD.alt.startswith("Missed: the judge does not see this error. How many")
    assert "Judge: Four; Truth: Three (drawn)" in CARD.alt
