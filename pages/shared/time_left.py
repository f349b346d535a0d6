"""Estimates how long the rest of a run takes, from nothing but what was measured in this run."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from hallascope.engine.run.result import RunResult

ENOUGH = 2  # finished things of a kind before it is said how long its others take


def time_left_text(seconds: float | None) -> str:
    """Return an estimate in words; "" where there is none."""
    if seconds is None:
        return ""
    if seconds < 1.5:
        return "about 1 s left"
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"


def seconds_for_rest(waiting: int, finished: int, took: float) -> float | None:
    """Return the seconds that what waits takes at the pace of what was finished.

    `took`: the seconds in which it was finished. None where fewer than `ENOUGH` were.
    """
    if waiting <= 0:
        return 0.0
    return took / finished * waiting if finished >= ENOUGH else None


@dataclass
class TimeEstimator:
    """Estimates how long the rest of a run takes; every model and every metric has its own pace.

    What was there before the run, and replies from the cache, say nothing about the others.
    `first_picture`: the seconds after the begin of the run at which there was an image to
    evaluate.
    """

    first_picture: float | None = None

    def seconds_left(self, result: RunResult, elapsed: float) -> float | None:
        """Return the seconds until the end, `elapsed` seconds after the begin.

        None until `ENOUGH` is finished of every kind of which something waits: images of a model,
        evaluations by a metric.
        """
        if self.first_picture is None and any(s.state == "done" for s in result.shots):
            self.first_picture = elapsed
        began = elapsed if self.first_picture is None else self.first_picture
        rests = (_drawing_rest(result, elapsed), _judging_rest(result, elapsed - began))
        known = [rest for rest in rests if rest is not None]
        return max(known) if len(known) == len(rests) else None


def _drawing_rest(result: RunResult, elapsed: float) -> float | None:
    """Return the seconds until all images are drawn.

    The calls that wait take as long as those of the same model did, and as many run at once as did
    so far.
    """
    waiting = Counter(shot.model for shot in result.shots if shot.state == "waiting")
    durations: dict[str, list[float]] = defaultdict(list)
    for shot in result.shots:
        is_new = shot.state == "done" and shot.generation not in result.cached_images
        if is_new and shot.seconds is not None:
            durations[shot.model].append(shot.seconds)
    if any(len(durations[model]) < ENOUGH for model in waiting):
        return None
    to_do = sum(
        count * sum(durations[model]) / len(durations[model]) for model, count in waiting.items()
    )
    spent = sum(sum(each) for each in durations.values())
    return to_do * elapsed / spent if to_do else 0.0


def _judging_rest(result: RunResult, took: float) -> float | None:
    """Return the seconds until all evaluations are there; they began `took` seconds ago."""
    shots = result.shots
    trials = result.request.trials
    metrics = result.expected // max(1, len(shots) * trials)
    expected = trials * sum(shot.state != "failed" for shot in shots)
    done = Counter(evaluation.metric for evaluation in result.evaluations)
    done.update(failure.metric for failure in result.failures)
    if len(done) < metrics and expected:
        return None
    new = Counter(each.metric for each in result.evaluations if not each.cached)
    rests = [
        seconds_for_rest(expected - count, new[metric], took) for metric, count in done.items()
    ]
    known = [rest for rest in rests if rest is not None]
    return max(known, default=0.0) if len(known) == len(rests) else None
