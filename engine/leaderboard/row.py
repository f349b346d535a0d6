"""One bar of a leaderboard; it counts nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class LeaderboardRow:
    """One bar: a model in a group ("" by model, "not given" where nobody knows).

    `value` is the mean over the `n` prompts (by composition of interest: questions) in which
    anything was answered, None where that is none; every prompt weighs the same, over its pictures
    and trials. `low` and `high` are its 95 % interval by prompt, None under two. `left_out` prompts
    (questions) had no answer at all; `answered` and `unanswered` count the questions beneath.
    `source`: where the value was published, "" for ours; `n` is 0 where the paper does not say it.
    """

    model: str
    group: str
    value: float | None
    n: int
    low: float | None
    high: float | None
    left_out: int
    answered: int = 0
    unanswered: int = 0
    source: str = ""

    @property
    def left_out_share(self) -> float | None:
        """How much of all that was asked has no answer, in [0, 1]; None where nothing was asked."""
        asked = self.answered + self.unanswered
        return self.unanswered / asked if asked else None

    @property
    def published(self) -> bool:
        return bool(self.source)
