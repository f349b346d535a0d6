"""From events to what is shown: every picture in its place, every failure in words, pure and
without Gradio.
"""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from hallascope.data.records import Question, Report, Score, State, Verdict
from hallascope.data.requests import Failure, FailureKind
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Finished,
    GeneratedPicture,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
    RunView,
)
from hallascope.pages.shared import run_progress

ASKED = EvaluateRequest(prompt="a molecule", models=("primer/exact", "primer/hasty"))
QUESTION = Question(
    text="How many?",
    choices=("One", "Two", "Three", "Four", "None of the above"),
    gold="D",
    coi="counting",
)
SHOTS = (
    GeneratedPicture(generation="g1", model="primer/exact", seed=0),
    GeneratedPicture(generation="g2", model="primer/hasty", seed=0),
)
QUEUED = Queued(run="r1", shots=SHOTS, evaluations=2, questions=(QUESTION,))
MADE = replace(SHOTS[0], state="done", image="ab" * 32, path=Path("/tmp/a.png"), seconds=0.2)


def evaluation(generation: str = "g1", state: State = "correct", trial: int = 0) -> Evaluation:
    failed = state == "failed"
    verdict = Verdict(
        question=QUESTION,
        answer=None if failed else "D",
        state=state,
        raw="D",
        failure="The key was not accepted." if failed else None,
    )
    report = Report(
        metric="ihalla",
        version="1",
        prompt="a molecule",
        image="ab" * 32,
        scores={"score": Score(1.0, 1, 0)},
        verdicts=(verdict,),
    )
    return Evaluation(
        generation=generation,
        model="primer/exact",
        image="ab" * 32,
        metric="ihalla",
        judge="primer/judge",
        trial=trial,
        report=report,
    )


def test_a_run_starts_with_a_place_for_every_picture() -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    assert (progress.completed_steps, progress.total) == (0, 4)
    assert [t.doing for t in run_progress.tiles(progress.view)] == ["waiting", "waiting"]
    assert run_progress.progress_text(progress) == "0 of 2 pictures, 0 of 2 judged"


def test_events_fill_the_places_and_keep_their_order() -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    for event in (
        Generating("r1", "g2", "primer/hasty", 3, 30),
        Pictured("r1", MADE, False),
        Judged(run="r1", generation="g1", metric="ihalla", trial=0, done=1, of=1),
        Evaluated("r1", evaluation()),
        Evaluated("r1", evaluation()),
    ):
        progress = run_progress.apply_event(progress, event)
    assert (progress.completed_steps, progress.total) == (2, 4)
    first, second = run_progress.tiles(progress.view, progress.doing)
    assert (first.name, first.path, len(first.reports)) == ("exact", MADE.path, 1)
    assert second.doing == "step 3 of 30"
    finished = run_progress.apply_event(
        progress,
        Finished(run="r1", pictures=1, evaluations=1, failures=0, stopped=True, seconds=2.5),
    )
    assert finished.view.state == "stopped"
    assert (
        run_progress.summary(finished)
        == "1 of 2 pictures, 1 judged in 2.5 s. Stopped: Generate goes on where it was."
    )


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
    assert run_progress.pointer(told["incorrect"]).startswith(
        "Most is wrong in hasty, says the judge: 1 of 1. Click a picture"
    )
    assert "nothing wrong" in run_progress.pointer(told["correct"])
    assert "nothing wrong" in run_progress.pointer(told["failed"]), "unanswered is not wrong"
    assert (
        run_progress.pointer(replace(view, evaluations=(evaluation(state="failed"),)))
        == run_progress.pointer(view)
        == ""
    )


def test_the_same_failure_of_all_models_is_told_once_and_of_some_with_their_names() -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    why = Failure("cannot_draw", "The Primer models cannot draw “xyz”.")
    progress = run_progress.apply_event(
        progress, PictureFailed("r1", replace(SHOTS[0], state="failed", failure=why))
    )
    assert run_progress.troubles(progress.view) == ("exact: The Primer models cannot draw “xyz”.",)
    progress = run_progress.apply_event(
        progress, PictureFailed("r1", replace(SHOTS[1], state="failed", failure=why))
    )
    assert run_progress.troubles(progress.view) == ("The Primer models cannot draw “xyz”.",)
    assert run_progress.tiles(progress.view)[0].doing == "cannot draw this"


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
    assert run_progress.troubles(view, ("It broke.", "It broke.")) == (
        "A notice.",
        "The judge left 2 questions without an answer; the scores leave them out and say so.",
        "The key was not accepted.",
        "It broke.",
    )


def test_an_evaluation_that_failed_counts_as_done() -> None:
    progress = run_progress.apply_event(
        run_progress.begin(QUEUED, ASKED),
        EvaluationFailed("r1", "g1", "ihalla", 0, Failure("broken", "It broke.")),
    )
    assert progress.completed_steps == 1
    assert progress.failed == ("It broke.",)


def test_trials_come_in_order_and_an_upload_has_no_seed() -> None:
    view = RunView(
        run="r1",
        request=ASKED,
        state="finished",
        shots=(replace(MADE, model=UPLOADED),),
        evaluations=(evaluation(trial=1), evaluation(trial=0)),
    )
    assert [e.trial for e in run_progress.evaluations_of(view, view.shots[0], "ihalla")] == [0, 1]
    shown = run_progress.tile(view, view.shots[0])
    assert (shown.name, shown.seed) == ("Your picture", None)


def test_a_link_may_name_a_picture_by_its_place_or_its_hash_else_the_first_is_shown() -> None:
    view = RunView(
        run="r1", request=ASKED, state="finished", shots=(SHOTS[1], MADE), evaluations=()
    )
    assert run_progress.find_picture(view, "g2") == SHOTS[1]
    assert run_progress.find_picture(view, "ab" * 32) == MADE
    assert run_progress.find_picture(view, "unknown") == MADE
    assert run_progress.find_picture(replace(view, shots=()), None) is None


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
    worst = run_progress.worst_picture(scored(THREE, **values))
    assert (worst and worst.generation) == first


@pytest.mark.parametrize(
    ("done", "words"), [(0, ""), (1, ""), (2, "about 10 s left"), (3, "about 3 s left"), (4, "")]
)
def test_the_estimate_for_things_that_take_alike_comes_from_those_that_are_done(
    done: int, words: str
) -> None:
    assert run_progress.remaining(done, 4, 10.0) == words


def rest(
    pictures: int,
    judged: int,
    elapsed: float,
    *,
    cached: int = 0,
    pace: run_progress.TimeEstimator | None = None,
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
    return (pace or run_progress.TimeEstimator()).seconds_left(
        run_progress.RunProgress(view=view, evaluations=42, doing={}), elapsed
    )


def test_pictures_that_came_quickly_say_nothing_about_the_judge() -> None:
    assert rest(6, 0, 0.1) is None
    assert rest(6, 1, 3.0) is None


def test_evaluations_from_the_cache_say_nothing_about_the_others() -> None:
    assert rest(6, 20, 0.5, cached=20) is None
    assert rest(6, 21, 3.0, cached=20) is None


def test_what_is_left_follows_the_slower_of_pictures_and_evaluations() -> None:
    pace = run_progress.TimeEstimator()
    assert rest(2, 0, 4.0, pace=pace) is None
    assert rest(2, 2, 8.0, pace=pace) == 80.0, (
        "forty evaluations at the two seconds that two of them took since the first picture"
    )
    slow = run_progress.TimeEstimator()
    assert rest(1, 0, 100.0, pace=slow) is None
    assert rest(2, 14, 200.0, pace=slow) == 400.0, "four pictures at a hundred seconds each"
    assert rest(6, 42, 300.0, pace=slow) == 0.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (0.4, "about 1 s left"), (62.0, "about 62 s left"), (600.0, "about 10 min left")],
)
def test_an_estimate_is_said_in_words(seconds: float | None, words: str) -> None:
    assert run_progress.time_left(seconds) == words


@pytest.mark.parametrize("kind", get_args(FailureKind))
def test_every_kind_of_failure_has_words_of_its_own(kind: FailureKind) -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    progress = run_progress.apply_event(
        progress,
        PictureFailed("r1", replace(SHOTS[0], state="failed", failure=Failure(kind, "Why."))),
    )
    words = run_progress.tiles(progress.view)[0].doing
    assert words != "failed" or kind in ("broken", "unreadable")


def test_the_metric_that_has_something_to_ask_stands_on_the_cards() -> None:
    both = replace(ASKED, metrics=("ihalla", "tifa"))
    assert (
        run_progress.primary(
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
        run_progress.primary(
            RunView(
                run="r1", request=both, state="finished", shots=(), evaluations=(), questions=()
            )
        )
        == "tifa"
    )
    assert (
        run_progress.primary(
            RunView(
                run="r1", request=ASKED, state="finished", shots=(), evaluations=(), questions=()
            )
        )
        == "ihalla"
    )
