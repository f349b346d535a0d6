"""The correction by sensitivity and specificity, against cases worked out by hand."""

import numpy as np
import pytest

from hallascope.metrics.statistics.rogan_gladen import (
    TrialErrors,
    correct_by_errors,
    rogan_gladen,
)

ERRORS = TrialErrors(flagged=80, violated=100, accepted=190, holding=200)


def test_a_share_is_taken_back_to_the_truth_that_would_give_it() -> None:
    # Of 30 % violated facts 80 % are flagged, of 70 % holding ones 5 %: 27.5 % are called violated.
    found = rogan_gladen(0.725, 1000, ERRORS)
    assert found is not None
    assert found.value == pytest.approx(0.7)
    assert found.low < 0.7 < found.high


@pytest.mark.parametrize("truth", [0.5, 0.8, 0.97])
def test_its_interval_covers_the_truth_as_often_as_it_says(truth: float) -> None:
    chance = np.random.default_rng(3)
    covered = 0
    for _ in range(1000):
        flagged = int(chance.binomial(60, 0.8))
        accepted = int(chance.binomial(200, 0.95))
        errors = TrialErrors(flagged=flagged, violated=60, accepted=accepted, holding=200)
        right = chance.binomial(300, 0.95 * truth + 0.2 * (1 - truth))
        found = rogan_gladen(right / 300, 300, errors)
        assert found is not None
        covered += found.low <= truth <= found.high
    assert covered >= 930


def test_it_stays_within_0_and_1() -> None:
    found = rogan_gladen(1.0, 50, ERRORS)
    assert found is not None
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low < 1.0


@pytest.mark.parametrize(
    "errors",
    [
        TrialErrors(flagged=10, violated=100, accepted=180, holding=200),
        TrialErrors(flagged=0, violated=0, accepted=180, holding=200),
        TrialErrors(flagged=3, violated=9, accepted=0, holding=0),
        TrialErrors(flagged=1, violated=1, accepted=1, holding=10),
    ],
)
def test_a_judge_that_tells_nothing_corrects_nothing(errors: TrialErrors) -> None:
    assert rogan_gladen(0.8, 100, errors) is None


def test_errors_add_up_and_name_their_shares() -> None:
    found = ERRORS + TrialErrors(flagged=1, violated=2, accepted=0.5, holding=0.5)
    assert found.sensitivity == pytest.approx(81 / 102)
    assert found.specificity == pytest.approx(190.5 / 200.5)
    assert (TrialErrors().sensitivity, TrialErrors().specificity) == (None, None)


def test_a_model_whose_prompts_are_all_right_or_all_wrong_has_as_many_questions_as_prompts() -> (
    None
):
    judged = [(5.0, 5.0)] * 29 + [(0.0, 5.0)] * 11
    found = correct_by_errors(judged, ERRORS)
    n = 0.725 * 0.275 / (0.725 * 0.275 / 39)  # the variance of 40 prompts, of which 29 are right
    expected = rogan_gladen(0.725, n, ERRORS)
    assert found is not None
    assert expected is not None
    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    assert (found.sensitivity, found.specificity) == (0.8, 0.95)


def test_where_no_prompt_differs_the_interval_still_has_a_width() -> None:
    found = correct_by_errors([(1.0, 1.0)] * 30, ERRORS)
    assert found is not None
    assert found.low < found.high
    assert correct_by_errors([(1.0, 1.0)], ERRORS) is None
