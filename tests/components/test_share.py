"""A share card shows the image with what is lit and stays in its size; the panel offers what there
is.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from hallascope.components.html.link_tags import SIZE
from hallascope.components.share.card import (
    IMAGE_BOX,
    ShareCard,
    draw_card,
    fit_image,
    place_texts,
)
from hallascope.components.share.fonts import FontFamily, load_font
from hallascope.components.share.panel import ACTIONS, FORMATS, OUTCOMES, share_panel
from hallascope.components.theme.look import FOLDER
from hallascope.engine.export.formats import FORMATS as EXPORT_FORMATS
from hallascope.engine.export.selection.selection import read_selection

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


PILLOW = FontFamily(None, None)


def test_a_file_that_is_no_font_gives_the_one_of_pillow(tmp_path: Path) -> None:
    bad = tmp_path / "bad.ttf"
    bad.write_bytes(b"no font")
    assert load_font(FontFamily(bad, bad), 20, bold=True).getname() == (
        load_font(PILLOW, 20).getname()
    )


def test_every_button_has_an_action_in_the_script() -> None:
    html = share_panel([], "evidence", "share").value
    script = (FOLDER / "share" / "share.js").read_text("utf-8")
    for name, words in ACTIONS.items():
        assert f'data-share="{name}"' in html
        assert f">{words}</button>" in html
        assert f"    {name}: async" in script
    assert 'data-evidence="evidence"' in html


def test_the_page_offers_formats_and_outcomes_that_the_engine_has() -> None:
    assert set(FORMATS) <= set(EXPORT_FORMATS)
    for outcome in filter(None, OUTCOMES):
        assert read_selection(outcomes=outcome).outcomes == {outcome}
