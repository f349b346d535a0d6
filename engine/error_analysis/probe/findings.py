"""Says what a probe found: a curve for each model, where it begins to fail, how models differ."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hallascope.engine.error_analysis.probe.failure_curve import (
    LevelCounts,
    ProbeEstimate,
    estimate_difference,
    fit_curve,
    holds_to,
    mean_share_draws,
    share_of_level,
)
from hallascope.engine.error_analysis.probe.levels import ORDERED, AxisName, ProbeLevel
from hallascope.engine.error_analysis.probe.probe import ProbeOutcome


@dataclass(frozen=True, kw_only=True)
class LevelFinding:
    """Holds what was found at one level of a model.

    `unanswered` images count as neither right nor failed; `not_made` images are not there. `share`
    is that of the level by itself, None where no image was answered. `curve` is that of the whole
    axis at this level, None on axes without an order.
    """

    level: ProbeLevel
    counts: LevelCounts
    unanswered: int
    not_made: int
    share: ProbeEstimate | None
    curve: ProbeEstimate | None
    evaluations: tuple[int, ...]

    @property
    def is_off_curve(self) -> bool:
        """Return whether the curve lies outside the interval of the level by itself."""
        if self.share is None or self.curve is None:
            return False
        return not self.share.low <= self.curve.value <= self.share.high


@dataclass(frozen=True, kw_only=True)
class ModelFinding:
    """Holds what was found of one model.

    `boundary` is where half of its images fail and `holds_to` the last level up to which fewer do,
    95 % sure; both None on axes without an order, or where nothing was answered.
    """

    model: str
    levels: tuple[LevelFinding, ...]
    boundary: ProbeEstimate | None = None
    holds_to: float | None = None

    @property
    def answered(self) -> int:
        return sum(each.counts.answered for each in self.levels)

    @property
    def images(self) -> int:
        return self.answered + sum(each.unanswered + each.not_made for each in self.levels)


@dataclass(frozen=True, kw_only=True)
class ModelComparison:
    """Holds by how much the share of failing images of `one` is above that of `other`.

    Each level counts alike, however many images it has.
    """

    one: str
    other: str
    difference: ProbeEstimate


@dataclass(frozen=True, kw_only=True)
class ProbeFindings:
    """Holds all that a probe found."""

    axis: AxisName
    models: tuple[ModelFinding, ...]
    comparisons: tuple[ModelComparison, ...]


def find_failures(outcome: ProbeOutcome) -> ProbeFindings:
    """Return what a probe found, models in the order of the request."""
    axis = outcome.request.axis
    is_ordered = axis in ORDERED
    models = tuple(_model_finding(outcome, model) for model in outcome.request.models)
    draws = {
        finding.model: mean_share_draws(
            outcome.level_counts(finding.model), place, ordered=is_ordered
        )
        for place, finding in enumerate(models)
        if finding.answered
    }
    comparisons = tuple(
        ModelComparison(
            one=one, other=other, difference=estimate_difference(draws[one], draws[other])
        )
        for one, other in combinations(draws, 2)
    )
    return ProbeFindings(axis=axis, models=models, comparisons=comparisons)


def _model_finding(outcome: ProbeOutcome, model: str) -> ModelFinding:
    counts = outcome.level_counts(model)
    is_curve = outcome.request.axis in ORDERED and any(level.answered for level in counts)
    posterior = fit_curve(counts) if is_curve else None
    levels = []
    for place, level in enumerate(outcome.variation.levels):
        images = [each for each in outcome.images if (each.model, each.level) == (model, place)]
        levels.append(
            LevelFinding(
                level=level,
                counts=counts[place],
                unanswered=sum(i.failed is None and i.image is not None for i in images),
                not_made=sum(i.image is None for i in images),
                share=share_of_level(counts[place]),
                curve=posterior.share(level.value or 0.0) if posterior else None,
                evaluations=tuple(i.evaluation for i in images if i.evaluation is not None),
            )
        )
    if posterior is None:
        return ModelFinding(model=model, levels=tuple(levels))
    values = [level.value for level in counts if level.value is not None]
    return ModelFinding(
        model=model,
        levels=tuple(levels),
        boundary=posterior.boundary(),
        holds_to=holds_to(posterior, values),
    )


# --- in words


def model_sentence(axis: AxisName, finding: ModelFinding) -> str:
    """Return what was found of a model, in one sentence."""
    if not finding.answered:
        return f"{finding.model}: no image was answered, so nothing is known of it."
    if finding.boundary is None:
        return f"{finding.model}: {_extremes(axis, finding)}"
    held = finding.holds_to
    start = "is not sure to hold at any level" if held is None else f"holds up to {axis} {held:g}"
    return f"{finding.model}: {start}; {_boundary_words(finding)}.{_off_curve_words(finding)}"


def _off_curve_words(finding: ModelFinding) -> str:
    """Return which levels the curve does not describe, "" where it describes all."""
    levels = [
        f"{each.level.label} ({each.counts.failed} of {each.counts.answered} failed)"
        for each in finding.levels
        if each.is_off_curve
    ]
    return f" The curve does not describe {', '.join(levels)}." if levels else ""


def _boundary_words(finding: ModelFinding) -> str:
    boundary = finding.boundary
    values = [each.level.value for each in finding.levels if each.level.value is not None]
    first, last = min(values), max(values)
    if boundary is None or (boundary.low == -math.inf and boundary.high == math.inf):
        return f"where half of the images fail is not known from {finding.answered} images"
    if boundary.value == math.inf:
        return f"fewer than half of the images fail up to {last:g}"
    if boundary.value == -math.inf:
        return f"half of the images or more fail at {first:g} already"
    low = _end_words(boundary.low, first, last)
    high = _end_words(boundary.high, first, last)
    return f"half of the images fail at {boundary.value:.1f} ({low} to {high})"


def _end_words(value: float, first: float, last: float) -> str:
    if value == -math.inf:
        return f"below {first:g}"
    return f"above {last:g}" if value == math.inf else f"{value:.1f}"


def _extremes(axis: AxisName, finding: ModelFinding) -> str:
    known = [each for each in finding.levels if each.share is not None]
    shares = [_share_value(each) for each in known]
    if max(shares) == min(shares):
        return f"all levels of {axis} fail alike, {_share_words(known[0])}."
    worst, best = (
        " and ".join(
            f"{each.level.label!r}, {_share_words(each)}"
            for each, share in zip(known, shares, strict=True)
            if share == extreme
        )
        for extreme in (max(shares), min(shares))
    )
    return f"{axis} fails most at {worst}, and least at {best}."


def _share_value(finding: LevelFinding) -> float:
    return finding.share.value if finding.share else 0.0


def _share_words(finding: LevelFinding) -> str:
    share = finding.share
    if share is None:
        return "no answer"
    counts = finding.counts
    return (
        f"{counts.failed} of {counts.answered} images ({share.low * 100:.0f} to"
        f" {share.high * 100:.0f} %)"
    )


def comparison_sentence(comparison: ModelComparison) -> str:
    """Return how two models differ, in one sentence."""
    difference = comparison.difference
    ends = (difference.low * 100, difference.high * 100)
    points = f"{difference.value * 100:+.0f} points ({ends[0]:+.0f} to {ends[1]:+.0f})"
    names = f"{comparison.one} and {comparison.other}"
    if difference.low <= 0 <= difference.high:
        return f"{names} cannot be told apart: over all levels they differ by {points}."
    first, second = comparison.one, comparison.other
    low, high = ends
    if difference.value < 0:
        first, second = second, first
        low, high = -ends[1], -ends[0]
    return (
        f"{first} fails more often than {second}, by {abs(difference.value) * 100:.0f} points"
        f" ({low:.0f} to {high:.0f}) over all levels."
    )


# --- as a document


def probe_document(outcome: ProbeOutcome) -> dict[str, Any]:
    """Return what a probe found as a JSON document; shares are in [0, 1].

    The ends of a boundary are null where they lie outside the levels that were drawn.
    """
    findings = find_failures(outcome)
    return {
        "prompt": outcome.request.prompt,
        "vary": findings.axis,
        "judge": outcome.request.judge,
        "note": outcome.variation.note or None,
        "stopped": outcome.stopped,
        "spent": outcome.spent,
        "models": [_model_document(findings.axis, finding) for finding in findings.models],
        "comparisons": [
            {
                "one": each.one,
                "other": each.other,
                "difference": _estimate_document(each.difference),
                "sentence": comparison_sentence(each),
            }
            for each in findings.comparisons
        ],
    }


def _model_document(axis: AxisName, finding: ModelFinding) -> dict[str, Any]:
    return {
        "model": finding.model,
        "sentence": model_sentence(axis, finding),
        "holds_to": finding.holds_to,
        "half_fail_at": _estimate_document(finding.boundary, digits=3),
        "images": finding.images,
        "answered": finding.answered,
        "levels": [
            {
                "level": each.level.label,
                "prompt": each.level.prompt,
                "failed": each.counts.failed,
                "answered": each.counts.answered,
                "unanswered": each.unanswered,
                "not_made": each.not_made,
                "share": _estimate_document(each.share),
                "curve": _estimate_document(each.curve),
                "evaluations": list(each.evaluations),
            }
            for each in finding.levels
        ],
    }


def _estimate_document(
    estimate: ProbeEstimate | None, digits: int = 4
) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {
        name: round(value, digits) if math.isfinite(value) else None
        for name, value in estimate._asdict().items()
    }
