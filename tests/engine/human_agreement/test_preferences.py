"""Choices between items are compared with scores; what stands in one table only is named."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.preferences import (
    PreferenceResult,
    compare_preferences,
    preference_document,
)
from hallascope.engine.human_agreement.ratings import AgreementOptions


def compare(folder: Path, scores: str, options: AgreementOptions | None = None) -> PreferenceResult:
    rows = [f"{n}-x,{n}-y,{'a' if n % 2 else 'tie'}" for n in range(12)]
    (folder / "p.csv").write_text("\n".join(["item_a,item_b,choice", *rows, "0-x,gone,b"]))
    (folder / "s.csv").write_text(scores)
    return compare_preferences(folder / "s.csv", folder / "p.csv", options or AgreementOptions())


def table(*metrics: str) -> str:
    lines = [
        f"{n}-{side},p{n},{metric},{(n % 2) * (side == 'x') * (metric != 'zero')}"
        for n in range(12)
        for side in "xy"
        for metric in metrics
    ]
    return "\n".join(["item,group,metric,value", *lines, "stray,p,zero,1"])


def test_metrics_are_compared_with_choices_and_with_each_other(tmp_path: Path) -> None:
    found = compare(tmp_path, table("good", "zero", "again"))
    assert found.metrics["good"].accuracy.value == 1.0
    assert found.metrics["zero"].accuracy.value == 0.5
    assert [(pair.one, pair.other) for pair in found.differences] == [
        ("good", "zero"),
        ("good", "again"),
        ("zero", "again"),
    ]
    assert found.people.clusters == 12
    assert [complaint.problem.split(" is ")[0] for complaint in found.left_out] == [
        "the item 'stray'",
        "the item 'gone'",
    ]
    document = preference_document(found)
    assert document["compared"][0]["accuracy"]["value"] == 0.5
    assert document["people"]["shares"]["tie"]["value"] == 0.5


def test_one_metric_may_be_the_only_one_that_others_are_compared_with(tmp_path: Path) -> None:
    options = AgreementOptions(against="zero")
    found = compare(tmp_path, table("good", "zero", "again"), options)
    assert [(pair.one, pair.other) for pair in found.differences] == [
        ("good", "zero"),
        ("zero", "again"),
    ]
    with pytest.raises(BadRequest, match="'none' has no scores: compare with one of 'good'"):
        compare(tmp_path, table("good"), AgreementOptions(against="none"))


def test_nothing_in_common_is_no_number_and_no_fault(tmp_path: Path) -> None:
    found = compare(tmp_path, "item,metric,value\nother,m,1\n")
    assert found.metrics["m"].n == 0
    assert preference_document(found)["metrics"]["m"]["accuracy"]["value"] is None
    assert len(found.left_out) == 14
