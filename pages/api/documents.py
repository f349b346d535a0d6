"""Builds what programs are told, one JSON document a question; it runs nothing.

It is the same over the command line, over HTTP and as a tool.
"""

from typing import Any

from hallascope.cli.commands.leaderboard import as_document
from hallascope.cli.output.printing import EvaluationSummary, model_json
from hallascope.data.requests import ROLES, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, Evaluation, Pictured, Queued, jsonable
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import board, check_groups
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.name_check import require_known_names
from hallascope.engine.services import Services


def models(services: Services, role: str = "") -> dict[str, Any]:
    """Every model, or those of one role, with why it cannot run here.

    Raises BadRequest where there is no such role.
    """
    return {"models": [model_json(model) for model in services.models(_role(role))]}


def _role(name: str) -> Role | None:
    found = next((role for role in ROLES if role == name), None)
    if name and found is None:
        raise BadRequest(f"There is no role {name!r}: choose one of {', '.join(ROLES)}.")
    return found


def evidence(services: Services, image: str, metric: str = "") -> dict[str, Any]:
    """Return what is stored of a picture (its SHA-256), of one metric or of all.

    Every evaluation is as `hallascope evaluate --json` prints it.

    What several runs said alike is told once, as it was said last. Raises BadRequest where nothing
    is known of the picture.
    """
    shots = services.store.shots_showing(image)
    picture = services.store.picture(image) if shots else None
    if picture is None:
        raise BadRequest(
            f"No picture {image!r} is stored here: give the SHA-256 that an evaluation tells of its"
            " picture."
        )
    said = {_kind(one): one for one in services.store.evaluations_of([image])}
    if metric and metric not in {one.metric for one in said.values()}:
        there = ", ".join(sorted({one.metric for one in said.values()})) or "none"
        raise BadRequest(
            f"Nothing is stored of this picture by {metric!r} (known: {there}): evaluate it by that"
            " metric first."
        )
    outcome = EvaluationSummary()
    outcome.add(Queued(run="", shots=tuple(shots), evaluations=len(said)))
    for shot in shots:
        outcome.add(Pictured("", shot, cached=True))
    for one in said.values():
        if metric in ("", one.metric):
            outcome.add(Evaluated("", one))
    told = outcome.json()
    document = {
        "sha256": image,
        "image": picture.path,
        "evaluations": told["evaluations"],
        "failures": told["failures"],
    }
    return dict(jsonable(document))


def _kind(said: Evaluation) -> tuple[object, ...]:
    """What two evaluations of a picture have in common that say the same thing of it."""
    return said.generation, said.metric, said.judge, tuple(sorted(said.lineup.items())), said.trial


def leaderboard(services: Services, query: Query) -> dict[str, Any]:
    """A leaderboard as `hallascope leaderboard --published --json` prints it.

    Raises BadRequest where a name in the query is not known.
    """
    check_groups(query)
    found = demo.source(services.store)
    shown = board(found.store, require_known_names(found.store, query))
    return dict(jsonable(as_document(shown, found, published=True)))
