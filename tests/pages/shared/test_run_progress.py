"""Events fill the places of a run, and keep their order."""

from hallascope.data.requests import Failure
from hallascope.engine.events import (
    Evaluated,
    EvaluationFailed,
    Finished,
    Generating,
    Judged,
    Pictured,
)
from hallascope.pages.shared import run_messages, run_pictures, run_progress
from tests.support.run_events import ASKED, MADE, QUEUED, evaluation


def test_a_run_starts_with_a_place_for_every_picture() -> None:
    progress = run_progress.begin(QUEUED, ASKED)
    assert (progress.completed_steps, progress.total) == (0, 4)
    assert [t.doing for t in run_pictures.tiles(progress.view)] == ["queued", "queued"]
    assert run_messages.progress_text(progress) == "0 of 2 images, 0 of 2 judged"


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
    first, second = run_pictures.tiles(progress.view, progress.doing)
    assert (first.name, first.path, len(first.reports)) == ("exact", MADE.path, 1)
    assert second.doing == "step 3 of 30"
    finished = run_progress.apply_event(
        progress,
        Finished(run="r1", pictures=1, evaluations=1, failures=0, stopped=True, seconds=2.5),
    )
    assert finished.view.state == "stopped"
    assert (
        run_messages.summary(finished)
        == "1 of 2 images, 1 judged in 2.5 s. Stopped. Generate resumes this run."
    )


def test_an_evaluation_that_failed_counts_as_done() -> None:
    progress = run_progress.apply_event(
        run_progress.begin(QUEUED, ASKED),
        EvaluationFailed("r1", "g1", "ihalla", 0, Failure("broken", "It broke.")),
    )
    assert progress.completed_steps == 1
    assert progress.failed == ("It broke.",)
