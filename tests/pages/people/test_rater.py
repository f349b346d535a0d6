"""The page of raters opens for a plan that exists, and starts whoever gives a name."""

from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.services import Services
from hallascope.pages.people import rater


def test_a_plan_that_does_not_exist_is_one_sentence(judged: Services) -> None:
    for name in ("", "nope"):
        plan, row, line = rater.open_plan(judged, name)
        assert plan == ""
        assert not row.visible
        assert rater.UNKNOWN in line


def test_a_rater_types_a_name_once_and_labels(judged: Services) -> None:
    plan = create_plan(judged)
    opened, row, _ = rater.open_plan(judged, plan.id)
    assert opened == plan.id
    assert row.visible
    row, line, work = rater.start(judged, opened, " ")
    assert row.visible
    assert "type your name" in line
    assert work == {"items": []}
    row, line, work = rater.start(judged, opened, "<b>ann")
    assert not row.visible
    assert "&lt;b&gt;ann" in line
    assert work["items"][0]["why"] == ""
