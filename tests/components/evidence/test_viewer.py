"""The viewer as a whole: one image or two, its marks, its words, its rows and its numbers."""

import math
import re
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hallascope.components.evidence import exhibit, image_stage, viewer
from hallascope.components.evidence.annotated_text import pieces
from hallascope.components.evidence.exhibit import (
    AnnotatedSpan,
    AnnotatedText,
    EvidenceGroup,
    Exhibit,
    ImageRegion,
)
from hallascope.data.regions import Box

SQUARE = ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3))


def made(**changes: object) -> Exhibit:
    shown = Exhibit(
        run="run1",
        key="key1",
        name="hasty",
        path=Path("/a.png"),
        alt="a molecule, by hasty: 1 of 1 wrong",
        marks=(
            ImageRegion(
                name="atom",
                keys=("finding=1",),
                polygons=(SQUARE,),
                box=Box(0.1, 0.1, 0.3, 0.3),
                kind="incorrect",
            ),
        ),
        texts=(
            AnnotatedText(
                "Prompt", "a red atom", (AnnotatedSpan((2, 5), ("finding=1",), "incorrect"),)
            ),
        ),
        groups=(EvidenceGroup("Color", Markup("<table></table>"), "0 of 1"),),
        numbers=Markup("<h2>Score</h2>"),
    )
    return replace(shown, **changes)  # type: ignore[arg-type]


def test_an_exhibit_has_a_picture_its_words_and_its_numbers_in_this_order() -> None:
    html = viewer.viewer([made()])
    places = [html.index(part) for part in ("panel picture", "panel questions", "panel numbers")]
    assert places == sorted(places)
    assert 'alt="a molecule, by hasty: 1 of 1 wrong"' in html
    assert html.count('data-keys="[&#34;finding=1&#34;]"') == 4, (
        "outline, label, number and word share their key"
    )


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=8)
)
def test_any_spans_show_the_whole_text_once(said: str, spans: list[tuple[int, int]]) -> None:
    words = tuple(AnnotatedSpan(span, (f"finding={i}",)) for i, span in enumerate(spans))
    assert "".join(said[a:b] for a, b, _, _ in pieces(said, words)) == said


def test_a_click_leads_to_what_is_wrong_first() -> None:
    kinds = {
        "finding=1": exhibit.kind("correct"),
        "finding=2": exhibit.kind("failed"),
        "finding=3": exhibit.kind("abstained"),
    }
    assert exhibit.wrong_first(list(kinds), kinds) == ("finding=3", "finding=1", "finding=2")


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
