"""Builds the document of a run that commands print and the API answers with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hallascope import metrics
from hallascope.data.evidence import Finding
from hallascope.data.graphs import Graph, Node, SceneGraphs
from hallascope.data.records import Report, Score, Verdict
from hallascope.data.requests import Failure
from hallascope.data.wordings.packs import wording_mark
from hallascope.engine.events import Evaluation, GeneratedPicture
from hallascope.engine.money.spending import spending_document
from hallascope.engine.run.evaluation import unanswered_items, unanswered_reason
from hallascope.engine.run.result import RunResult
from hallascope.metrics.factualbench import report as factualbench
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.true_answers import (
    JudgeErrors,
    TrueAnswer,
    TrueAnswers,
    count_errors,
    is_judge_wrong,
)

# the stages of FiG, of which the second has the attributes
STAGES = ("object", "color", "number", "position", "text")
EXTRANEOUS = "extraneous"
_NO_SCORE = Score(None, 0, 0)
TruthLookup = Callable[[Report], TrueAnswers]
JudgeLookup = Callable[[Evaluation], JudgeReliability | None]


def evaluation_document(
    result: RunResult, truths: TruthLookup, reliability: JudgeLookup
) -> dict[str, Any]:
    """Return the document of a run, whose values `jsonable` can turn into JSON.

    `truths` finds the true answers to the questions of a report, None where they are not known.
    `reliability` finds what to expect of the judge of an evaluation, None where it was not
    measured.
    """
    evaluations = result.ordered_evaluations
    images = {shot.generation: shot for shot in result.shots}
    errors = JudgeErrors()
    documents = []
    for each in evaluations:
        known = truths(each.report)
        errors += count_errors(each.report.verdicts, known)
        documents.append(
            {
                **_evaluation(each, images[each.generation], known),
                "judge_reliability": reliability(each),
                **changes(each, images, evaluations),
                **_details(each.report),
            }
        )
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
        "score": _score(report, "score"),
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
    details: dict[str, Any] = {}
    presentation = metrics.presentation(report.metric)
    if has_stages(report):
        details = stages_document(report)
    elif presentation == "rounds":
        details = factualbench.as_json(report)
    elif presentation == "graph":
        details = graph_document(report)
    return details | {"evidence": report.evidence}


def _score(report: Report, name: str) -> dict[str, Any]:
    score = report.scores.get(name, _NO_SCORE)
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}


# --- what knowledge injection changes ---


def changes(
    evaluation: Evaluation,
    pictures: Mapping[str, GeneratedPicture],
    evaluations: Sequence[Evaluation],
) -> dict[str, Any]:
    """Return by how much every score of a picture with knowledge differs from that without.

    Both have the same model, seed, metric and trial; `pictures` are by generation. Of a picture
    without knowledge nothing is returned; a change is None where one of the two has no score.
    """
    picture = pictures[evaluation.generation]
    if not picture.injected:
        return {}
    same = _conditions(evaluation, pictures)
    plain = next(
        (
            other
            for other in evaluations
            if pictures[other.generation].injected is None and _conditions(other, pictures) == same
        ),
        None,
    )
    values = {name: score.value for name, score in plain.report.scores.items()} if plain else {}
    change = {
        name: _difference(score.value, values.get(name))
        for name, score in evaluation.report.scores.items()
    }
    return {"injected": picture.injected, "change": change}


def _conditions(
    evaluation: Evaluation, pictures: Mapping[str, GeneratedPicture]
) -> tuple[object, ...]:
    picture = pictures[evaluation.generation]
    return picture.model, picture.seed, evaluation.metric, evaluation.trial


def _difference(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other


# --- FiG ---


def has_stages(report: Report) -> bool:
    """Return whether a report has FiG's stages, of which no other metric has CHAIR_i."""
    return "chair_i" in report.scores


def stages_document(report: Report) -> dict[str, Any]:
    """Return the scores of stages 1 and 2 by each rule, the things of stage 3, CHAIR_i and pairs.

    Every (noun, attribute) pair has its state.
    """
    pairs = [row for row in _findings(report) if row.kind not in ("object", EXTRANEOUS)]
    # attributes that somebody added come after ours
    names = dict.fromkeys((*STAGES, *(row.kind for row in pairs)))
    # `segment` is the first that a pair is about, by its name
    return {
        "stages": {name: _score(report, name) for name in names},
        "stages_soft": {name: _score(report, f"{name}_soft") for name in names},
        "stages_published": {name: _score(report, f"{name}_published") for name in names},
        "extraneous": extraneous(report),
        "chair_i": report.scores.get("chair_i", _NO_SCORE).value,
        "pairs": [
            {
                "attribute": row.kind,
                "phrase": row.expected,
                "seen": row.observed,
                "state": row.state,
                "soft": row.lenient_state,
                "segment": row.segments[0] if row.segments else None,
            }
            for row in pairs
        ],
    }


def _findings(report: Report) -> tuple[Finding, ...]:
    """Return all findings of a report; () where it has none."""
    return report.evidence.findings if report.evidence else ()


def extraneous(report: Report) -> list[str]:
    """Return what is in the picture although the prompt does not name it."""
    return [row.observed for row in _findings(report) if row.kind == EXTRANEOUS]


# --- scene graphs ---


def graph_document(report: Report) -> dict[str, Any]:
    """Return the grade, the shares, every error, and the graphs of the picture and the prompt.

    The grade has its sentence; the shares are those of the questions.
    """
    graphs = graphs_of(report)
    return {
        "grade": graphs.grade,
        "sentence": graphs.sentence,
        "normalized": report.score.value,
        "answered": _score(report, "answered"),
        "correct": _score(report, "correct"),
        "errors": [
            {"type": error.type, "subject": error.subject, "asked": error.asked, "seen": error.seen}
            for error in graphs.errors
        ],
        "graph": _graph(graphs.seen),
        "prompt_graph": _graph(graphs.asked),
        "matches": [list(pair) for pair in graphs.matches],
        "questions": [
            {
                "question": question.text,
                "kind": question.kind,
                "wanted": question.wanted,
                "answer": question.answer,
                "asked": question.asked_value,
                "seen": question.seen_value,
                "memory": [list(triple[:3]) for triple in question.memory],
            }
            for question in graphs.questions
        ],
    }


def graphs_of(report: Report) -> SceneGraphs:
    """Return the graphs of a report; empty ones where it has none."""
    graphs = report.evidence.graphs if report.evidence else None
    return graphs or SceneGraphs(asked=Graph(), seen=Graph())


def _graph(graph: Graph) -> dict[str, Any]:
    return {
        "nodes": [_node(node) for node in graph.nodes],
        "edges": [
            {
                "id": edge.name,
                "source": edge.source,
                "relation": edge.relation,
                "target": edge.target,
            }
            for edge in graph.edges
        ],
    }


def _node(node: Node) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": node.name,
        "label": node.label,
        "attributes": [{"kind": each.kind, "value": each.value} for each in node.attributes],
    }
    if node.segment:
        document["segment"] = node.segment
    if node.absent:
        document["absent"] = True
    return document
