"""Every number of every metric lies where its metric says: on the leaderboard, on the command line
and in what is exported.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from hallascope import metrics
from hallascope.cli.commands.leaderboard import leaderboard_text
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import Board, board
from hallascope.engine.leaderboard.comparisons import compare_models
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Bounds
from hallascope.pages.leaderboard import choice
from tests.support.exports import export_runs
from tests.support.filled_store import Said, keep

EVERY = [(name, spec) for name in metrics.METRICS for spec in metrics.scores(name)]
SPREAD = 10.0  # how far values of an unbounded score lie apart here


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(None, tmp_path / "home")
    yield opened
    opened.close()


def ends(bounds: Bounds) -> tuple[float, float]:
    """Two values that lie as far apart as those of a score can, an end that is infinite cut off."""
    low = bounds[0] if math.isfinite(bounds[0]) else -SPREAD
    return low, bounds[1] if math.isfinite(bounds[1]) else low + SPREAD


def fill(store: Store, metric: str, score: str, values: tuple[float, ...]) -> None:
    """One picture of one prompt for each value, under the name that reports have it by."""
    stored = metrics.score(metric, score).pools or score
    for number, value in enumerate(values):
        scores = {"score": 0.0, stored: value}
        keep(store, Said(f"prompt {number}", run="demo run", metric=metric, values=scores))


def printed_lines(store: Store, found: Board) -> str:
    """What the command line prints of a leaderboard."""
    return leaderboard_text(
        found, demo.leaderboard_source(store), False, None, compare_models(store, found)
    )


def interval(found: Board) -> tuple[float, float, float]:
    """The lower end, the mean and the upper end of the one row that there is."""
    (row,) = found.rows
    assert row.value is not None, "something was counted"
    assert (row.low is None, row.high is None) == (False, False), "there are two prompts or more"
    return float(row.low or 0), row.value, float(row.high or 0)


def test_a_score_far_outside_of_zero_to_one_keeps_its_interval(store: Store) -> None:
    values = (2.5, 2.1, 1.6, 1.9)
    fill(store, "clipscore", "score", values)
    found = board(store, Query("clipscore"))
    lower, value, upper = interval(found)
    low, high = stats.t.interval(
        0.95, len(values) - 1, sum(values) / len(values), stats.sem(values)
    )
    assert (lower, value) == pytest.approx((low, sum(values) / len(values)))
    assert high > 2.5 == upper, "what lies above the bound is cut off"
    printed = printed_lines(store, found)
    assert f"{value:.3f}  {lower:.3f} to 2.500" in printed


def exported(store: Store, out: Path) -> dict[str, dict[str, Any]]:
    """The results of Every Eval Ever by the id of their metric."""
    export_runs(store, "every-eval-ever", out, "demo run")
    documents = [json.loads(file.read_text("utf-8")) for file in sorted(out.rglob("*.json"))]
    results = [result for document in documents for result in document["evaluation_results"]]
    return {result["metric_config"]["metric_id"]: result for result in results}


def test_a_share_has_the_same_interval_on_the_leaderboard_and_in_exports(
    store: Store, tmp_path: Path
) -> None:
    fill(store, "ihalla", "score", (1.0, 1.0, 1.0, 1.0, 1.0))
    found = board(store, Query("ihalla"))
    lower, value, upper = interval(found)
    assert (lower, value, upper) == pytest.approx((0.025 ** (1 / 5), 1.0, 1.0))
    words = "95 % intervals by prompt (Clopper-Pearson on the effective number of clusters)"
    assert words in printed_lines(store, found)
    assert words in " ".join(choice.board_description(found))
    sent = exported(store, tmp_path / "out")["hallascope.ihalla.score"]["score_details"]
    assert sent["uncertainty"]["confidence_interval"] == {
        "lower": pytest.approx(lower),
        "upper": upper,
        "confidence_level": 0.95,
        "method": "Clopper-Pearson on the effective number of clusters, by prompt",
    }


def test_every_score_has_an_interval_around_its_mean_within_the_bounds_that_exports_tell(
    store: Store, tmp_path: Path
) -> None:
    for metric in metrics.METRICS:
        values = {spec.name: ends(spec.bounds) for spec in metrics.scores(metric)}
        for number, part in enumerate((1, 0, 1, 0.9, 1)):
            own = {name: low + part * (high - low) for name, (low, high) in values.items()}
            keep(store, Said(f"prompt {number}", run="demo run", metric=metric, values=own))
    sent = exported(store, tmp_path / "out")
    faults = []
    for metric, spec in EVERY:
        found = board(store, Query(metric, spec.name))
        lower, value, upper = interval(found)
        result = sent[f"hallascope.{metric}.{spec.name}"]
        config, details = result["metric_config"], result["score_details"]
        low, high = float(config["min_score"]), float(config["max_score"])
        inner = details["uncertainty"]["confidence_interval"]
        if not (
            (low, high) == found.bounds == spec.bounds
            and (found.title, found.higher_is_better) == (spec.title, spec.higher_is_better)
            and config["lower_is_better"] is not spec.higher_is_better
            and low <= lower <= value <= upper <= high
            and low <= inner["lower"] <= details["score"] <= inner["upper"] <= high
        ):
            faults.append((metric, spec.name, lower, value, upper, inner))
    assert faults == []
