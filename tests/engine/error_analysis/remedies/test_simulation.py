"""The intervals hold the true effect, and best of N is credited with no more than it does."""

import pytest

from hallascope.engine.error_analysis.remedies import simulation
from hallascope.engine.error_analysis.remedies.simulation import TrialSettings, simulate_remedies


def test_intervals_cover_and_only_the_selecting_judge_is_fooled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation, "_REFERENCE_PROMPTS", 1_500)
    settings = TrialSettings(experiments=30, prompts=40)
    cells = {cell.remedy: cell for cell in simulate_remedies(settings)}
    for cell in cells.values():
        assert cell.truth_coverage >= 0.88
        assert cell.evaluating_coverage >= 0.88
        assert cell.overstated <= 0.1
    assert abs(cells["nothing"].true_gain) < 0.03
    assert cells["a third fewer failures"].true_gain > 0.12
    best = cells["best of n"]
    assert best.evaluating_gain < best.true_gain + 0.02 < best.selecting_gain
    fooled = cells["fools its judge"]
    assert abs(fooled.evaluating_gain) < 0.05 < 0.3 < fooled.selecting_gain
    assert fooled.selecting_overstated > 0.9
