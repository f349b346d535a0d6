"""The scores that metrics give one image: chips for its card and a table for its panel.

It computes no mean over images.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hallascope.components.html.markup import text
from hallascope.metrics.base import Presentation, ScoreSpec


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """What one metric gives one image, over all its trials.

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
        """The value alone, or a word or two in its place."""
        if self.value is not None:
            return value_text(self.value, self.presents)
        if self.trials:
            return "no score"
        return "not run" if self.reason else "…"

    @property
    def basis_text(self) -> str:
        """What the value rests on, or why there is none."""
        if not self.trials:
            return self.reason or "not evaluated yet"
        mean = f"mean of {self.trials} trials" if self.trials > 1 else ""
        if self.presents == "number":
            left_out = f"left out {self.left_out}" if self.left_out else ""
            parts = [scale_text(self.spec) if self.value is not None else "", left_out, mean]
        else:
            parts = [f"counted {self.counted}", f"left out {self.left_out}", mean]
        return ". ".join(filter(None, (", ".join(filter(None, parts)), self.reason)))

    @property
    def summary_text(self) -> str:
        """Title, value and what it rests on in one breath."""
        value = "" if self.short == "…" else f" {self.short}"
        return f"{self.title}{value}: {self.basis_text}"


def value_text(value: float | None, presents: Presentation) -> str:
    """A score as people read it: with three digits where it is all there is, else two.

    A dash where there is none.
    """
    if value is None:
        return "–"
    return f"{value:.3f}" if presents == "number" else f"{value:.2f}"


def scale_text(spec: ScoreSpec) -> str:
    """The range of a score in words: "from 0 to 2.5"; "" where it has no end on either side."""
    low, high = spec.bounds
    if math.isfinite(low) and math.isfinite(high):
        return f"from {low:g} to {high:g}"
    if math.isfinite(low):
        return f"{low:g} or more"
    return f"{high:g} or less" if math.isfinite(high) else ""


def chips(scores: Sequence[MetricScore]) -> str:
    """One chip a metric: title, value, how much was left out.

    The whole is in its title and in words for those who hear the page.
    """
    if not scores:
        return ""
    return f'<ul class="score-chips" aria-label="Scores">{"".join(map(_chip, scores))}</ul>'


def _chip(score: MetricScore) -> str:
    kind = "" if score.value is not None else " none"
    title = f'<span class="called">{text(score.title)}</span>'
    value = f'<span class="number">{text(score.short)}</span>'
    left_out = f'<span class="rest">{score.left_out} left out</span>' if score.left_out else ""
    words = text(score.summary_text)
    return (
        f'<li class="score-chip{kind}" title="{words}"><span aria-hidden="true">{title}'
        f' {value}{left_out}</span><span class="unseen">{words}</span></li>'
    )


def table(scores: Sequence[MetricScore]) -> str:
    """One line a metric: title, value, what it rests on.

    "" where there is but one, whose number stands in the panel anyway.
    """
    if len(scores) < 2:
        return ""
    lines = "".join(
        f'<tr><th scope="row">{text(score.title)}<span'
        f' class="about">{text(score.basis_text)}</span></th><td>{text(score.short)}</td></tr>'
        for score in scores
    )
    return f'<h2>All metrics</h2><table class="all-scores"><tbody>{lines}</tbody></table>'
