"""How far a run is, what came of it and what went wrong is said in words."""

from dataclasses import replace

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
        "Most errors: hasty: 1 of 1. Select an image"
    )
    assert "finds no errors" in run_messages.pointer(told["correct"])
    assert "finds no errors" in run_messages.pointer(told["failed"]), "unanswered is not wrong"
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
    assert run_pictures.tiles(progress.view)[0].doing == "outside the model’s vocabulary"


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
