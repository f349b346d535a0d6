"""Identifies runs and pictures by hashes of all that they depend on. It asks nobody."""

import hashlib
import json
from collections.abc import Sequence

from hallascope.data.models.specs import Knowledge
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Generate
from hallascope.engine.events import UPLOADED, EvaluateRequest, jsonable
from hallascope.engine.models.registry import ModelBinder
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run import cache, pipeline
from hallascope.engine.run.pipeline import Lineup
from hallascope.engine.storage.store import INJECTED, PictureSlot
from hallascope.metrics.base import Metric


def place(drawing: Generate, seat: BoundModel, way: Knowledge | None) -> PictureSlot:
    """Return where a picture belongs: equal requests to a model have the same place.

    They are the same drawing with the same settings.
    """
    settings = {**seat.settings, INJECTED: way} if way else seat.settings
    key = cache.key(drawing, seat.model, seat.revision, settings)
    return PictureSlot(
        id=key[:20],
        prompt=drawing.prompt,
        model=seat.model,
        revision=seat.revision,
        seed=drawing.seed,
        settings=settings,
    )


def _versions(
    request: EvaluateRequest,
    wanted: Sequence[Metric],
    asking: Lineup,
    seat: ModelBinder,
    reference: Picture | None,
) -> list[object]:
    """Holds what a run depends on beside its pictures, questions and who fills the newer roles."""
    lookers = [
        (name, seat(name).revision) if name else None
        for name in (asking.get("judge"), asking.get("writer"))
    ]
    return [
        request.prompt,
        [(m.name, m.version) for m in wanted],
        lookers,
        request.trials,
        reference.sha256 if reference else None,
    ]


def _more(asking: Lineup, seat: ModelBinder) -> list[object]:
    """Who fills the roles that came after judge and writer.

    Nothing where nobody does: the run keeps the id it had before them.
    """
    others = [
        (role, name, seat(name).revision)
        for role, name in asking.items()
        if role not in ("judge", "writer")
    ]
    return [others] if others else []


def _prompt_context(request: EvaluateRequest, wanted: Sequence[Metric]) -> list[object]:
    """The concepts, their pictures and the task, where a metric is given them.

    Nothing else depends on them.
    """
    factual = request.factual
    if factual is None or not any(metric.needs_concepts for metric in wanted):
        return []
    shown = [
        (concept.name, concept.reference.sha256 if concept.reference else None)
        for concept in factual.concepts
    ]
    return [[factual.task, factual.task_text, shown, jsonable(factual.checks)]]


def run_id(
    request: EvaluateRequest,
    wanted: Sequence[Metric],
    asking: Lineup,
    seat: ModelBinder,
    reference: Picture | None,
    *,
    places: Sequence[PictureSlot],
    questions: QuestionSet | None,
    able: Sequence[Metric] | None = None,
) -> str:
    """A hash of a request and of the versions of all it names: the same again is the same run.

    `able`: the metrics that can run here (None: all); of the models of the others no version is
    known.
    """
    asked = jsonable(questions.questions) if questions else None
    own = [
        (name, seat(name).revision)
        for name, _ in pipeline.fixed_models(wanted if able is None else able)
    ]
    more = [*_more(asking, seat), *_prompt_context(request, wanted), *own]
    whole = [
        *_versions(request, wanted, asking, seat, reference),
        [place.id for place in places],
        asked,
        *more,
    ]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:12]


def upload_id(prompt: str, picture: Picture) -> str:
    """Return the place of an imported picture, by its bytes and the prompt it is held against."""
    return hashlib.sha256(f"{UPLOADED} {picture.sha256} {prompt}".encode()).hexdigest()[:20]
