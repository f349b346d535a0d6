"""By how much one model is above another on the prompts of both.

It knows sums by prompt, not what was measured or where it is kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hallascope.metrics.statistics.intervals import FloatPair, paired


@dataclass(frozen=True, kw_only=True)
class ModelDifference:
    """Holds by how much the score of `one` exceeds that of `other`, over `n` prompts.

    In these both were answered.

    `value`, its 95 % interval and `p` (two-sided: the chance of as much where there is no
    difference) are None under two prompts. By composition of interest each prompt counts with its
    questions. `group`: "" is all.
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
        """What it says, in a word or two; which way is told by the sign of the value."""
        if not self.n:
            return "nothing to compare"
        if self.value is None or self.low is None or self.high is None:
            return "too few prompts to tell"
        return "no difference told" if self.low <= 0 <= self.high else "different"


def model_difference(
    one: str, other: str, sides: Mapping[str, Mapping[str, FloatPair]], group: str = ""
) -> ModelDifference:
    """The difference of two models by a paired bootstrap.

    `sides`: of each model by prompt the sum of a score and its weight.
    """
    both = sorted(sides[one].keys() & sides[other].keys())
    found = paired(
        [sides[one][prompt] for prompt in both], [sides[other][prompt] for prompt in both]
    )
    value, low, high, p = found or (None, None, None, None)
    return ModelDifference(
        one=one, other=other, group=group, value=value, low=low, high=high, p=p, n=len(both)
    )
