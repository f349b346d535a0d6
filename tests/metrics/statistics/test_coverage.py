"""The simulation draws what it says it draws, and its tables have every cell."""

import numpy as np
import pytest

from hallascope.metrics.statistics.coverage import (
    BOARD_PROMPTS,
    CORRELATIONS,
    DESIGNS,
    JUDGED_MEANS,
    JUDGES,
    LABELED,
    MEANS,
    PAIRS,
    PROMPTS,
    SampleDesign,
    Strength,
    draw_scores,
    simulate_corrections,
    simulate_coverage,
    simulate_differences,
    simulate_false_positives,
    simulate_means,
    simulate_sample,
)


@pytest.mark.parametrize("strength", CORRELATIONS)
def test_scores_have_the_mean_and_the_correlation_that_are_named(strength: Strength) -> None:
    rho = CORRELATIONS[strength]
    scores = draw_scores(np.random.default_rng(0), 0.8, strength, (200_000,))
    assert scores.mean() == pytest.approx(0.8, abs=0.005)
    # the variance of a mean of five answers of which any two have the correlation rho
    assert scores.var() == pytest.approx(0.16 * (1 + 4 * rho) / 5, rel=0.02)
    assert set(np.unique(scores)) <= {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}


def test_every_cell_is_there_and_the_seed_fixes_it() -> None:
    seen: list[tuple[int, int]] = []
    found = simulate_coverage(20, 2, seed=3, on_progress=lambda *counts: seen.append(counts))
    assert len(found.means) == len(MEANS) * len(CORRELATIONS) * len(PROMPTS)
    assert len(found.differences) == len(PAIRS) * len(CORRELATIONS) * len(PROMPTS)
    assert {cell.prompts for cell in found.false_positives} == {10, 50, 200}, "too few have no p"
    assert len(found.equal_boards) == len(CORRELATIONS) * len(BOARD_PROMPTS)
    assert len(found.corrections) == len(JUDGED_MEANS) * len(JUDGES) * len(LABELED)
    assert len(found.samples) == len(DESIGNS) * len(JUDGED_MEANS) * len(JUDGES) * len(LABELED)
    assert seen[-1] == (len(seen), len(seen))
    assert simulate_coverage(20, 2, seed=3) == found


def test_intervals_cover_the_truth_in_every_cell() -> None:
    chance = np.random.default_rng(1)
    means = list(simulate_means(chance, 300))
    differences = list(simulate_differences(chance, 300))
    false_positives = list(simulate_false_positives(chance, 300))
    # of 300 draws at 95 %, four standard errors
    least = 0.95 - 4 * (0.95 * 0.05 / 300) ** 0.5
    assert min(cell.covered for cell in means) > least
    assert min(cell.covered for cell in differences) > least
    assert max(cell.below for cell in false_positives) < 0.05 + 0.95 - least
    assert min(cell.width for cell in means) > 0


def test_corrected_scores_cover_what_people_say_where_those_of_the_judge_do_not() -> None:
    found = list(simulate_corrections(np.random.default_rng(1), 60))
    assert len(found) == len(JUDGED_MEANS) * len(JUDGES) * len(LABELED)
    assert min(cell.covered for cell in found) > 0.95 - 4 * (0.95 * 0.05 / 60) ** 0.5
    weak = [cell for cell in found if cell.sensitivity == 0.5]
    assert max(cell.judge for cell in weak) < 0.8
    good = [cell for cell in found if cell.sensitivity == 0.99 and cell.labeled == 10]
    assert all(cell.width <= cell.people / 2 for cell in good)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("judge", "labeled"), [((0.5, 0.95), 10), ((0.9, 0.97), 50)])
def test_intervals_of_labeling_plans_cover_what_people_say(
    design: SampleDesign, judge: tuple[float, float], labeled: int
) -> None:
    draws = 600
    cell = simulate_sample(np.random.default_rng(5), design, 0.8, judge, labeled, draws)
    spread = (0.95 * 0.05 / draws) ** 0.5
    # 93 to 97 % of many draws, three standard errors of these around it
    assert 0.93 - 3 * spread < cell.covered < 0.97 + 3 * spread


def test_where_the_judge_knows_its_doubts_the_active_design_has_narrower_intervals() -> None:
    chance = np.random.default_rng(6)
    at_random, active = (
        simulate_sample(chance, design, 0.5, (0.5, 0.95), 50, 100) for design in DESIGNS
    )
    assert active.width < at_random.width
