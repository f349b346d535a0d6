"""Every picture of a run has its tile, its scores, and words where it is not there."""

import re
from dataclasses import replace
from typing import get_args

import pytest

from hallascope.components.cards.cards import grid, tile_card
from hallascope.data.records import Score
from hallascope.data.requests import (
    Failure,
    FailureKind,
)
from hallascope.engine.events import UPLOADED, PictureFailed, RunView
from hallascope.pages.shared import run_pictures, run_progress
from tests.pages.conftest import Judged, chip
from tests.support.run_events import ASKED, MADE, QUESTION, QUEUED, SHOTS, evaluation


def test_trials_come_in_order_and_an_upload_has_no_seed() -> None:
    view = RunView(
        run="r1",
        request=ASKED,
        state="finished",
        shots=(replace(MADE, model=UPLOADED),),
        evaluations=(evaluation(trial=1), evaluation(trial=0)),
    )
    assert [e.trial for e in run_pictures.evaluations_of(view, view.shots[0], "ihalla")] == [0, 1]
    shown = run_pictures.tile(view, view.shots[0])
    assert (shown.name, shown.seed) == ("Uploaded image", None)


def test_a_link_may_name_a_picture_by_its_place_or_its_hash_else_the_first_is_shown() -> None:
    view = RunView(
        run="r1", request=ASKED, state="finished", shots=(SHOTS[1], MADE), evaluations=()
    )
    assert run_pictures.find_picture(view, "g2") == SHOTS[1]
    assert run_pictures.find_picture(view, "ab" * 32) == MADE
    assert run_pictures.find_picture(view, "unknown") == MADE
    assert run_pictures.find_picture(replace(view, shots=()), None) is None


def scored(view: RunView, **values: tuple[float | None, ...]) -> RunView:
    """The run with these scores, metric by metric, a picture each."""
    asked = replace(view.request, metrics=tuple(values))
    found = tuple(
        replace(
            evaluation(shot.generation),
            metric=name,
            report=replace(evaluation().report, metric=name, scores={"score": Score(value, 1, 0)}),
        )
        for name, of in values.items()
        for shot, value in zip(view.shots, of, strict=True)
    )
    return replace(view, request=asked, evaluations=found)


THREE = RunView(
    run="r1",
    request=ASKED,
    state="finished",
    shots=tuple(replace(MADE, generation=f"g{i}") for i in (1, 2, 3)),
    evaluations=(),
    questions=(QUESTION,),
)


@pytest.mark.parametrize(
    ("values", "first"),
    [
        ({"ihalla": (1.0, 0.2, 0.6)}, "g2"),
        ({"ihalla": (0.6, 0.2, 0.2)}, "g2"),
        ({"ihalla": (1.0, 1.0, 1.0)}, "g1"),
        ({"ihalla": (None, 0.8, 0.4)}, "g3"),
        ({"clipscore": (0.9, 0.8, 0.1), "ihalla": (0.0, 1.0, 1.0)}, "g3"),
        ({"clipscore": (None, None, None), "ihalla": (1.0, 0.0, 1.0)}, "g2"),
        ({"ihalla": (None, None, None)}, None),
        ({}, None),
    ],
)
def test_the_worst_picture_is_that_of_the_lowest_score_by_the_first_metric_that_has_any(
    values: dict[str, tuple[float | None, ...]], first: str | None
) -> None:
    worst = run_pictures.worst_picture(scored(THREE, **values))
    assert (worst and worst.generation) == first


@pytest.mark.parametrize("kind", get_args(FailureKind))
def test_every_kind_of_failure_has_words_of_its_own(kind: FailureKind) -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    progress = run_progress.apply_event(
        progress,
        PictureFailed("r1", replace(SHOTS[0], state="failed", failure=Failure(kind, "Why."))),
    )
    words = run_pictures.tiles(progress.view)[0].doing
    assert words != "failed" or kind in ("broken", "unreadable")


def test_the_metric_that_has_something_to_ask_stands_on_the_cards() -> None:
    both = replace(ASKED, metrics=("ihalla", "tifa"))
    assert (
        run_pictures.primary(
            RunView(
                run="r1",
                request=both,
                state="finished",
                shots=(),
                evaluations=(),
                questions=(QUESTION,),
            )
        )
        == "ihalla"
    )
    assert (
        run_pictures.primary(
            RunView(
                run="r1", request=both, state="finished", shots=(), evaluations=(), questions=()
            )
        )
        == "tifa"
    )
    assert (
        run_pictures.primary(
            RunView(
                run="r1", request=ASKED, state="finished", shots=(), evaluations=(), questions=()
            )
        )
        == "ihalla"
    )


def test_a_score_that_is_awaited_keeps_its_place_and_is_no_number(judged: Judged) -> None:
    _, view = judged("ihalla", "clipscore")
    waiting = replace(view, state="running", evaluations=view.evaluations[:0])
    (tile,) = run_pictures.tiles(waiting)
    assert [score.value for score in tile.scores] == [None, None]
    assert chip(tile_card(tile), "CLIPScore") == "CLIPScore: not evaluated yet"
    before, after = (
        re.search(r'data-version="(.*?)"', tile_card(run_pictures.tiles(each)[0]))
        for each in (waiting, view)
    )
    assert before is not None
    assert after is not None
    assert before[1] != after[1], "the panel is live when a score comes"


def test_several_trials_of_a_judge_are_one_score(judged: Judged) -> None:
    _, view = judged("ihalla", trials=3)
    (tile,) = run_pictures.tiles(view)
    assert (
        chip(tile_card(tile), "I-HallA") == "I-HallA 0.80: counted 15, left out 0, mean of 3 trials"
    )


def test_the_number_stands_behind_the_answers_in_whatever_order_they_are_named(
    judged: Judged,
) -> None:
    _, view = judged("clipscore", "ihalla")
    assert run_pictures.primary(view) == "ihalla"
    assert [score.title for score in run_pictures.tiles(view)[0].scores] == ["CLIPScore", "I-HallA"]


def test_titles_and_reasons_are_escaped_before_they_are_markup(judged: Judged) -> None:
    evil = "<img src=x onerror=alert(1)>"
    _, view = judged("ihalla", "clipscore", compare=lambda request: Failure("timeout", evil))
    html = grid(run_pictures.tiles(view))
    assert evil not in html
    assert "&lt;img src=x" in html
