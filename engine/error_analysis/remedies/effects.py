"""Computes what a remedy repairs and what it breaks, beside fresh images of the same prompt.

A failure that disappears proves nothing by itself: a prompt is chosen since its image failed, and
the next image of the same prompt fails less often by chance alone. So each remedy is compared with
a control: the mean over as many fresh images of the same prompt as the remedy draws, which is what
one of them taken at random shows. Differences are paired by prompt. Nothing here knows of models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.metrics.statistics.intervals import mean_interval
from hallascope.metrics.statistics.paired_difference import difference_interval

FactStates = Mapping[str, bool]
"""Says of each fact of an image, by its question, whether it is right; facts without an answer are
not in it."""


@dataclass(frozen=True, kw_only=True)
class PromptFacts:
    """Holds what one judge says of a prompt's facts: before, in fresh images, and after a remedy.

    `after` has one image or more, of which the mean counts, as of `control`.
    """

    before: FactStates
    control: tuple[FactStates, ...]
    after: tuple[FactStates, ...]


class EffectEstimate(NamedTuple):
    """Holds a share or a difference of shares with its 95 % interval.

    The ends are None where fewer than two prompts count.
    """

    value: float
    low: float | None
    high: float | None

    @property
    def is_above_zero(self) -> bool:
        """Return whether the whole interval lies above 0."""
        return self.low is not None and self.low > 0

    @property
    def is_below_zero(self) -> bool:
        """Return whether the whole interval lies below 0."""
        return self.high is not None and self.high < 0


@dataclass(frozen=True, kw_only=True)
class FactChange:
    """Holds how many facts of one kind change: with the remedy, with the control, and more so.

    `facts` of `prompts` count. `share` and `control` are in [0, 1], `gain` is share minus control,
    in [-1, 1]; all None where no fact counts.
    """

    prompts: int
    facts: int
    share: EffectEstimate | None = None
    control: EffectEstimate | None = None
    gain: EffectEstimate | None = None


@dataclass(frozen=True, kw_only=True)
class RemedyEffect:
    """Holds what a remedy does by one judge.

    `repaired`: failures that disappear (repairability); `broken`: right facts that became wrong.
    `unanswered` facts have no answer before, after or in the control, and count nowhere.
    """

    repaired: FactChange
    broken: FactChange
    unanswered: int


def estimate_effect(prompts: Sequence[PromptFacts]) -> RemedyEffect:
    """Return what a remedy repairs and breaks over prompts, each a cluster of facts."""
    failing = [_count_changes(facts, was_right=False) for facts in prompts]
    right = [_count_changes(facts, was_right=True) for facts in prompts]
    return RemedyEffect(
        repaired=_change(failing),
        broken=_change(right),
        unanswered=sum(_count_unanswered(facts) for facts in prompts),
    )


class _PromptChange(NamedTuple):
    """Holds of one prompt how many facts count, and how many change after and in the control."""

    facts: int
    after: float
    control: float


def _count_changes(facts: PromptFacts, *, was_right: bool) -> _PromptChange:
    count = 0
    after = control = 0.0
    for fact, state in facts.before.items():
        shares = (_share_right(facts.after, fact), _share_right(facts.control, fact))
        if state is not was_right or shares[0] is None or shares[1] is None:
            continue
        count += 1
        after += 1 - shares[0] if was_right else shares[0]
        control += 1 - shares[1] if was_right else shares[1]
    return _PromptChange(count, after, control)


def _count_unanswered(facts: PromptFacts) -> int:
    known = set(facts.before).union(*facts.control, *facts.after)
    counted = sum(_count_changes(facts, was_right=state).facts for state in (True, False))
    return len(known) - counted


def _share_right(images: Sequence[FactStates], fact: str) -> float | None:
    """Return the share of images in which a fact is right, None where none has an answer."""
    states = [image[fact] for image in images if fact in image]
    return sum(states) / len(states) if states else None


def _change(prompts: Sequence[_PromptChange]) -> FactChange:
    counted = [prompt for prompt in prompts if prompt.facts]
    facts = sum(prompt.facts for prompt in counted)
    if not facts:
        return FactChange(prompts=0, facts=0)
    weights = [float(prompt.facts) for prompt in counted]
    return FactChange(
        prompts=len(counted),
        facts=facts,
        share=_share([prompt.after for prompt in counted], weights),
        control=_share([prompt.control for prompt in counted], weights),
        gain=_gain([prompt.after - prompt.control for prompt in counted], weights),
    )


def _share(totals: Sequence[float], weights: Sequence[float]) -> EffectEstimate:
    interval = mean_interval(totals, weights)
    value = sum(totals) / sum(weights)
    if interval is None:
        return EffectEstimate(value, None, None)
    return EffectEstimate(value, interval.low, interval.high)


def _gain(differences: Sequence[float], weights: Sequence[float]) -> EffectEstimate:
    """Return the ratio sum(differences) / sum(weights) with its interval by prompt.

    Each prompt stands with its linearized value (Cochran, Sampling Techniques, 1977, section 6.3),
    so that the interval of paired differences is that of the ratio.
    """
    import numpy as np

    value = sum(differences) / sum(weights)
    mean_weight = sum(weights) / len(weights)
    residuals = np.asarray(differences) - value * np.asarray(weights)
    interval = difference_interval(value + residuals / mean_weight)
    if interval is None:
        return EffectEstimate(value, None, None)
    return EffectEstimate(value, interval.low, interval.high)
