"""Says scores in words: the value, what it rests on, and why there is none."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hallascope.data.records import Report, Score, State
from hallascope.metrics.base import Presentation, ScoreSpec
from hallascope.metrics.statistics.intervals import spread

# States of answers that count neither as correct nor as incorrect.
LEFT_OUT: frozenset[State] = frozenset({"unreadable", "failed"})


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """Holds what one metric gives one image, over all its trials.

    `value` is the mean over the trials that have one, None where none has. `counted` and `left_out`
    are sums over the trials; what they count (questions, findings, images) is the metric's own.
    `trials` is 0 while nothing has come. `reason` says in one sentence why there is no value, ""
    where there is one or it is still awaited.
    """

    metric: str
    title: str
    presents: Presentation
    spec: ScoreSpec
    value: float | None = None
    counted: int = 0
    left_out: int = 0
    trials: int = 0
    reason: str = ""

    @property
    def short(self) -> str:
        """Return the value alone, or a word or two in its place."""
        if self.value is not None:
            return value_text(self.value, self.presents)
        if self.trials:
            return "no score"
        return "not run" if self.reason else "…"

    @property
    def basis_text(self) -> str:
        """Say what the value rests on, or why there is none."""
        if not self.trials:
            return self.reason or "not evaluated yet"
        mean = f"mean of {self.trials} trials" if self.trials > 1 else ""
        if self.presents == "number":
            left_out = f"{self.left_out} left out" if self.left_out else ""
            parts = [scale_text(self.spec) if self.value is not None else "", left_out, mean]
        else:
            parts = [answered_text(self.counted, self.left_out, self.presents), mean]
        return ". ".join(filter(None, (", ".join(filter(None, parts)), self.reason)))

    @property
    def summary_text(self) -> str:
        """Return title, value and what it rests on in one sentence."""
        value = "" if self.short == "…" else f" {self.short}"
        return f"{self.title}{value}: {self.basis_text}"


def value_text(value: float | None, presents: Presentation) -> str:
    """Return a score as people read it: with three digits where it is all there is, else two.

    It is a dash where there is none.
    """
    if value is None:
        return "–"
    return f"{value:.3f}" if presents == "number" else f"{value:.2f}"


def number_text(value: float | None) -> str:
    """Return a number with two digits, "0.60"; a dash where there is none."""
    return "–" if value is None else f"{value:.2f}"


def counted_text(counted: int, left_out: int) -> str:
    """Return what a number rests on: "of 5, 1 left out"; nothing is said of 0 left out."""
    return f"of {counted}, {left_out} left out" if left_out else f"of {counted}"


def scale_text(spec: ScoreSpec) -> str:
    """Return the range of a score in words, "from 0 to 2.5"; "" where neither side has an end."""
    low, high = spec.bounds
    if math.isfinite(low) and math.isfinite(high):
        return f"from {low:g} to {high:g}"
    if math.isfinite(low):
        return f"{low:g} or more"
    return f"{high:g} or less" if math.isfinite(high) else ""


def direction_text(spec: ScoreSpec) -> str:
    """Return which end of a score is better, in words."""
    return "higher is better" if spec.higher_is_better else "lower is better"


def answered_text(counted: int, left_out: int, presents: Presentation = "questions") -> str:
    """Return how many answers a score rests on: "4 of 5 questions answered"."""
    what = "questions answered" if presents == "questions" else "parts checked"
    return f"{counted} of {counted + left_out} {what}"


def score_with_counts(score: Score) -> str:
    """Return a score with what it rests on: "0.60, 4 of 5 questions answered"."""
    value = "no score" if score.value is None else f"{score.value:.2f}"
    return f"{value}, {answered_text(score.counted, score.left_out)}"


def correct_of(states: Sequence[State]) -> str:
    """Say how many of the counted answers are correct: "3 of 5"."""
    counted = [state for state in states if state not in LEFT_OUT]
    return f"{counted.count('correct')} of {len(counted)}"


def verdict_summary(states: Sequence[State]) -> str:
    """Return the verdict in one sentence, for the alternative text of an image."""
    if not states:
        return "not judged yet"
    left_out = sum(state in LEFT_OUT for state in states)
    return f"{correct_of(states)} correct" + (f", {left_out} left out" if left_out else "")


def yes_no(score: Score | None) -> str:
    """Return the strict score of one image in words."""
    if score is None or score.value is None:
        return "not counted"
    return "yes" if score.value == 1.0 else "no"


def trial_rows(reports: Sequence[Report]) -> list[tuple[str, str]]:
    """Return the mean over the trials with its standard deviation, where there are several."""
    if len(reports) < 2:
        return []
    values = [report.score.value for report in reports if report.score.value is not None]
    over = spread(values)
    deviation = "" if over.std is None else f" ± {over.std:.2f}"
    return [(f"mean of {len(reports)} trials", f"{number_text(over.mean)}{deviation}")]
