"""SVG files of concepts are drawn by the values of facts; what is wrong is named with its place."""

from pathlib import Path

import pytest

from hallascope.primer.drawing.parts import INK, Art, Shape, blend, circle, shade
from hallascope.primer.drawing.svg_files import BadDrawing, SvgDrawing
from tests.data.cases import cases

FACTS = {
    "coat": frozenset(("red", "blue")),
    "wings": frozenset(("2", "4")),
    "stance": frozenset(("up", "lying")),
}
DRAWING = """
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="https://inkscape.org" viewBox="-50 -50 100 100">
  <title>A bird</title>
  <defs>
    <solidColor id="dark" solid-color="{coat} -20%"/>
    <g id="wing" data-part="wing"><path d="M0,0 L9,9 Z" fill="dark" stroke="none"/></g>
  </defs>
  <g data-transform="stance=lying: rotate(90)" i:label="all">
    <use href="#wing" transform="translate(3 4)"/>
    <use href="#wing" data-when="wings=4" display="none"/>
    <g data-part="body" fill="{coat} +10% (white 30%)">
      <circle cx="1" cy="2" r="3"/>
      <polyline points="0,0 1.5,2" stroke="gold" stroke-width="2" data-edge="2.4" fill="none"/>
    </g>
  </g>
</svg>
"""


def _read(folder: Path, text: str = DRAWING) -> SvgDrawing:
    file = folder / "bird.svg"
    file.write_text(text, encoding="utf-8")
    return SvgDrawing(file, FACTS, frozenset(("wing", "body")))


def test_parts_are_drawn_for_the_values_of_facts(tmp_path: Path) -> None:
    draw = _read(tmp_path)
    wing, body = draw({"coat": "red", "wings": 2, "stance": "up"}, Art(0))
    red = Art(0).tone("red")
    assert (wing.name, wing.transform) == ("wing", "translate(3 4)")
    assert wing.shapes == (Shape("M0,0 L9,9 Z", shade(red, -0.2), None),)
    coat = body.shapes[0].fill
    assert body.shapes[0] == circle(1, 2, 3, coat)
    assert coat == blend(shade(red, 0.1), body_white(), 0.3)
    assert [(s.stroke == INK, s.width) for s in body.shapes[1:]] == [(True, 4.4), (False, 2)]
    four = draw({"coat": "red", "wings": 4, "stance": "lying"}, Art(0))
    assert [part.transform for part in four] == [
        "rotate(90) translate(3 4)",
        "rotate(90)",
        "rotate(90)",
    ]


def body_white() -> str:
    """Return white as it is mixed second, after red."""
    art = Art(0)
    art.tone("red")
    return art.tone("white")


def test_a_value_that_is_no_tone_is_named_where_it_is_to_be_a_color(tmp_path: Path) -> None:
    with pytest.raises(BadDrawing, match=r"bird\.svg: \{coat\} is “spotted”, which is no tone"):
        _read(tmp_path)({"coat": "spotted", "wings": 2, "stance": "up"}, Art(0))


@pytest.mark.parametrize(
    "right, wrong, said",
    cases("svg_files", "an_error_names_the_file_and_what_is_wrong", "primer"),
)
def test_an_error_names_the_file_and_what_is_wrong(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    assert right in DRAWING
    draw = _read(tmp_path, DRAWING.replace(right, wrong))
    with pytest.raises(BadDrawing) as error:
        draw({"coat": "red", "wings": 2, "stance": "up"}, Art(0))
    assert str(error.value).startswith(str(tmp_path / "bird.svg"))
    assert said in str(error.value)
