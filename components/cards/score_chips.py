"""Shows the scores that metrics give one image: chips for its card and a table for its panel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from hallascope.components.html.markup import join, tag
from hallascope.metrics.base import Presentation, ScoreSpec


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
            left_out = f"left out {self.left_out}" if self.left_out else ""
            parts = [scale_text(self.spec) if self.value is not None else "", left_out, mean]
        else:
            parts = [f"counted {self.counted}", f"left out {self.left_out}", mean]
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


def scale_text(spec: ScoreSpec) -> str:
    """Return the range of a score in words, "from 0 to 2.5"; "" where neither side has an end."""
    low, high = spec.bounds
    if math.isfinite(low) and math.isfinite(high):
        return f"from {low:g} to {high:g}"
    if math.isfinite(low):
        return f"{low:g} or more"
    return f"{high:g} or less" if math.isfinite(high) else ""


def chips(scores: Sequence[MetricScore]) -> Markup:
    """Return one chip a metric: title, value, how much was left out.

    The whole is in its title and in words for those who hear the page.
    """
    if not scores:
        return Markup()
    return tag("ul", *map(_chip, scores), class_="score-chips", aria_label="Scores")


def _chip(score: MetricScore) -> Markup:
    title = tag("span", score.title, class_="called")
    value = tag("span", score.short, class_="number")
    left_out = Markup()
    if score.left_out:
        left_out = tag("span", f"{score.left_out} left out", class_="rest")
    return tag(
        "li",
        tag("span", title, " ", value, left_out, aria_hidden="true"),
        tag("span", score.summary_text, class_="unseen"),
        class_="score-chip" if score.value is not None else "score-chip none",
        title=score.summary_text,
    )


def table(scores: Sequence[MetricScore]) -> Markup:
    """Return one line a metric: title, value, what it rests on.

    It is empty where there is but one, whose number stands in the panel anyway.
    """
    if len(scores) < 2:
        return Markup()
    lines = (
        tag(
            "tr",
            tag("th", score.title, tag("span", score.basis_text, class_="about"), scope="row"),
            tag("td", score.short),
        )
        for score in scores
    )
    return join(tag("h2", "All metrics"), tag("table", tag("tbody", *lines), class_="all-scores"))
