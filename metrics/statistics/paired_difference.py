"""Computes by how much one model is above another on the prompts of both."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hallascope.metrics.statistics.intervals import FloatPair, paired_bootstrap


@dataclass(frozen=True, kw_only=True)
class ModelDifference:
    """Holds by how much the score of `one` exceeds that of `other`, over `n` prompts of both.

    `value`, its 95 % interval and `p` (two-sided: the chance of as much where there is no
    difference) are None under two prompts. By composition of interest each prompt counts with its
    questions. `group` is "" for all prompts.
    """

    one: str
    other: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    unit: Literal["prompts"] = "prompts"

    @property
    def words(self) -> str:
        """Return what the difference says, in a few words; the sign of the value is its way."""
        if not self.n:
            return "nothing to compare"
        if self.value is None or self.low is None or self.high is None:
            return "too few prompts to tell"
        return "no difference told" if self.low <= 0 <= self.high else "different"


def model_difference(
    one: str, other: str, sides: Mapping[str, Mapping[str, FloatPair]], group: str = ""
) -> ModelDifference:
    """Return the difference of two models by a paired bootstrap.

    `sides` holds by model and prompt the sum of a score and its weight.
    """
    prompts = sorted(sides[one].keys() & sides[other].keys())
    difference = paired_bootstrap(
        [sides[one][prompt] for prompt in prompts], [sides[other][prompt] for prompt in prompts]
    )
    value, low, high, p = difference or (None, None, None, None)
    return ModelDifference(
        one=one, other=other, group=group, value=value, low=low, high=high, p=p, n=len(prompts)
    )
