"""What is left rests on what this run measured, kind by kind, and is said once it is known."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.requests import Failure
from hallascope.engine.events import (
    Evaluated,
    EvaluateRequest,
    EvaluationFailed,
    GeneratedPicture,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.run.result import fold, run_result
from hallascope.pages.shared.time_left import TimeEstimator, seconds_for_rest
from tests.support.run_events import evaluation

QUICK, SLOW = "primer/exact", "primer/careful"
BROKEN = Failure("broken", "It broke.")


class WatchedRun:
    """A run of two models with four pictures each, followed by a clock that a test sets."""

    def __init__(self, metrics: tuple[str, ...] = ("ihalla",)) -> None:
        models = (QUICK, SLOW)
        request = EvaluateRequest(prompt="a molecule", models=models, metrics=metrics, count=4)
        self.shots = {
            f"{model} {seed}": GeneratedPicture(
                generation=f"{model} {seed}", model=model, seed=seed
            )
            for model in models
            for seed in range(4)
        }
        queued = Queued(
            run="r1", shots=tuple(self.shots.values()), evaluations=8 * len(metrics), questions=()
        )
        self._progress = run_result(request, [queued])
        self._estimator = TimeEstimator()
        self.now = 0.0

    def left(self) -> float | None:
        return self._estimator.seconds_left(self._progress, self.now)

    def _hear(self, event: Pictured | PictureFailed | Evaluated | EvaluationFailed) -> None:
        self._progress = fold(self._progress, [event])
        self.left()  # the page asks after every event

    def draw(
        self,
        model: str,
        seed: int,
        took: float,
        *,
        cached: bool = False,
        after: float | None = None,
    ) -> None:
        """A picture comes that took some seconds: as much later, or `after` seconds."""
        self.now += took if after is None else after
        shot = replace(
            self.shots[f"{model} {seed}"], state="done", path=Path("a.png"), seconds=took
        )
        self._hear(Pictured("r1", shot, cached))

    def lose(self, model: str, seed: int) -> None:
        shot = replace(self.shots[f"{model} {seed}"], state="failed", failure=BROKEN)
        self._hear(PictureFailed("r1", shot))

    def judge(
        self, generation: str, took: float, metric: str = "ihalla", *, cached: bool = False
    ) -> None:
        self.now += took
        judged = replace(evaluation(generation), metric=metric, cached=cached)
        self._hear(Evaluated("r1", judged))

    def give_up(self, generation: str, metric: str = "ihalla") -> None:
        self._hear(EvaluationFailed("r1", generation, metric, 0, BROKEN))


def drawn(metrics: tuple[str, ...] = ("ihalla",)) -> WatchedRun:
    run = WatchedRun(metrics)
    for model in (QUICK, SLOW):
        for seed in range(4):
            run.draw(model, seed, 0.1)
    return run


def test_nothing_is_said_of_a_model_that_has_drawn_less_than_two_pictures() -> None:
    run = WatchedRun(())
    for seed in range(4):
        run.draw(QUICK, seed, 0.1)
    assert run.left() is None, "nothing is known of the slow model"
    run.draw(SLOW, 0, 10.0)
    assert run.left() is None
    run.draw(SLOW, 1, 10.0)
    assert run.left() == pytest.approx(20.0, rel=0.01)
    run.draw(SLOW, 2, 10.0)
    run.draw(SLOW, 3, 10.0)
    assert run.left() == 0.0


def test_a_quick_metric_says_nothing_about_a_slow_one() -> None:
    run = drawn(("clipscore", "fig"))
    for seed in range(4):
        run.judge(f"{QUICK} {seed}", 0.01, "clipscore")
        run.judge(f"{SLOW} {seed}", 0.01, "clipscore")
    assert run.left() is None, "FiG has not said anything yet"
    run.judge(f"{QUICK} 0", 20.0, "fig")
    run.judge(f"{QUICK} 1", 20.0, "fig")
    assert run.left() == pytest.approx(6 * 20.0, rel=0.05)


@pytest.mark.parametrize(
    "waiting, finished, seconds", [(4, 0, None), (4, 1, None), (2, 2, 10.0), (0, 0, 0.0)]
)
def test_two_finished_things_tell_the_pace_of_those_that_wait(
    waiting: int, finished: int, seconds: float | None
) -> None:
    assert seconds_for_rest(waiting, finished, 10.0) == seconds
