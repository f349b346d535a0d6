"""Holds an image of a run with all that is shown of it. It makes no HTML."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hallascope.components.tiles.scores import MetricScore, value_text, verdict_summary
from hallascope.data.evidence import Finding
from hallascope.data.records import Question, Report, State, Verdict
from hallascope.metrics.base import Presentation
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswer, TrueAnswers, UnaskedError

EXTRA = "extraneous"  # the kind of a finding that nobody asked for


@dataclass(frozen=True, kw_only=True)
class Tile:
    """Holds an image of a run, or the place kept for it, with all that is shown of it.

    `reports`: one a trial, the first is shown in full. `doing`: words for the empty place. `why`:
    the sentence of a failure. `model` is its full name, `name` the short one; `seed` is None for an
    upload. `metric`: the title of the one that reports, `presents` what its reports rest on;
    `revised`: the prompt as the service drew it, where it changed it. `scores`: what every metric
    of the run gives the image, the one that reports among them. `truths`: what is true of each
    question of the report that is shown in full, () where nobody looked it up; `errors`: where the
    judge is wrong, over all trials; `unasked`: what is wrong in the image and asked by none of its
    questions. `human`: what people say of each answer of the judge, None where nobody can say it.
    `reliability`: what to expect of the judge on these questions,
    None where it was not measured.
    """

    run: str
    key: str
    model: str
    name: str
    prompt: str
    seed: int | None = None
    path: Path | None = None
    thumbnail: Path | None = None
    seconds: float | None = None
    doing: str = ""
    why: str | None = None
    questions: tuple[Question, ...] = ()
    reports: tuple[Report, ...] = ()
    judge: str | None = None
    cached: bool = False
    notice: str | None = None
    metric: str = "I-HallA"
    revised: str | None = None
    presents: Presentation = "questions"
    scores: tuple[MetricScore, ...] = ()
    truths: TrueAnswers = ()
    errors: JudgeErrors = field(default_factory=JudgeErrors)
    unasked: tuple[UnaskedError, ...] = ()
    human: tuple[Mapping[str, str], ...] | None = None
    reliability: JudgeReliability | None = None

    @property
    def report(self) -> Report | None:
        """Return the report that is shown in full, that of the first trial; None without one."""
        return self.reports[0] if self.reports else None

    @property
    def version(self) -> str:
        """Return what changes whenever the evidence does, which a card then asks for again."""
        trials = sum(score.trials for score in self.scores)
        is_known = [one is not None for one in (self.path, self.why, self.reliability)]
        return f"{len(self.reports)} {trials} {is_known}"

    @property
    def seed_text(self) -> str:
        """Return the seed in words, "seed 3"; "" of an upload."""
        return "" if self.seed is None else f"seed {self.seed}"

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return self.report.verdicts if self.report else ()

    def truth(self, index: int) -> TrueAnswer | None:
        """Return what is true of the question of that index; None where it is not known."""
        return self.truths[index] if index < len(self.truths) else None

    @property
    def judge_questions(self) -> tuple[Question, ...]:
        """Return the questions as they were put to the judge, or as they are going to be."""
        return tuple(v.question for v in self.verdicts) or self.questions

    @property
    def findings(self) -> tuple[Finding, ...]:
        evidence = self.report.evidence if self.report else None
        return evidence.findings if evidence else ()

    @property
    def answers(self) -> tuple[tuple[str, State], ...]:
        """Return what was asked in a word or two, with a state for every question or finding.

        Behind a number there is neither.
        """
        if self.presents == "number":
            return ()
        if self.verdicts:
            return tuple(
                (f"Question {i}:", verdict.state) for i, verdict in enumerate(self.verdicts, 1)
            )
        return tuple(
            (f"{row.kind}, {row.expected or row.observed}:", row.state) for row in self.findings
        )

    @property
    def verdict_text(self) -> str:
        """Say how many answers are correct; of a metric that gives one number, say this number.

        What nobody asked for is no answer and is counted apart.
        """
        if self.presents == "number":
            return self._number
        states = [row.state for row in self.findings if row.kind != EXTRA] or [
            verdict.state for verdict in self.verdicts
        ]
        extras = sum(row.kind == EXTRA for row in self.findings)
        return verdict_summary(states) + (f", {extras} not in the prompt" if extras else "")

    @property
    def _number(self) -> str:
        if self.report is None:
            return "not evaluated yet"
        score = self.report.score
        if score.value is not None:
            return f"{self.metric} {value_text(score.value, self.presents)}"
        why = next((row.note for row in self.findings if row.note), "")
        return f"{self.metric}: no score" + (f". {why}" if why else "")

    @property
    def own_parameters(self) -> str:
        """Say which parameters the service did not take, and what that means for the score."""
        names = self.report.not_applied if self.report else ()
        if not names:
            return ""
        if "temperature" in names:
            return "at the service's own temperature: repeat to see how far it varies"
        return f"the service did not take {', '.join(names)}"

    @property
    def alt_text(self) -> str:
        """Return the alternative text: image and verdict in one sentence."""
        return f"{self.prompt}, by {self.model}: {self.verdict_text}"
