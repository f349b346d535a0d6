"""Cards and their matrix say in words what was found, and what a score rests on."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.components.cards.matrix import is_matrix, matrix_table
from hallascope.components.tiles.scores import (
    MetricScore,
    correct_of,
    verdict_summary,
)
from hallascope.components.tiles.tile import Tile
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.records import State
from hallascope.metrics.base import ScoreSpec
from hallascope.metrics.statistics.intervals import mean_interval
from tests.support.tiles import report, tile, verdict

SCORE = MetricScore(
    metric="ihalla",
    title="I-HallA",
    presents="questions",
    spec=ScoreSpec("score", "Score"),
    value=0.6,
    counted=5,
    left_out=1,
    trials=1,
)


def test_a_missing_score_says_why() -> None:
    waiting = replace(SCORE, value=None, trials=0, counted=0, left_out=0)
    assert (waiting.short, waiting.basis_text) == ("…", "not evaluated yet")
    refused = replace(waiting, reason="No key.")
    assert (refused.short, refused.basis_text) == ("not run", "No key.")
    empty = replace(SCORE, value=None, counted=0, left_out=5, reason="Nothing was answered.")
    assert (
        empty.summary_text == "I-HallA no score: 0 of 5 questions answered. Nothing was answered."
    )


def test_two_answers_left_out_show_a_score_over_three() -> None:
    states: list[State] = ["correct", "incorrect", "correct", "failed", "unreadable"]
    assert correct_of(states) == "2 of 3"
    assert verdict_summary(states) == "2 of 3 correct, 2 left out"


def test_what_nobody_asked_for_is_counted_apart() -> None:
    evidence = Evidence(
        findings=(
            Finding(kind="color", expected="red circle", observed="", state="incorrect"),
            Finding(kind="extraneous", expected="", observed="star", state="incorrect"),
        )
    )
    judged = tile(questions=(), reports=(replace(report(), evidence=evidence),))
    assert judged.alt_text == "a molecule, by primer/hasty: 0 of 1 correct, 1 not in the prompt"
    assert judged.answers == (
        ("color, red circle:", "incorrect"),
        ("extraneous, star:", "incorrect"),
    )


def test_a_metric_of_one_number_says_the_number_or_why_there_is_none() -> None:
    number = tile(metric="CLIPScore", presents="number")
    assert number.verdict_text == "not evaluated yet"
    assert number.answers == ()
    measured = replace(number, reports=(report(value=1.25),))
    assert measured.verdict_text == "CLIPScore 1.250"
    reason = Finding(kind="score", expected="", observed="", state="failed", note="No weights.")
    failed = replace(report(value=None), evidence=Evidence(findings=(reason,)))
    assert replace(number, reports=(failed,)).verdict_text == "CLIPScore: no score. No weights."


def image(model: str, seed: int | None, value: float | None = 0.5, **changes: Any) -> Tile:
    score = MetricScore(
        metric="ihalla",
        title="I-HallA",
        presents="questions",
        spec=ScoreSpec("score", "Score"),
        value=value,
        trials=1,
    )
    return tile(
        **{
            "key": f"{model}-{seed}",
            "model": f"primer/{model}",
            "name": model,
            "seed": seed,
            "path": Path(f"/images/{model}-{seed}.png"),
            "thumbnail": Path(f"/images/{model}-{seed}.webp"),
            "scores": (score,),
            "reports": (report(verdict("correct")),),
        }
        | changes
    )


def test_several_images_of_a_model_with_seeds_are_a_matrix() -> None:
    assert is_matrix([image("a", 0), image("a", 1), image("b", 0)])
    assert not is_matrix([image("a", 0), image("b", 0)])
    assert not is_matrix([image("a", 0), image("a", 1), image("you", None)])
    assert not is_matrix([])


def test_a_cell_stands_in_the_column_of_its_seed() -> None:
    html = matrix_table([image("a", 4), image("a", 3), image("b", 4)])
    assert re.findall(r'scope="col"[^>]*>([^<]*)<', html)[2:] == ["Seed 3", "Seed 4"]
    rows = re.findall(r"<tr.*?</tr>", html)[1:]
    assert [re.findall(r'data-key="([^"]*)"', row) for row in rows] == [["a-3", "a-4"], ["b-4"]]
    assert rows[1].index('<td class="corner"></td>') < rows[1].index("b-4")


def test_a_row_says_mean_and_interval_over_its_images() -> None:
    values = (0.2, 0.4, 0.9)
    html = matrix_table([image("a", seed, value) for seed, value in enumerate(values)])
    interval = mean_interval(values)
    assert interval is not None
    assert "<strong>0.50</strong>" in html
    assert f"{interval.low:.2f} to {interval.high:.2f}" in html
