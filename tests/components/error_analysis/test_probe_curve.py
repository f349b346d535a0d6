"""The curve of a probe has a band for each model, and its table escapes what people wrote."""

from hallascope.components.error_analysis.probe_curve import (
    ProbeLine,
    ProbePoint,
    ShareBand,
    probe_figure,
    probe_findings,
)
from hallascope.components.error_analysis.remedy_table import (
    ChangeNumbers,
    RemedyRow,
    RemedyView,
    remedy_table,
)

HALF = ShareBand(0.5, 0.2, 0.8)


def line(curve: ShareBand | None, share: ShareBand | None = HALF) -> ProbeLine:
    points = (
        ProbePoint(
            label=label,
            prompt="<b>two</b> cats",
            failed=1,
            answered=2,
            without=0,
            share=share,
            curve=curve,
        )
        for label in ("1", "2")
    )
    return ProbeLine(model="a/<model>", sentence="It holds.", points=tuple(points))


def test_an_ordered_axis_has_a_curve_with_a_band_and_others_have_marks() -> None:
    ordered = probe_figure([line(HALF)], "number")
    assert [trace.mode for trace in ordered.data] == ["none", "lines", "markers"]
    assert list(ordered.data[0].y) == [80.0, 80.0, 20.0, 20.0]
    (marks,) = probe_figure([line(None)], "color").data
    assert marks.name == "a/&lt;model&gt;"
    assert list(marks.y) == [50.0, 50.0]


def test_the_table_escapes_and_a_level_without_an_answer_says_so() -> None:
    shown = probe_findings([line(None, None)], ["They differ."], "Left out: 1.")
    assert "&lt;b&gt;two&lt;/b&gt; cats" in shown
    assert "no answer" in shown
    assert "They differ." in shown
    assert probe_findings([], []) == ""


def test_a_remedy_without_facts_has_dashes_and_no_zero() -> None:
    nothing = ChangeNumbers(0, None, None, None, None, None)
    some = ChangeNumbers(4, 0.5, 0.25, 0.25, -0.1, 0.6)
    view = RemedyView(judge="a/judge", repaired=some, broken=nothing, unanswered=3)
    row = RemedyRow(title="best-of-n", verdict="helps", sentence="It helps.", views=(view,))
    shown = remedy_table([row])
    assert "+0.25 (-0.10 to +0.60)" in shown
    assert "<td>–</td>" in shown
