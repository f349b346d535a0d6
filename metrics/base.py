"""Defines the plan protocol: a metric yields requests and receives replies.

It never calls a model.
"""

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.concepts import FactualPrompt
from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.data.prompt_reading import PromptReader, PromptReading
from hallascope.data.records import Picture, Question, Report, Score
from hallascope.data.requests import (
    Answer,
    Detected,
    Embedded,
    Failure,
    Matched,
    Reply,
    Request,
    Role,
    Segmented,
    TextRead,
)
from hallascope.data.wordings.catalog import OURS
from hallascope.metrics.replies.limits import limit_length

T = TypeVar("T")
# A plan yields the requests of a step, receives their replies in the same order, and returns a T.
PlanSteps = Generator[list[Request], list[Reply], T]
Plan = PlanSteps[Report]
# The least and the greatest value, either of them infinite where there is none.
Bounds = tuple[float, float]
Presentation = Literal["number", "questions", "findings", "graph", "rounds"]
SHARE: Bounds = (0.0, 1.0)
COUNT: Bounds = (0.0, math.inf)
UNBOUNDED: Bounds = (-math.inf, math.inf)


@dataclass(frozen=True, kw_only=True)
class Case:
    """Holds one picture to evaluate against one prompt, with what a metric may need beside it.

    `roles` are those that the line-up fills, for metrics that can do without some of them.
    `factual` holds the concepts, level and task of the prompt, where they are known.
    `judge_ranks_choices`: the judge ranks choices and follows no instructions. `haloquest` is the
    free-form question about the picture, with the replies that are right. `vocabulary` names the
    vocabulary (`hallascope.data.lexicon`) whose names the detector is asked for beside the
    prompt's. `reading` says what the prompt asks for where a person or a model read it; else the
    rules do, or a parser of the line-up (`prompt_reader`); what the rules are not sure of is scored
    with `accept_readings` alone. `object_attributes` are what a person says that objects have
    beside what the prompt says.
    """

    prompt: str
    image: Picture
    questions: tuple[Question, ...] = ()
    reference: Picture | None = None
    factual: FactualPrompt | None = None
    roles: frozenset[Role] = frozenset()
    judge_ranks_choices: bool = False
    haloquest: HaloQuestion | None = None
    vocabulary: str = "general"
    reading: PromptReading | None = None
    prompt_reader: PromptReader = "auto"
    accept_readings: bool = False
    object_attributes: tuple[ObjectAttribute, ...] = ()


R = TypeVar("R", Answer, Detected, Segmented, Embedded, Matched, TextRead)


def reply_of(reply: Reply, kind: type[R], who: str) -> R | Failure:
    """Return the reply of the role `who`, which is of this kind or a failure.

    A reply that is too long for its role becomes a failure. Raises TypeError where it is anything
    else.
    """
    reply = limit_length(reply, who, who)
    if isinstance(reply, kind | Failure):
        return reply
    how = ", not in words" if kind is Answer else f", not with {kind.__name__}"
    raise TypeError(
        f"a {who} replied with {type(reply).__name__}{how}: the configuration has another model"
        f" where the {who} belongs"
    )


def text_reply(reply: Reply, who: str) -> Answer | Failure:
    """Return the reply of a role that answers in words. Raises TypeError where it is no text."""
    return reply_of(reply, Answer, who)


def always_readable(request: Request, reply: Reply) -> bool:
    """Return True: every reply can be read."""
    return True


@dataclass(frozen=True)
class ScoreSpec:
    """Declares one score of a metric's reports: name, title, range, and which end is better.

    Reports use the name, people read the title. `pools` names the score of reports that this one
    pools: the mean over everything that the reports counted, in place of the mean over prompts. No
    report holds a pooled score, a leaderboard computes it.
    """

    name: str
    title: str
    bounds: Bounds = SHARE
    higher_is_better: bool = True
    pools: str = ""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Declares a metric: its name, version, plan, and the roles that must be filled to run it.

    `scores` declares every score of its reports, the main one under the name "score". `presents`
    says what its reports rest on, and so how they are shown: a number alone, questions with
    verdicts, findings, a scene graph, or the rounds of T2I-FactualBench.

    `required_roles` must be filled to run it. `optional_roles` are asked where they are filled.
    `readable` says whether the metric can read a reply; what it cannot read is not worth keeping in
    a cache. `needs_questions`: it cannot score a prompt that has no set of questions.
    `reads_prompt`: its reports depend on what the prompt is read to ask for.
    `needs_concepts`: it takes the concepts of the prompt with their reference pictures, where they
    are known. `needs_reference`: it cannot score a picture without a reference picture.
    `judge_template` is the name of the template that the judge is asked with, "" where there is
    none. `definition` says in one sentence what the main score is, and `caveat` where it misleads.
    `wording` is the name of the pack whose texts differ from ours, "ours" where none does.
    """

    name: str
    title: str
    version: str
    required_roles: tuple[Role, ...]
    plan: Callable[[Case], Plan]
    scores: tuple[ScoreSpec, ...] = (ScoreSpec("score", "Score"),)
    presents: Presentation = "number"
    readable: Callable[[Request, Reply], bool] = always_readable
    needs_questions: bool = True
    reads_prompt: bool = False
    optional_roles: tuple[Role, ...] = ()
    needs_concepts: bool = False
    needs_reference: bool = False
    judge_template: str = ""
    definition: str = ""
    caveat: str = ""
    wording: str = OURS

    def score(self, name: str) -> ScoreSpec:
        """Return the declaration of a score; one that is not declared has no bounds."""
        return next((spec for spec in self.scores if spec.name == name), undeclared_score(name))


def mean_score(values: Sequence[float | None]) -> Score:
    """Return the mean of the values that are not None, with how many are and are not.

    Nothing answered has the value None, never 0.
    """
    answered = [value for value in values if value is not None]
    mean = sum(answered) / len(answered) if answered else None
    return Score(mean, len(answered), len(values) - len(answered))


def undeclared_score(name: str) -> ScoreSpec:
    """Return what holds of a score that no metric declares: no bounds, and higher is better."""
    return ScoreSpec(name, name.replace("_", " ").capitalize(), UNBOUNDED)


def run(plan: Plan, replies: Sequence[list[Reply]]) -> Report:
    """Run a plan on prepared replies, one list a step, and return its report.

    This is for tests and for replies that exist already. Raises ValueError where the plan asks for
    more steps than there are replies.
    """
    try:
        next(plan)
        for step in replies:
            plan.send(step)
    except StopIteration as done:
        report: Report = done.value
        return report
    raise ValueError(f"the plan asks on after {len(replies)} steps of replies")
