"""A judge's doubt about an image is its own, or that of its trials, or that of other judges."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import Letter
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.labeling.frame import read_frame
from hallascope.engine.labeling.uncertainty import UnsureJudge, measure_uncertainty
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.labeling_store import JUDGE, build, judge_image


def measured(services: Any) -> UnsureJudge:
    """What is measured of the only image."""
    frame = read_frame(services, JUDGE, (), None)
    (unsure,) = measure_uncertainty(services, JUDGE, frame).values()
    return unsure


def reliability(right: float) -> JudgeReliability:
    """A judge that flags this share of violated facts, and accepts every fact that holds."""
    return JudgeReliability(
        judge=JUDGE,
        sensitivity=ExpectedShare(right, 0.0, 1.0, 50),
        specificity=ExpectedShare(1.0, 0.9, 1.0, 50),
        kinds=(),
        not_measured=(),
        source="own trial",
        measured_on="Primer images",
        images=50,
        same_images=True,
    )


@pytest.fixture
def services(tmp_path: Path) -> Any:
    opened = build(tmp_path / "home", prompts=0)
    yield opened
    opened.store.close()


def test_a_judge_that_gives_a_probability_is_as_unsure_as_it_says(services: Any) -> None:
    judge_image(services.store, "a cat", "m/one", probability=0.75)
    assert measured(services) == UnsureJudge(0.25, "confidence")


def test_without_a_probability_its_error_rate_by_composition_of_interest_counts(
    services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(self: object, judge: str, weights: dict[str, float], model: str) -> JudgeReliability:
        return reliability(0.2 if "color" in weights else 0.6)

    monkeypatch.setattr(ReliabilityLookup, "find", find)
    judge_image(services.store, "a cat", "m/one")
    # errors on violated facts and on those that hold: 0.8 and 0 of color, 0.4 and 0 of shape
    unsure = measured(services)
    assert unsure.value == pytest.approx((0.4 + 0.2) / 2)
    assert unsure.reason == "error rate"


def test_a_judge_of_whom_nothing_is_known_is_as_unsure_of_everything(services: Any) -> None:
    judge_image(services.store, "a cat", "m/one")
    assert measured(services) == UnsureJudge(0.5, "error rate")


@pytest.mark.parametrize(
    ("others", "value"),
    [((("A", "A"),), 0.1), ((("B", "A"),), 0.55), ((("B", "A"), ("A", "A")), 0.3)],
)
def test_where_other_judges_answer_otherwise_their_share_counts_if_it_is_more(
    services: Any, others: tuple[tuple[Letter, Letter], ...], value: float
) -> None:
    judge_image(services.store, "a cat", "m/one", probability=0.9)
    for number, answers in enumerate(others):
        judge_image(services.store, "a cat", "m/one", answers, judge=f"j/{number}")
    unsure = measured(services)
    assert unsure.value == pytest.approx(value)
    assert unsure.reason == ("confidence" if value == 0.1 else "disagreement")
