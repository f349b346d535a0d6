"""Preferences on the page have the numbers of the command, escaped, with intervals in a figure."""

from pathlib import Path

from hallascope.engine.human_agreement.preferences import compare_preferences, preference_document
from hallascope.engine.human_agreement.ratings import AgreementOptions
from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from tests.pages.agreement.conftest import given, write


def test_preferences_are_recognized_and_have_the_numbers_of_the_command(
    services: Services, tmp_path: Path
) -> None:
    pairs = [f"p{n}-x,p{n}-y,{who},a,<i>p{n}" for n in range(8) for who in ("ann", "bo")]
    more = [*(f"p{n}-x,p{n}-y,cy,tie,<i>p{n}" for n in range(3)), "p7-x,p7-y,cy,unreadable,<i>p7"]
    lone = "p0-x,<b>gone,cy,a,<i>p0"
    people = write(tmp_path / "p.csv", "item_a,item_b,rater,choice,group", *pairs, *more, lone)
    scored = [f"p{n}-{side},{int(side == 'x')},{n % 3}" for n in range(8) for side in "xy"]
    scores = write(tmp_path / "s.csv", "item,<b>right,flat", *scored)
    shown = state.compare(services, given(scores, people))
    assert shown.words == (
        "Preferences between two items, recognized by the columns item_a and item_b: 2 metrics, 20"
        " choices between 8 pairs of items in 8 clusters; 1 row left out."
    )
    document = compare_preferences(Path(scores), Path(people), AgreementOptions())
    assert shown.document == preference_document(document)
    accuracy = shown.document["metrics"]["<b>right"]["accuracy"]
    assert f"<td>0.842 ({accuracy['low']:.3f} to {accuracy['high']:.3f})</td>" in shown.tables
    assert "&lt;b&gt;right less flat" in shown.tables
    assert "the item &#39;&lt;b&gt;gone&#39; is not scored" in shown.tables
    assert "<b>" not in shown.tables
    assert shown.figure is not None
    assert [trace.name for trace in shown.figure.data] == [
        "pairwise accuracy",
        "of decided pairs",
        "always the most frequent choice",
    ]
    assert shown.figure.data[0].x[0] == accuracy["value"]
    assert shown.figure.data[0].error_x.array[0] == accuracy["high"] - accuracy["value"]
