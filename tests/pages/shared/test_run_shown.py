"""What a page shows of a run: a tile for every image, how far it is, what went wrong in words."""

from dataclasses import replace

import pytest

from hallascope.data.records import Question, Score
from hallascope.data.requests import (
    Failure,
)
from hallascope.engine import events
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluationFailed,
    Finished,
    Generating,
    Pictured,
    PictureFailed,
)
from hallascope.engine.run.result import RunResult, fold, run_result
from hallascope.pages.shared import run_messages, run_pictures
from tests.support.run_events import ASKED, MADE, QUESTION, QUEUED, SHOTS, evaluation

# --- tiles ---


def test_trials_come_in_order_and_an_upload_has_no_seed() -> None:
    view = RunResult(
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
    view = RunResult(
        run="r1", request=ASKED, state="finished", shots=(SHOTS[1], MADE), evaluations=()
    )
    assert run_pictures.find_picture(view, "g2") == SHOTS[1]
    assert run_pictures.find_picture(view, "ab" * 32) == MADE
    assert run_pictures.find_picture(view, "unknown") == MADE
    assert run_pictures.find_picture(replace(view, shots=()), None) is None


def scored(view: RunResult, **values: tuple[float | None, ...]) -> RunResult:
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


THREE = RunResult(
    run="r1",
    request=ASKED,
    state="finished",
    shots=tuple(replace(MADE, generation=f"g{i}") for i in (1, 2, 3)),
    evaluations=(),
    questions=(QUESTION,),
)


@pytest.mark.parametrize(
    "values, first",
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


def test_answers_stand_on_the_cards_before_numbers_and_where_there_are_questions() -> None:
    def primary(metrics: tuple[str, ...], *questions: Question) -> str:
        asked = replace(ASKED, metrics=metrics)
        return run_pictures.primary(replace(THREE, request=asked, questions=questions))

    assert primary(("ihalla", "tifa"), QUESTION) == "ihalla"
    assert primary(("ihalla", "tifa")) == "tifa"
    assert primary(("clipscore", "ihalla"), QUESTION) == "ihalla"


# --- progress ---


def test_events_fill_the_places_and_keep_their_order() -> None:
    progress = run_result(ASKED, [QUEUED])
    for event in (
        Generating("r1", "g2", "primer/hasty", 3, 30),
        Pictured("r1", MADE, False),
        events.Judged(run="r1", generation="g1", metric="ihalla", trial=0, done=1, of=1),
        Evaluated("r1", evaluation()),
        Evaluated("r1", evaluation()),
    ):
        progress = fold(progress, [event])
    assert (progress.completed_steps, progress.steps) == (2, 4)
    first, second = run_pictures.tiles(progress)
    assert (first.name, first.path, len(first.reports)) == ("exact", MADE.path, 1)
    assert second.doing == "step 3 of 30"
    by_another = Evaluated("r1", replace(evaluation(), metric="fig"))
    finished = fold(
        progress,
        [
            by_another,
            Finished(run="r1", pictures=1, evaluations=2, failures=0, stopped=True, seconds=2.5),
        ],
    )
    assert finished.state == "stopped"
    assert run_messages.summary(finished) == "1 of 2 images, 1 judged in 2.5 s."


# --- messages ---


def test_what_comes_after_a_run_points_at_the_picture_with_the_most_wrong_answers() -> None:
    view = RunResult(
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
        "Most errors: hasty (1 of 1 wrong). Select an image"
    )
    tie = (evaluation(state="incorrect"), evaluation("g2", "incorrect"))
    assert run_messages.pointer(replace(view, evaluations=tie)).startswith(
        "Most errors: exact (1 of 1 wrong), hasty (1 of 1 wrong). "
    )
    assert "finds no errors" in run_messages.pointer(told["correct"])
    assert "finds no errors" in run_messages.pointer(told["failed"]), "unanswered is not wrong"
    assert (
        run_messages.pointer(replace(view, evaluations=(evaluation(state="failed"),)))
        == run_messages.pointer(view)
        == ""
    )


def test_the_same_failure_of_all_models_is_told_once_and_of_some_with_their_names() -> None:
    progress = run_result(ASKED, [QUEUED])
    why = Failure("cannot_draw", "The Primer models cannot draw “xyz”.")
    progress = fold(progress, [PictureFailed("r1", replace(SHOTS[0], state="failed", failure=why))])
    assert run_messages.troubles(progress) == ("exact: The Primer models cannot draw “xyz”.",)
    progress = fold(progress, [PictureFailed("r1", replace(SHOTS[1], state="failed", failure=why))])
    assert run_messages.troubles(progress) == ("The Primer models cannot draw “xyz”.",)
    assert run_pictures.tiles(progress)[0].doing == "outside the model’s vocabulary"


def test_questions_without_a_reply_are_counted_in_words_and_each_reason_is_told_once() -> None:
    view = RunResult(
        run="r1",
        request=ASKED,
        state="finished",
        shots=(MADE,),
        evaluations=(evaluation(state="failed"),) * 2,
        questions=(QUESTION,),
        notice="A notice.",
    )
    broken = EvaluationFailed("r1", "g1", "ihalla", 0, Failure("broken", "It broke."))
    assert run_messages.troubles(replace(view, failures=(broken, broken))) == (
        "A notice.",
        "The judge left 2 questions without an answer; they do not count.",
        "The key was not accepted.",
        "It broke.",
    )
