"""The picture of the viewer: outlines, boxes, labels and numbers lie where they should."""

import math
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hallascope.components.evidence import image_stage
from hallascope.components.evidence.exhibit import Exhibit, ImageRegion
from hallascope.data.regions import Box

BOX = Box(0.1, 0.2, 0.4, 0.6)


def circle(
    cx: float, cy: float, r: float, points: int = 60, turn: int = 1
) -> tuple[tuple[float, float], ...]:
    turns = [turn * 2 * math.pi * i / points for i in range(points)]
    return tuple((cx + r * math.cos(one), cy + r * math.sin(one)) for one in turns)


def shown(*marks: ImageRegion, path: Path | None = Path("/a.png")) -> str:
    return image_stage.picture(
        Exhibit(run="run", key="key", name="name", path=path, alt="alt", marks=marks)
    )


def test_numbers_go_round_like_a_clock_and_leave_out_holes_and_slivers() -> None:
    top, right, hole, sliver = (
        circle(0.5, 0.2, 0.1),
        circle(0.8, 0.5, 0.1),
        circle(0.5, 0.2, 0.05, turn=-1),
        circle(0.2, 0.9, 0.01),
    )
    html = shown(
        ImageRegion(name="atom", keys=("question=1",), polygons=(right, hole, sliver, top))
    )
    found = re.findall(r'class="count"[^>]*left:([\d.]+)%;top:([\d.]+)%">(\d)<', html)
    assert found == [("50.00", "20.00", "1"), ("80.00", "50.00", "2")]


def test_small_marks_lie_over_large_ones_but_keep_their_order_for_the_keyboard() -> None:
    html = image_stage.overlay(
        [
            ImageRegion(name="small", keys=("question=1",), polygons=(circle(0.5, 0.5, 0.05),)),
            ImageRegion(name="large", keys=("question=1",), polygons=(circle(0.5, 0.5, 0.3),)),
        ]
    )
    assert html.index('data-part="large"') < html.index('data-part="small"')
    assert 'data-order="1" data-part="large"' in html


def test_a_mark_says_its_state_in_words_and_is_a_button() -> None:
    html = image_stage.overlay(
        [
            ImageRegion(
                name="circle",
                keys=("finding=1",),
                polygons=(circle(0.5, 0.5, 0.1),),
                kind="incorrect",
                words="colour incorrect",
            )
        ]
    )
    assert 'role="button" aria-pressed="false"' in html
    assert 'aria-label="circle: colour incorrect"' in html
    assert 'class="region incorrect"' in html


def test_what_has_no_outline_is_drawn_by_its_box() -> None:
    html = image_stage.overlay([ImageRegion(name="circle", keys=("finding=1",), box=BOX)])
    assert 'd="M400 1600l0 -800 600 0l600 0 0 800l0 800 -600 0l-600 0 0 -800z"' in html
    assert '<rect class="box" x="400" y="800" width="1200" height="1600"/>' in html


def test_round_things_are_drawn_with_curves_and_corners_stay_corners() -> None:
    assert set(re.sub(r"[^a-zA-Z]", "", image_stage.outline(circle(0.5, 0.5, 0.2)))) == {
        "M",
        "q",
        "z",
    }
    assert "q" not in image_stage.outline(((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3)))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=30))
def test_an_outline_ends_where_it_began(points: list[tuple[float, float]]) -> None:
    steps = re.findall(r"([lq])(-?\d+) (-?\d+) (-?\d+) (-?\d+)", image_stage.outline(tuple(points)))
    assert len(steps) == len(points)
    ends = [
        (int(x), int(y)) if kind == "q" else (int(a) + int(x), int(b) + int(y))
        for kind, a, b, x, y in steps
    ]
    assert (sum(x for x, _ in ends), sum(y for _, y in ends)) == (0, 0)


def test_a_label_has_a_sign_and_stays_in_the_picture() -> None:
    html = shown(
        ImageRegion(name="circle", keys=("finding=1",), box=Box(0.7, 0.0, 0.9, 0.3), kind="correct")
    )
    assert re.search(
        r'class="tag correct low flip"[^>]*style="left:90.00%;top:0.00%"><svg class="icon"', html
    )


def test_only_what_there_is_can_be_switched() -> None:
    assert "data-show" not in shown()
    assert re.findall(
        'data-show="([a-z]+)"',
        shown(ImageRegion(name="a", keys=("question=1",), polygons=(circle(0.5, 0.5, 0.1),))),
    ) == ["masks", "labels"]
    assert 'data-show="boxes"' in shown(ImageRegion(name="a", keys=("finding=1",), box=BOX))


def test_the_place_of_a_picture_has_its_own_proportions_before_it_is_loaded(tmp_path: Path) -> None:
    Image.new("RGB", (200, 120)).save(tmp_path / "oblong.png")
    assert 'width="200" height="120"' in shown(path=tmp_path / "oblong.png")
    assert 'width="512" height="512"' in shown(path=tmp_path / "gone.png")
