"""An exported plan gives the same numbers in another store; what is here stays, and faults are one
sentence.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.labeling_plans.importer import import_plan
from hallascope.engine.export.labeling_plans.writer import export_plan
from hallascope.engine.labeling.plan_labels import PlanLabels
from hallascope.engine.labeling.plans import LabelingPlan, find_plan
from hallascope.engine.labeling.progress import plan_progress
from hallascope.engine.labeling.report import rater_report
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.label_correction import CorrectedRow, correct_by_people
from hallascope.engine.storage.people.ratings import IHALLA
from tests.conftest import build
from tests.support.exchanged_plans import (
    IMAGES,
    RECORDS,
    build_labeled,
)
from tests.support.exports import NO_SECRETS
from tests.support.labeling_store import JUDGE, judge_image

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def labeled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, LabelingPlan]]:
    """A store with a labeled plan, which no test changes."""
    services, plan = build_labeled(tmp_path_factory.mktemp("labeled") / "home", "active")
    yield services, plan
    services.store.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Any]:
    services = build(tmp_path / "elsewhere")
    yield services
    services.store.close()


def send(labeled: tuple[Any, LabelingPlan], out: Path, **options: Any) -> Path:
    export_plan(*labeled, out, secrets=NO_SECRETS, **options)
    return out


def corrected_rows(services: Any, plan: LabelingPlan | None) -> tuple[CorrectedRow, ...]:
    shown = board(services.store, Query(IHALLA, filters=Filters(judge=JUDGE)))
    labels = PlanLabels(services.store, plan) if plan else None
    return correct_by_people(services.store, shown, plan=labels).rows


def test_another_store_has_the_same_corrected_leaderboard_progress_and_report(
    labeled: tuple[Any, LabelingPlan], other: Any, tmp_path: Path
) -> None:
    services, plan = labeled
    judge_image(
        other.store, "another prompt", "m/three", run="before", judge="j/two"
    )  # takes number 1
    found = import_plan(other, send(labeled, tmp_path / "out"))
    assert (found.plan, found.images, found.labels, found.there) == (plan.id, IMAGES, RECORDS, 0)
    assert found.runs is not None
    assert found.runs.faults == []
    there = find_plan(other, plan.id)
    assert [replace(one, evaluation=0) for one in there.images] == [
        replace(one, evaluation=0) for one in plan.images
    ]
    rows = corrected_rows(services, None)
    assert all(row.score is not None for row in rows), "there is something to compare"
    assert corrected_rows(other, None) == rows
    assert corrected_rows(other, there) == corrected_rows(services, plan)
    assert plan_progress(other, there) == plan_progress(services, plan)
    expected, report = rater_report(services, plan), rater_report(other, there)
    assert (report.alpha, report.ceiling, report.judge) == (
        expected.alpha,
        expected.ceiling,
        expected.judge,
    )
    assert sorted(rater.rater for rater in report.raters) == ["rater 1", "rater 2"]
