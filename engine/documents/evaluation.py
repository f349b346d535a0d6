"""Builds the document of an evaluation from the events of its run."""

from collections.abc import Callable
from typing import Any

from hallascope import metrics
from hallascope.data.evidence import Finding
from hallascope.data.records import Report, Verdict
from hallascope.data.requests import Failure
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.documents import fig, knowledge, scene_graph
from hallascope.engine.events import (
    Evaluated,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    GeneratedPicture,
    Pictured,
    PictureFailed,
    Queued,
)
from hallascope.engine.money.spending import spending_document
from hallascope.engine.run.evaluation import unanswered_items, unanswered_reason
from hallascope.metrics.base import Presentation
from hallascope.metrics.factualbench import plan as factualbench
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.true_answers import (
    JudgeErrors,
    TrueAnswer,
    TrueAnswers,
    count_errors,
    is_judge_wrong,
)

_DETAILS: dict[Presentation, Callable[[Report], dict[str, Any]]] = {
    "rounds": factualbench.as_json,
    "graph": scene_graph.as_json,
}


TruthLookup = Callable[[Report], TrueAnswers]
JudgeLookup = Callable[[Evaluation], JudgeReliability | None]


def unknown_truths(report: Report) -> TrueAnswers:
    """Return that no truth is known of any question of a report."""
    return (None,) * len(report.verdicts)


def unmeasured_judge(evaluation: Evaluation) -> None:
    """Return that nothing is known of the judge of an evaluation."""


class EvaluationSummary:
    """Gathers the events of an evaluation into its document.

    `judged`: a judge is chosen, so that a prompt without questions is a failure. `truths`: finds
    the true answers to the questions of a report, None where they are not known. `reliability`:
    finds what to expect of the judge of an evaluation, None where it was not measured.
    """

    def __init__(
        self,
        judged: bool = True,
        truths: TruthLookup = unknown_truths,
        reliability: JudgeLookup = unmeasured_judge,
    ) -> None:
        self._judged = judged
        self._truths = truths
        self._reliability = reliability
        self.run = ""
        self.notice: str | None = None
        self.stopped = False
        self.spent = 0.0
        self.unconfirmed = 0.0
        self.shots: dict[str, GeneratedPicture] = {}
        self._evaluations: list[Evaluation] = []
        self._order: dict[str, int] = {}
        self.failures: list[dict[str, Any]] = []

    @property
    def evaluations(self) -> list[Evaluation]:
        """Return the evaluations in the order of the request, not that in which they came."""
        return sorted(
            self._evaluations, key=lambda e: (self._order[e.generation], e.metric, e.trial)
        )

    def add(self, event: Event) -> None:
        """Take one more event of the run."""
        match event:
            case Queued():
                self._queue(event)
            case Pictured(shot=shot):
                self.shots[shot.generation] = shot
            case PictureFailed(shot=shot) if shot.failure:
                self.failures.append(
                    {"model": shot.model, "seed": shot.seed, **_failure(shot.failure)}
                )
            case EvaluationFailed(generation=generation, metric=metric, failure=failure):
                model = self.shots[generation].model
                self.failures.append({"model": model, "metric": metric, **_failure(failure)})
            case Evaluated(evaluation=evaluation):
                self._evaluations.append(evaluation)
                self.failures += [
                    _left_out(evaluation, item) for item in unanswered_items(evaluation.report)
                ]
            case Finished():
                self.stopped = event.stopped
                self.spent = event.spent
                self.unconfirmed = event.unconfirmed
            case _:
                pass

    def _queue(self, event: Queued) -> None:
        self.run = event.run
        self.notice = event.notice
        self._order = {shot.generation: i for i, shot in enumerate(event.shots)}
        if event.notice and self._judged:
            self.failures.append({"kind": "no_questions", "message": event.notice})
        self.failures += [
            {"kind": "not_run", "metric": metric.metric, "message": metric.message}
            for metric in event.not_run
        ]

    def json(self) -> dict[str, Any]:
        """Return the document, whose values `jsonable` can turn into JSON."""
        errors = self.judge_errors
        return {
            "run": self.run,
            "cached": bool(self.evaluations) and all(e.cached for e in self.evaluations),
            "evaluations": [self._evaluation(e) for e in self.evaluations],
            "failures": self.failures,
            "judge_errors": {"wrong": errors.wrong, "known": errors.known},
            "notice": self.notice,
            "stopped": self.stopped,
            "spent": spending_document(self.spent, self.unconfirmed),
        }

    @property
    def judge_errors(self) -> JudgeErrors:
        """Return where the judges are wrong, of the answers whose truth is known."""
        counts = (
            count_errors(e.report.verdicts, self._truths(e.report)) for e in self._evaluations
        )
        return sum(counts, JudgeErrors())

    def _evaluation(self, evaluation: Evaluation) -> dict[str, Any]:
        shot = self.shots[evaluation.generation]
        report = evaluation.report
        strict = report.scores.get("strict")
        return {
            "model": evaluation.model,
            "image": shot.path,
            "sha256": evaluation.image,
            "prompt": report.prompt,
            "seed": shot.seed,
            "metric": evaluation.metric,
            "version": report.version,
            "wording": wording_mark(report.version).name,
            "protocol": report.protocol,
            "not_applied": list(report.not_applied),
            "judge": evaluation.judge,
            "judge_reliability": self._reliability(evaluation),
            "lineup": dict(evaluation.lineup),
            "trial": evaluation.trial,
            "score": {
                "value": report.score.value,
                "counted": report.score.counted,
                "left_out": report.score.left_out,
            },
            "strict": strict.value if strict else None,
            "published": dict(report.published),
            "verdicts": [
                _verdict(verdict, truth)
                for verdict, truth in zip(report.verdicts, self._truths(report), strict=True)
            ],
            "cached": evaluation.cached,
            **knowledge.changes(evaluation, self.shots, self._evaluations),
            **_details(report),
        }


def _verdict(verdict: Verdict, truth: TrueAnswer | None) -> dict[str, Any]:
    """Return a verdict, with the truth of its question and whether the judge misses it."""
    return {
        "question": verdict.question.text,
        "choices": list(verdict.question.choices),
        "gold": verdict.question.gold,
        "answer": verdict.answer,
        "state": verdict.state,
        "coi": verdict.question.coi,
        "raw": verdict.raw,
        "probability": verdict.probability,
        "failure": verdict.failure,
        "members": verdict.members,
        "truth": truth,
        "judge_is_wrong": is_judge_wrong(verdict, truth),
    }


def _failure(failure: Failure) -> dict[str, Any]:
    return {"kind": failure.kind, "message": failure.message, "attempts": failure.attempts}


def _left_out(evaluation: Evaluation, item: Verdict | Finding) -> dict[str, Any]:
    match item:
        case Verdict():
            question = item.question.text
        case Finding():
            question = f"{item.kind}: {item.expected}"
    return {
        "model": evaluation.model,
        "metric": evaluation.metric,
        "question": question,
        "kind": "unanswered",
        "message": unanswered_reason(item),
    }


def _details(report: Report) -> dict[str, Any]:
    """Return what a metric says beside its scores: its evidence, and its part of the document."""
    if report.evidence is None:
        return {}
    details = _DETAILS.get(metrics.presentation(report.metric))
    if fig.has_stages(report):
        details = fig.as_json
    return (details(report) if details else {}) | {"evidence": report.evidence}
