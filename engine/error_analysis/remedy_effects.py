"""Computes what a remedy repairs and what it breaks, beside fresh images of the same prompt.

A failure that disappears proves nothing by itself: a prompt is chosen since its image failed, and
the next image of the same prompt fails less often by chance alone. So each remedy is compared with
a control: the mean over as many fresh images of the same prompt as the remedy draws, which is what
one of them taken at random shows. Differences are paired by prompt. Nothing here knows of models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from hallascope.metrics.statistics.intervals import Interval, mean_interval
from hallascope.metrics.statistics.paired_difference import difference_interval

EffectView = Literal["selecting", "evaluating", "truth"]
VIEWS: tuple[EffectView, ...] = get_args(EffectView)
FactStates = Mapping[str, bool]
"""Says of each fact of an image, by its question, whether it is right; facts without an answer are
not in it."""


@dataclass(frozen=True, kw_only=True)
class PromptFacts:
    """Holds what one judge says of a prompt's facts: before, in fresh images, and after a remedy.

    `after` has one image or more, of which the mean counts, as of `control`. `facts` are all that
    the judge was asked, with those that it never answered.
    """

    before: FactStates
    control: tuple[FactStates, ...]
    after: tuple[FactStates, ...]
    facts: frozenset[str] = frozenset()

    def changes(self, *, was_right: bool) -> tuple[list[float], list[float]]:
        """Return by how much each fact that counts changed after the remedy, and in the control."""
        after, control = [], []
        for fact, state in self.before.items():
            shares = _share_right(self.after, fact), _share_right(self.control, fact)
            if state is was_right and shares[0] is not None and shares[1] is not None:
                after.append(1 - shares[0] if was_right else shares[0])
                control.append(1 - shares[1] if was_right else shares[1])
        return after, control


@dataclass(frozen=True)
class EffectEstimate:
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
    repaired, broken = (_change(prompts, was_right=state) for state in (False, True))
    known = sum(len(p.facts.union(p.before, *p.control, *p.after)) for p in prompts)
    return RemedyEffect(
        repaired=repaired, broken=broken, unanswered=known - repaired.facts - broken.facts
    )


def _share_right(images: Sequence[FactStates], fact: str) -> float | None:
    """Return the share of images in which a fact is right, None where none has an answer."""
    states = [image[fact] for image in images if fact in image]
    return sum(states) / len(states) if states else None


def _change(prompts: Sequence[PromptFacts], *, was_right: bool) -> FactChange:
    """Return how many facts change.

    In the interval of the gain each prompt stands with its linearized value (Cochran, Sampling
    Techniques, 1977, section 6.3), so that that of paired differences is that of the ratio.
    """
    import numpy as np

    changes = [prompt.changes(was_right=was_right) for prompt in prompts]
    counted = [(len(after), sum(after), sum(control)) for after, control in changes if after]
    if not counted:
        return FactChange(prompts=0, facts=0)
    facts, after, control = np.asarray(counted, float).T
    gain = float((after - control).sum() / facts.sum())
    linearized = gain + (after - control - gain * facts) / facts.mean()
    return FactChange(
        prompts=len(counted),
        facts=int(facts.sum()),
        share=_estimate(after.sum() / facts.sum(), mean_interval(after.tolist(), facts.tolist())),
        control=_estimate(
            control.sum() / facts.sum(), mean_interval(control.tolist(), facts.tolist())
        ),
        gain=_estimate(gain, difference_interval(linearized)),
    )


def _estimate(value: float, interval: Interval | None) -> EffectEstimate:
    ends = (interval.low, interval.high) if interval else (None, None)
    return EffectEstimate(float(value), *ends)
