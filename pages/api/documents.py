"""Builds what the API and its tools answer, one JSON document a question, without running a model.

The documents are those that the command line prints.
"""

from functools import partial
from typing import Any

from hallascope.data.requests import ROLES
from hallascope.engine.documents.evaluation import evaluation_document
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Evaluation, jsonable
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import compare_models
from hallascope.engine.leaderboard.documents import leaderboard_document
from hallascope.engine.leaderboard.filters import Query, check_groups
from hallascope.engine.leaderboard.judges import row_reliability
from hallascope.engine.leaderboard.label_correction import correct_by_people
from hallascope.engine.leaderboard.options import require_known_names
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services


def models(services: Services, role: str = "") -> dict[str, Any]:
    """Return every model, or those of one role, with why it cannot run here.

    Raises BadRequest where there is no such role.
    """
    known = next((name for name in ROLES if name == role), None)
    if role and known is None:
        raise BadRequest(f"There is no role {role!r}: choose one of {', '.join(ROLES)}.")
    return {"models": [model.document for model in services.registry.models(known)]}


def evidence(services: Services, image: str, metric: str = "") -> dict[str, Any]:
    """Return what is stored of a picture (its SHA-256), of one metric or of all.

    Every evaluation is as `hallascope evaluate --json` prints it. Where several runs evaluated the
    picture by the same models, version and questions, the last evaluation stands for all. Raises
    BadRequest where nothing is known of the picture.
    """
    shots = services.store.generated_pictures_of_image(image)
    picture = services.store.picture(image) if shots else None
    if picture is None:
        raise BadRequest(
            f"No image {image!r} is stored here: give the SHA-256 that an evaluation tells of its"
            " image."
        )
    latest = {_conditions(each): each for each in services.store.evaluations_of([image])}
    metrics = {evaluation.metric for evaluation in latest.values()}
    if metric and metric not in metrics:
        raise BadRequest(
            f"Nothing is stored of this image by {metric!r}"
            f" (known: {', '.join(sorted(metrics)) or 'none'}): evaluate it by that metric first."
        )
    evaluations = tuple(each for each in latest.values() if metric in ("", each.metric))
    document = evaluation_document(
        RunResult(
            run="",
            request=EvaluateRequest(prompt=""),
            shots=tuple(shots),
            evaluations=evaluations,
        ),
        truths=partial(report_truths, services.store),
        reliability=ReliabilityLookup(services).of_evaluation,
    )
    return dict(
        jsonable(
            {
                "sha256": image,
                "image": picture.path,
                "evaluations": document["evaluations"],
                "judge_errors": document["judge_errors"],
                "failures": document["failures"],
            }
        )
    )


def _conditions(evaluation: Evaluation) -> tuple[object, ...]:
    """Return what tells an evaluation from others: of two that agree in it the last is shown."""
    return (
        evaluation.generation,
        evaluation.metric,
        evaluation.judge,
        tuple(sorted(evaluation.lineup.items())),
        evaluation.trial,
        evaluation.report.version,
        tuple(verdict.question for verdict in evaluation.report.verdicts),
    )


def leaderboard(services: Services, query: Query, corrected: bool = False) -> dict[str, Any]:
    """Return a leaderboard as `hallascope leaderboard --published --json` prints it.

    `corrected`: as it does with `--corrected`.

    Raises BadRequest where a name in the query is not known.
    """
    check_groups(query)
    source = demo.leaderboard_source(services.store, filters=query.filters)
    require_known_names(source.store, query)
    ranking = board(source.store, query)
    document = leaderboard_document(
        ranking,
        source.demo,
        published=True,
        reliability=row_reliability(source.store, ranking, ReliabilityLookup(services).find),
        comparisons=compare_models(source.store, ranking),
        label_correction=correct_by_people(source.store, ranking) if corrected else None,
    )
    return dict(jsonable(document))
