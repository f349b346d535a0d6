"""Builds the document of a run that commands print and the API answers with."""

from collections.abc import Callable, Iterable
from typing import Any

from hallascope import metrics
from hallascope.data.evidence import Finding
from hallascope.data.records import Report, Verdict
from hallascope.data.requests import Failure
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.documents import fig, knowledge, scene_graph
from hallascope.engine.events import Evaluation, GeneratedPicture
from hallascope.engine.money.spending import spending_document
from hallascope.engine.run.evaluation import unanswered_items, unanswered_reason
from hallascope.engine.run.result import RunResult
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


def evaluation_document(
    result: RunResult,
    truths: TruthLookup = unknown_truths,
    reliability: JudgeLookup = unmeasured_judge,
) -> dict[str, Any]:
    """Return the document of a run, whose values `jsonable` can turn into JSON.

    `truths` finds the true answers to the questions of a report, None where they are not known.
    `reliability` finds what to expect of the judge of an evaluation, None where it was not
    measured.
    """
    evaluations = result.ordered_evaluations
    errors = judge_errors(evaluations, truths)
    images = {shot.generation: shot for shot in result.shots}
    documents = [
        {
            **_evaluation(each, images[each.generation], truths(each.report)),
            "judge_reliability": reliability(each),
            **knowledge.changes(each, images, evaluations),
            **_details(each.report),
        }
        for each in evaluations
    ]
    return {
        "run": result.run,
        "cached": bool(evaluations) and all(each.cached for each in evaluations),
        "evaluations": documents,
        "failures": list_failures(result),
        "judge_errors": {"wrong": errors.wrong, "known": errors.known},
        "notice": result.notice,
        "stopped": result.state == "stopped",
        "spent": spending_document(result.spent, result.unconfirmed),
    }


def judge_errors(evaluations: Iterable[Evaluation], truths: TruthLookup) -> JudgeErrors:
    """Return where the judges are wrong, of the answers whose truth is known."""
    counts = (count_errors(each.report.verdicts, truths(each.report)) for each in evaluations)
    return sum(counts, JudgeErrors())


def list_failures(result: RunResult) -> list[dict[str, Any]]:
    """Return what failed in a run: the whole, metrics, images, evaluations, then questions.

    A prompt without questions is a failure where a judge is chosen.
    """
    models = {shot.generation: shot.model for shot in result.shots}
    failures: list[dict[str, Any]] = []
    if result.notice and result.request.judge is not None:
        failures.append({"kind": "no_questions", "message": result.notice})
    failures += [
        {"kind": "not_run", "metric": metric.metric, "message": metric.message}
        for metric in result.not_run
    ]
    failures += [
        {"model": shot.model, "seed": shot.seed, **_failure(shot.failure)}
        for shot in result.shots
        if shot.failure
    ]
    failures += [
        {"model": models[each.generation], "metric": each.metric, **_failure(each.failure)}
        for each in result.failures
    ]
    failures += [
        _left_out(evaluation, item)
        for evaluation in result.ordered_evaluations
        for item in unanswered_items(evaluation.report)
    ]
    return failures


def _evaluation(
    evaluation: Evaluation, shot: GeneratedPicture, truths: TrueAnswers
) -> dict[str, Any]:
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
            _verdict(verdict, truth) for verdict, truth in zip(report.verdicts, truths, strict=True)
        ],
        "cached": evaluation.cached,
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
