"""Texts fit their place in a drawing, whatever they are, and are drawn without a browser."""

import io

import pytest
from PIL import Image

from hallascope.components.html.markup import tag
from hallascope.components.theme.drawing import fit_text, svg_png, text_width

TEXTS = ["left of → right of", "W" * 40, "鍋" * 30, "a " * 50, "", " ", "\x00\udc80\u202e<b>&"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_no_more_lines_and_width_than_it_may(text: str) -> None:
    for lines in (1, 2):
        fitted = fit_text(text, 100, 12.5, lines)
        assert len(fitted) <= lines
        assert all(text_width(line, 12.5) <= 100 for line in fitted)
        assert bool(fitted) == bool(text.strip())


@pytest.mark.parametrize("text", TEXTS)
def test_a_character_without_a_font_is_no_fault(text: str) -> None:
    svg = tag("svg", tag("text", text, x=0, y=20), xmlns="http://www.w3.org/2000/svg", width=99)
    drawn = svg_png(svg, "scene_graph/graph_drawing.css", 2)
    with Image.open(io.BytesIO(drawn)) as image:
        assert image.format == "PNG"
