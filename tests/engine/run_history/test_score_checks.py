"""Scores of a run are checked against thresholds and against an earlier run."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.engine.run_history import score_checks
from hallascope.engine.run_history.comparison import RunComparison, compare_runs
from hallascope.engine.run_history.score_checks import (
    ScoreCheck,
    Threshold,
    check_not_worse,
    check_threshold,
    parse_threshold,
)
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import ScoreSpec
from tests.engine.run_history.test_comparison import keep_sweep


def keep_all(store: Store, sweep: str, values: tuple[float | None, ...], **changes: Any) -> None:
    """Keep a sweep in which one model has these scores, one of each prompt."""
    keep_sweep(store, sweep, {f"prompt {i}": (value,) for i, value in enumerate(values)}, **changes)


def outcomes(*checks: ScoreCheck) -> list[tuple[bool | None, float | None, int]]:
    return [
        (check.passed, check.value if check.value is None else round(check.value, 4), check.n)
        for check in checks
    ]


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("fig=0.9", "none of the metrics that are computed here: write METRIC=VALUE with ihalla"),
        ("0.9", "none of the metrics"),
        ("ihalla", "no number from 0 to 1"),
        ("ihalla=much", "no number from 0 to 1"),
        ("ihalla=90", "no number from 0 to 1"),
        ("ihalla=nan", "no number from 0 to 1"),
    ],
)
def test_a_threshold_that_says_something_else_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        parse_threshold(text, ("ihalla",))


def test_each_model_reaches_or_misses_the_mean(store: Store) -> None:
    keep_sweep(store, "s1", {"a": (1.0, 0.5), "b": (0.8, 0.6)})
    checks = [*check_threshold(store, "s1", Threshold("ihalla", 0.9))]
    assert [check.model for check in checks] == ["m/one", "m/two"]
    assert outcomes(*checks) == [(True, 0.9, 2), (False, 0.55, 2)]
    assert checks[1].sentence == (
        "I-HallA of m/two is 0.550 (mean; 2 prompts, 10 of 10 answered) and misses the threshold"
        " 0.9."
    )
    assert checks[1].rule == "fail-under ihalla=0.9"


def test_a_mean_that_is_the_threshold_reaches_it_whatever_rounding_left(store: Store) -> None:
    keep_all(store, "s1", (0.1, 0.2, 0.6))  # adds up to 0.8999999999999999
    (check,) = check_threshold(store, "s1", Threshold("ihalla", 0.3))
    assert check.passed


def test_the_lower_end_of_the_interval_is_checked_where_that_is_asked_for(store: Store) -> None:
    keep_all(store, "s1", (1.0, 0.8, 1.0, 0.8, 1.0, 0.8, 1.0, 0.8))
    (mean,) = check_threshold(store, "s1", Threshold("ihalla", 0.85))
    (bound,) = check_threshold(store, "s1", Threshold("ihalla", 0.85, of_bound=True))
    assert (mean.passed, bound.passed) == (True, False)
    assert bound.value is not None
    assert 0.5 < bound.value < 0.85
    assert "lower end of the 95 % interval; 8 prompts, 40 of 40 answered" in bound.sentence


def test_what_has_no_score_or_interval_neither_passes_nor_fails(store: Store) -> None:
    keep_all(store, "s1", (1.0,))
    (bound,) = check_threshold(store, "s1", Threshold("ihalla", 0.5, of_bound=True))
    assert outcomes(bound) == [(None, None, 1)]
    assert (
        "is unknown (lower end of the 95 % interval; 1 prompt, 5 of 5 answered)" in bound.sentence
    )
    (nothing,) = check_threshold(store, "s1", Threshold("fig", 0.5))
    assert nothing.passed is None
    assert nothing.sentence == "No image has a score by FiG: there is nothing to compare."


def test_a_model_of_which_nothing_was_answered_is_no_failure(store: Store) -> None:
    keep_all(store, "s1", (None,))
    (check,) = check_threshold(store, "s1", Threshold("ihalla", 0.0))
    assert (check.passed, check.value) == (None, None)
    assert "is unknown (mean; 0 prompts, 0 of 5 answered) and cannot be compared" in check.sentence


def test_of_a_score_that_is_better_when_lower_the_threshold_is_the_most(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = ScoreSpec("score", "Errors", higher_is_better=False)
    monkeypatch.setattr(metrics, "score", lambda metric, name: spec)
    keep_all(store, "s1", (0.2, 0.4))
    assert outcomes(*check_threshold(store, "s1", Threshold("ihalla", 0.2))) == [(False, 0.3, 2)]
    assert outcomes(*check_threshold(store, "s1", Threshold("ihalla", 0.4))) == [(True, 0.3, 2)]


GOOD = (1.0, 0.8, 1.0, 0.8, 1.0, 0.8, 1.0, 0.8)
Compare = Callable[..., list[ScoreCheck]]


@pytest.fixture
def compare(store: Store) -> Compare:
    """Check a later sweep beside an earlier one."""

    def check(later: Mapping[str, Any], earlier: Mapping[str, Any]) -> list[ScoreCheck]:
        keep_sweep(store, "old", **earlier)
        keep_sweep(store, "new", **later)
        return [*check_not_worse(store, store.catalog.find("new"), store.catalog.find("old"))]

    return check


def prompts(*columns: tuple[float, ...]) -> dict[str, Any]:
    """Scores of models by prompt."""
    rows = zip(*columns, strict=True)
    return {"values": {f"prompt {i}": row for i, row in enumerate(rows)}}


def test_a_run_that_is_significantly_worse_fails(compare: Compare) -> None:
    lower = tuple(value - 0.5 for value in GOOD)
    (check,) = compare(prompts(lower) | {"seed": 1}, prompts(GOOD))
    assert outcomes(check) == [(False, -0.5, 8)]
    assert check.sentence == (
        "I-HallA of m/one is significantly worse than in old: difference -0.500 (8 prompts of both,"
        " p 0.0078, threshold 0.05)."
    )
    assert check.rule == "fail-on-worse old"


@pytest.mark.parametrize(
    "later, earlier, passed, said",
    [
        ((*GOOD[:-1], 0.6), GOOD, True, "is not significantly worse"),
        (
            (0.0, 0.0),
            (1.0, 1.0),
            None,
            "2 prompts of both with a score, and at least 6 are needed",
        ),
    ],
)
def test_chance_and_too_few_prompts_are_no_failure(
    compare: Compare,
    later: tuple[float, ...],
    earlier: tuple[float, ...],
    passed: bool | None,
    said: str,
) -> None:
    (check,) = compare(prompts(later) | {"seed": 1}, prompts(earlier))
    assert (check.passed, said in check.sentence) == (passed, True)


def test_each_model_of_both_is_compared_with_itself_and_p_are_corrected(compare: Compare) -> None:
    one = tuple(value - 0.5 for value in GOOD[:6])
    found = compare(prompts(one, GOOD[:6]) | {"seed": 1}, prompts(GOOD[:6], GOOD[:6]))
    # alone, six equal signs have p = 2 / 64 = 0.031; of two models it is 0.0625
    assert [(check.model, check.passed) for check in found] == [("m/one", True), ("m/two", True)]
    assert "p 0.062" in found[0].sentence


def test_scores_of_two_judges_are_not_compared(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = iter(("version 1, j/one", "version 2, j/one"))
    monkeypatch.setattr(
        "hallascope.engine.run_history.comparison._judged_by", lambda *_: next(judges)
    )
    (check,) = compare(prompts(GOOD) | {"seed": 1}, prompts(GOOD))
    assert check.passed is None
    assert "old was judged by version 1, j/one, this run by version 2, j/one" in check.sentence


def test_a_comparison_that_is_not_made_corrects_no_p(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compare_twice(*runs: Any) -> RunComparison:
        found = compare_runs(*runs)
        (one,) = found.metrics
        return replace(found, metrics=(one, replace(one, judges=("version 1", "version 2"))))

    monkeypatch.setattr(score_checks, "compare_runs", compare_twice)
    lower = tuple(value - 0.5 for value in GOOD[:6])
    found = compare(prompts(lower) | {"seed": 1}, prompts(GOOD[:6]))
    assert [check.passed for check in found] == [False, None]
