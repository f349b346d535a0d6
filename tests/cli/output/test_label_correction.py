"""Corrected scores and differences are printed with what they rest on, and what is missing."""

from dataclasses import replace

from hallascope.cli.output.label_correction import NOT_CORRECTED, correction_lines
from hallascope.data.files.sheets import Complaint
from hallascope.engine.labeling.label_sources import LabelUse
from hallascope.engine.leaderboard.label_correction import (
    CorrectedPair,
    CorrectedRow,
    LabelCorrection,
)
from hallascope.metrics.statistics.corrected_scores import CorrectedDifference, CorrectedScore
from hallascope.metrics.statistics.rogan_gladen import RoganGladen

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
    rogan_gladen=RoganGladen(value=0.84, low=0.7, high=0.95, sensitivity=0.5, specificity=0.95),
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


def test_scores_stand_beside_the_judges_with_their_bounds_and_rogan_gladen() -> None:
    _, row, method, *_ = correction_lines(CORRECTION).splitlines()
    assert " ".join(row.split()) == (
        "m/one - 0.910 0.850 0.800 to 0.900 0.800 to 0.880 60 of 100"
        " 0.840 (0.700 to 0.950) 50 %, 95 %"
    )
    assert "prediction-powered inference" in method
    assert "Rogan-Gladen is for comparison only" in method


def test_differences_have_their_sign_and_what_they_rest_on() -> None:
    lines = correction_lines(CORRECTION).splitlines()
    (pair,) = [line for line in lines if line.startswith("m/one less m/two")]
    assert " ".join(pair.split()) == ("m/one less m/two - +0.020 +0.050 -0.010 to +0.110 55 of 100")
    assert (
        "Labels on the Labels tab: 70 images by 2 persons, judged here: 60;"
        " left out: 3 answers by persons who had seen the judge's." in lines
    )
    assert lines[-1].startswith("A corrected score holds only if the labeled prompts are a random")


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


def test_without_a_corrected_row_there_is_no_table_and_no_condition() -> None:
    row = replace(ROW, score=None, rogan_gladen=None, labeled=4, needed=6)
    complaint = Complaint("labels.jsonl", None, 3, "is no JSON object; the line is left out")
    use = LabelUse(
        source="folder", labelers=1, images=4, judged=4, skipped=2, complaints=(complaint,)
    )
    assert correction_lines(LabelCorrection(rows=(row,), labels=use)).splitlines() == [
        "m/one: label 6 more prompts to correct its score.",
        "Labels of folder: 4 images by 1 person, judged here: 4;"
        " left out: 2 images without a label.",
        "labels.jsonl, row 3: is no JSON object; the line is left out",
    ]
    assert correction_lines(LabelCorrection()) == NOT_CORRECTED
