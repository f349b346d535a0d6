"""What commands print for people: every value with its interval, its unit and what is missing."""

from dataclasses import replace

import pytest

from hallascope.cli.output import trials
from hallascope.cli.output.costs import calls_table, cost_text, forecasts_lines, time_text
from hallascope.cli.output.labels import correction_lines
from hallascope.cli.terminal import duration
from hallascope.engine.judge_eval.ihalla import summarize_results
from hallascope.engine.labeling.labels import LabelUse
from hallascope.engine.leaderboard.label_correction import (
    CorrectedPair,
    CorrectedRow,
    LabelCorrection,
)
from hallascope.engine.sweep.forecast import Forecast, ForecastLine, ForecastTotals
from hallascope.engine.trials.records import LabelFigures, Reliability, Share, Trial
from hallascope.metrics.statistics.balanced_accuracy import BalancedAccuracy
from hallascope.metrics.statistics.corrected_scores import CorrectedDifference, CorrectedScore
from hallascope.metrics.statistics.response_statistics import Kappa
from tests.support.labeled_trials import labeled_trial, people_agreement

# --- forecasts ---


LINES = (
    ForecastLine(model="openai/a", role="judge", calls=3, amount=0.5, seconds=12.0),
    ForecastLine(model="b", role="judge", calls=4, amount=None),
)


@pytest.mark.parametrize(
    "seconds, words",
    [(0.4, "0 s"), (89.4, "89 s"), (90, "2 min"), (89 * 60, "89 min"), (5400, "1.5 h")],
)
def test_a_time_is_given_in_the_unit_that_people_use(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_models_without_a_price_or_a_time_are_named() -> None:
    totals = ForecastTotals(
        lines=LINES, seconds=12.0, amount=0.5, unmeasured=("b",), unpriced=("b",)
    )
    assert calls_table(totals).splitlines()[1].split()[-4:] == ["12", "s", "0.50", "USD"]
    assert calls_table(totals).splitlines()[2].split() == ["b", "judge", "4", "?", "?"]
    assert time_text(totals).startswith("Time: about 12 s plus b, never timed here.")
    assert cost_text(totals, (5.0, 20.0), "run") == (
        "Cost: about 0.50 USD plus b, whose price is unknown; at most 5.00 USD a run and 20.00 USD"
        " a day."
    )


# --- scores and errors of graphs ---


# --- scores corrected by labels ---


def test_several_forecasts_are_added_and_images_that_cannot_be_drawn_stand_apart() -> None:
    forecast = Forecast(
        sweep="a",
        items=3,
        done=0,
        pictures=2,
        undrawable=1,
        evaluations=4,
        lines=(),
        seconds=1.0,
        amount=0.25,
        unmeasured=(),
        unpriced=("b",),
        refused=(("a cow", "No judge can run here."),),
    )
    first, second, *_ = forecasts_lines([forecast, forecast])
    assert first == (
        "To make with --go: 4 images and 8 evaluations; 2 images cannot be drawn by their"
        " models; cost: about 0.50 USD plus b; time: about 2 s"
    )
    assert second == "left out: a cow: No judge can run here."
    assert "cannot be drawn" not in forecasts_lines([replace(forecast, undrawable=0)])[0]


SCORE = CorrectedScore(
    value=0.85,
    low=0.8,
    high=0.9,
    judge=0.91,
    bias=0.06,
    bias_low=0.03,
    bias_high=0.09,
    weight=1.0,
    labeled=60,
    judged=100,
    lowest=0.8,
    highest=0.88,
    half_width=0.05,
    from_labels=0.0005,
    from_prompts=0.0001,
)
ROW = CorrectedRow(
    model="m/one",
    group="",
    score=SCORE,
    labeled=60,
    needed=0,
)
PAIR = CorrectedPair(
    one="m/one",
    other="m/two",
    group="",
    difference=CorrectedDifference(
        value=0.05, low=-0.01, high=0.11, judge=0.02, weight=1.0, labeled=55, judged=100
    ),
    needed=0,
)
USE = LabelUse(source="people", labelers=2, images=70, judged=60, excluded=3)
CORRECTION = LabelCorrection(rows=(ROW,), pairs=(PAIR,), labels=USE)


# --- trials of judges ---


def test_a_pair_with_too_few_labels_says_how_many_are_missing_where_others_have_enough() -> None:
    short = replace(PAIR, other="m/three", group="shape", difference=None, needed=1)
    lines = correction_lines(replace(CORRECTION, pairs=(PAIR, short))).splitlines()
    assert (
        "m/one and m/three, shape: label 1 more prompt for both to correct their difference."
        in lines
    )
    assert "less" not in correction_lines(replace(CORRECTION, pairs=(short,)))
    many = correction_lines(replace(CORRECTION, pairs=(), left_out_pairs=1_225))
    assert "1,225 pairs of models are too many: choose fewer models." in many


def _trial() -> Trial:
    overall = Reliability(
        Share(18, 20, 0.8, 0.97),
        Share(39, 40, 0.9, 1.0),
        BalancedAccuracy(0.9375, 0.88, 0.98, "recovered-variances"),
        Kappa(0.888, 0.95, 60, 0, 0.77, 1.0, "linearized"),
        Share(40, 60, 0.5, 0.8),
    )
    spider = Reliability(Share(1, 4), Share(5, 5))
    ladybug = Reliability(Share(3, 4), Share(5, 5))
    return replace(
        summarize_results("test/judge", []),
        by_coi={"counting": Share(57, 60, 0.9, 0.99)},
        by_kind={"factual": Share(30, 30), "violated": Share(27, 30)},
        reliability=overall,
        reliability_by_coi={"counting": overall},
        by_concept={"ladybug": ladybug, "spider": spider},
        by_fact={f"spider / {number}": spider for number in range(12)},
        all_right={"violated": Share(7, 10)},
        none_right=Share(1, 6, 0.01, 0.6),
    )


def test_what_is_flagged_and_accepted_is_printed_with_intervals_and_the_worst_concept_first() -> (
    None
):
    text = trials.trial_text([_trial()])
    assert "wrong facts flagged" in text
    counting = next(line for line in text.splitlines() if line.startswith("counting"))
    right = ["0.950", "0.900", "to", "0.990", "60"]
    flagged = ["0.900", "0.800", "to", "0.970", "20"]
    accepted = ["0.975", "0.900", "to", "1.000", "40"]
    beside_chance = ["0.938", "0.888", "0.667"]
    assert counting.split()[1:] == right + flagged + accepted + beside_chance
    assert "violated images with all answers right" in text
    assert text.index("spider ") < text.index("ladybug ")
    assert text.count("spider / ") == trials.WORST


# --- trials on labels ---


PEOPLE = people_agreement(kappa=Kappa(0.7, 0.92, 40, 0, 0.5, 0.85, "linearized"))


def test_two_labelers_are_printed_each_with_their_agreement_as_the_ceiling() -> None:
    one = labeled_trial()
    figures = LabelFigures(
        overall=Share(3, 4, 0.25, 1.0),
        baseline=one.baseline,
        sensitivity=one.sensitivity,
        specificity=one.specificity,
        balanced_accuracy=BalancedAccuracy(0.75),
        kappa=one.kappa,
    )
    trial = labeled_trial(
        labellers={"ada": 2, "bo": 2},
        by_labeler={"ada": figures, "bo": figures},
        labeler_agreement=PEOPLE,
    )
    text = trials.labeled_text(trial)
    assert "beside each labeler:" in text
    assert (
        "ada and bo agree (ceiling): the same answer 0.900 (0.800 to 0.960) on 40 questions"
        " that two of them could tell; Cohen's kappa, expected answer seen or not 0.700 (0.500 to"
        " 0.850), Krippendorff's alpha 0.690"
    ) in text
    document = trials.with_values(trial)
    assert document["labeler_agreement"]["value"] == 0.9
    assert document["by_labeler"]["bo"]["overall"]["value"] == 0.75
    assert document["overall"]["value"] == 0.75
