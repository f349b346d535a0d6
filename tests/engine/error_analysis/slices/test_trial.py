"""Shuffled errors have no slices, and a planted weakness is the first one."""

import pytest

from hallascope.engine.error_analysis.conditions import Condition
from hallascope.engine.error_analysis.slices.trial import run_slice_trial
from hallascope.engine.errors import BadRequest


def test_nothing_is_reported_of_chance_and_the_planted_slice_comes_first() -> None:
    trial = run_slice_trial(6, prompts=250)
    assert trial.nothing_reported.count >= 5
    assert trial.planted_first.count >= 5
    assert trial.planted_images > 0


def test_a_weakness_that_no_image_has_is_refused() -> None:
    with pytest.raises(BadRequest, match="No simulated image"):
        run_slice_trial(1, prompts=50, weakness=(Condition("model", "none"),))
