"""How far a run is, what came of it and what went wrong is said in words."""

from dataclasses import replace

import pytest

from hallascope.data.requests import Failure
from hallascope.engine.events import (
    PictureFailed,
    RunView,
)
from hallascope.pages.shared import run_messages, run_pictures, run_progress
from tests.support.run_events import ASKED, MADE, QUESTION, QUEUED, SHOTS, evaluation


def test_what_comes_after_a_run_points_at_the_picture_with_the_most_wrong_answers() -> None:
    view = RunView(
        run="r1",
        request=ASKED,
        state="finished",
        shots=SHOTS,
        evaluations=(),
        questions=(QUESTION,),
        notice=None,
    )
    told = {
        state: replace(view, evaluations=(evaluation(), evaluation("g2", state)))
        for state in ("correct", "incorrect", "failed")
    }
    assert run_messages.pointer(told["incorrect"]).startswith(
        "Most is wrong in hasty, says the judge: 1 of 1. Click a picture"
    )
    assert "nothing wrong" in run_messages.pointer(told["correct"])
    assert "nothing wrong" in run_messages.pointer(told["failed"]), "unanswered is not wrong"
    assert (
        run_messages.pointer(replace(view, evaluations=(evaluation(state="failed"),)))
        == run_messages.pointer(view)
        == ""
    )


def test_the_same_failure_of_all_models_is_told_once_and_of_some_with_their_names() -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    why = Failure("cannot_draw", "The Primer models cannot draw “xyz”.")
    progress = run_progress.apply_event(
        progress, PictureFailed("r1", replace(SHOTS[0], state="failed", failure=why))
    )
    assert run_messages.troubles(progress.view) == ("exact: The Primer models cannot draw “xyz”.",)
    progress = run_progress.apply_event(
        progress, PictureFailed("r1", replace(SHOTS[1], state="failed", failure=why))
    )
    assert run_messages.troubles(progress.view) == ("The Primer models cannot draw “xyz”.",)
    assert run_pictures.tiles(progress.view)[0].doing == "cannot draw this"


def test_questions_without_a_reply_are_counted_in_words_and_each_reason_is_told_once() -> None:
    view = RunView(
        run="r1",
        request=ASKED,
        state="finished",
        shots=(MADE,),
        evaluations=(evaluation(state="failed"),) * 2,
        questions=(QUESTION,),
        notice="A notice.",
    )
    assert run_messages.troubles(view, ("It broke.", "It broke.")) == (
        "A notice.",
        "The judge left 2 questions without an answer; the scores leave them out and say so.",
        "The key was not accepted.",
        "It broke.",
    )


@pytest.mark.parametrize(
    ("done", "words"), [(0, ""), (1, ""), (2, "about 10 s left"), (3, "about 3 s left"), (4, "")]
)
def test_the_estimate_for_things_that_take_alike_comes_from_those_that_are_done(
    done: int, words: str
) -> None:
    assert run_messages.remaining_text(done, 4, 10.0) == words


def rest(
    pictures: int,
    judged: int,
    elapsed: float,
    *,
    cached: int = 0,
    pace: run_messages.TimeEstimator | None = None,
) -> float | None:
    """The seconds that are left of six pictures with seven evaluations each, so many of which are
    done, `cached` of them from the cache.
    """
    shots = tuple(replace(MADE if i < pictures else SHOTS[0], generation=f"g{i}") for i in range(6))
    done = tuple(
        replace(evaluation(f"g{i % 6}", trial=i // 6), cached=i < cached) for i in range(judged)
    )
    view = RunView(
        run="r1",
        request=ASKED,
        state="running",
        shots=shots,
        evaluations=done,
        questions=(QUESTION,),
    )
    return (pace or run_messages.TimeEstimator()).seconds_left(
        run_progress.RunProgress(view=view, evaluations=42, doing={}), elapsed
    )


def test_pictures_that_came_quickly_say_nothing_about_the_judge() -> None:
    assert rest(6, 0, 0.1) is None
    assert rest(6, 1, 3.0) is None


def test_evaluations_from_the_cache_say_nothing_about_the_others() -> None:
    assert rest(6, 20, 0.5, cached=20) is None
    assert rest(6, 21, 3.0, cached=20) is None


def test_what_is_left_follows_the_slower_of_pictures_and_evaluations() -> None:
    pace = run_messages.TimeEstimator()
    assert rest(2, 0, 4.0, pace=pace) is None
    assert rest(2, 2, 8.0, pace=pace) == 80.0, (
        "forty evaluations at the two seconds that two of them took since the first picture"
    )
    slow = run_messages.TimeEstimator()
    assert rest(1, 0, 100.0, pace=slow) is None
    assert rest(2, 14, 200.0, pace=slow) == 400.0, "four pictures at a hundred seconds each"
    assert rest(6, 42, 300.0, pace=slow) == 0.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (0.4, "about 1 s left"), (62.0, "about 62 s left"), (600.0, "about 10 min left")],
)
def test_an_estimate_is_said_in_words(seconds: float | None, words: str) -> None:
    assert run_messages.time_left(seconds) == words
