"""Holds the verdicts of the rounds of T2I-FactualBench, and makes them of replies that were read.

It asks nothing and knows no score of a picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hallascope.data.concepts import ConceptRef
from hallascope.data.evidence import State
from hallascope.data.regions import Detection
from hallascope.metrics.factualbench.replies import MOST, RatingReply, TaskReply
from hallascope.metrics.replies.letters import unread_reason

# A judge that cannot tell is left out: that says nothing against the picture.
ANSWERED = ("correct", "incorrect")


@dataclass(frozen=True)
class CriterionVerdict:
    """Holds one criterion as judged: correct is met, incorrect is not met."""

    state: State
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RoundVerdict:
    """Holds the first round of one concept, or the third round (without a name).

    `met` of `answered` criteria make the score; with a rating by the judge that is rating of 4.
    `score` is None where nothing was answered. `note` is a flag, or the sentence of a failure;
    `raw` is a reply that could not be read.
    """

    name: str
    criteria: Mapping[str, CriterionVerdict]
    state: State
    met: int = 0
    answered: int = MOST
    note: str = ""
    raw: str = ""

    @property
    def score(self) -> float | None:
        """Return the share of the answered criteria that are met, in [0, 1]."""
        return self.met / self.answered if self.state in ANSWERED else None


@dataclass(frozen=True, kw_only=True)
class TaskVerdict:
    """Holds the second round: whether the task counts as done, what is absent, and why."""

    wanted: str
    state: State
    absent: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    raw: str = ""

    @property
    def score(self) -> float | None:
        """Return 1 where the task is done, 0 where it is not, None where nothing was answered."""
        return float(self.state == "correct") if self.state in ANSWERED else None


@dataclass(frozen=True)
class Rounds:
    """Holds all that was judged of a picture.

    `task` and `composition` are None where the level has no such round (paper, table 2).

    `places`: where a detector found the concepts that were judged there, by name.
    """

    concepts: tuple[RoundVerdict, ...]
    task: TaskVerdict | None = None
    composition: RoundVerdict | None = None
    notes: tuple[str, ...] = ()
    places: Mapping[str, Detection] = field(default_factory=dict)

    @property
    def rated(self) -> tuple[RoundVerdict, ...]:
        """Return the rounds that have criteria: those of the concepts, then the composition."""
        return (*self.concepts, self.composition) if self.composition else self.concepts


def rated_round(name: str, reply: RatingReply, raw: str) -> RoundVerdict:
    """Return the verdict of a first or third round whose reply was read.

    Where the reply gives no rating, the criteria that are met count; where a criterion is missing,
    or the rating is none from 0 to 4, it is unreadable.
    """
    criteria = {
        kind: CriterionVerdict(state(criterion.met), criterion.reason)
        for kind, criterion in reply.criteria.items()
    }
    points = reply.points
    if points is None:
        return RoundVerdict(
            name=name,
            criteria=criteria,
            state="unreadable",
            note=unread_reason(raw, "The reply holds no rating from 0 to 4"),
            raw=raw,
        )
    return RoundVerdict(
        name=name,
        criteria=criteria,
        state="correct" if points == MOST else "incorrect",
        met=points,
        note=reply.flag,
    )


def failed_round(name: str, why: str) -> RoundVerdict:
    """Return the verdict of a round that was not answered at all."""
    return RoundVerdict(name=name, criteria={}, state="failed", note=why)


def missing_reference(concept: ConceptRef) -> RoundVerdict:
    """Return the verdict of a concept without its reference picture, which was not asked for."""
    where = f" at {str(concept.file)!r}" if concept.file else ""
    why = (
        f"There is no reference image{where}, so it was left out: give one, or judge without"
        " references."
    )
    return failed_round(concept.name, why)


def task_verdict(wanted: str, reply: TaskReply, raw: str) -> TaskVerdict:
    """Return the verdict of a second round whose reply was read.

    An absent concept makes it 0, whatever else is said (paper, section 4.3).
    """
    if reply.met is None:
        return TaskVerdict(
            wanted=wanted,
            state="unreadable",
            reason=reply.reason,
            note=unread_reason(raw, "The reply does not say whether the task is done"),
            raw=raw,
        )
    contradiction = ""
    if reply.done and reply.absent:
        verb = "is" if len(reply.absent) == 1 else "are"
        contradiction = (
            f"The task is called done although {' and '.join(reply.absent)} {verb} not in the"
            " image; it counts as not done."
        )
    return TaskVerdict(
        wanted=wanted,
        state=state(reply.met),
        absent=reply.absent,
        reason=reply.reason,
        note=contradiction,
    )


def state(met: bool | None) -> State:
    """Return the state of what is met, not met, or (None) cannot be read."""
    if met is None:
        return "unreadable"
    if met:
        return "correct"
    return "incorrect"
