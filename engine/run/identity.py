"""Identifies runs and pictures by hashes of all that they depend on."""

import hashlib
import json
from collections.abc import Sequence

from hallascope.data.models.specs import Knowledge
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Generate
from hallascope.engine.events import UPLOADED, EvaluateRequest, ImageOrigin, jsonable
from hallascope.engine.models.registry import ModelBinder
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run import pipeline
from hallascope.engine.run.calls import cache
from hallascope.engine.run.pipeline import Lineup
from hallascope.engine.storage.scores import INJECTED
from hallascope.engine.storage.store import PictureSlot
from hallascope.metrics.base import Metric
from hallascope.metrics.fig.report import NAME as FIG


def picture_slot(drawing: Generate, model: BoundModel, injection: Knowledge | None) -> PictureSlot:
    """Return where a picture belongs: equal requests to a model have the same slot.

    They are the same drawing with the same settings.
    """
    settings = {**model.settings, INJECTED: injection} if injection else model.settings
    key = cache.key(drawing, model.model, model.revision, settings)
    return PictureSlot(
        id=key[:20],
        prompt=drawing.prompt,
        model=model.model,
        revision=model.revision,
        seed=drawing.seed,
        settings=settings,
    )


def run_id(
    request: EvaluateRequest,
    requested: Sequence[Metric],
    lineup: Lineup,
    bind: ModelBinder,
    reference: Picture | None,
    *,
    slots: Sequence[PictureSlot],
    questions: QuestionSet | None,
    able: Sequence[Metric],
    reading: PromptReading | None = None,
) -> str:
    """Return a hash of a request and of the versions of all it names.

    The same again is the same run. `able`: the metrics that can run here; of the models of the
    others no version is known. `reading`: what a person says that the prompt asks for. What came
    later than the first stores stands at the end, and only where it is used, so that runs keep the
    ids they had before.
    """

    def version(model: str) -> tuple[str, str]:
        return model, bind(model).revision

    judge = lineup.get("judge")
    writer = lineup.get("writer")
    parts: list[object] = [
        request.prompt,
        [(metric.name, metric.version) for metric in requested],
        [version(judge) if judge else None, version(writer) if writer else None],
        request.trials,
        reference.sha256 if reference else None,
        [slot.id for slot in slots],
        _question_parts(questions) if questions else None,
    ]
    later_roles = {role: lineup[role] for role in lineup if role not in ("judge", "writer")}
    if later_roles:
        parts.append([(role, *version(model)) for role, model in later_roles.items()])
    parts += _concept_parts(request, requested)
    parts += [version(model) for model, _ in pipeline.fixed_models(able)]
    if reading is not None:
        parts.append(["reading", jsonable(reading)])
    if any(metric.reads_prompt for metric in requested):
        policy = (request.prompt_reader, request.accept_readings)
        if policy != ("auto", False):
            parts.append(["prompt reader", *policy])
    if request.fig_attributes and any(metric.name == FIG for metric in requested):
        parts.append(["fig attributes", jsonable(sorted(request.fig_attributes))])
    return _hash(json.dumps(parts, sort_keys=True), length=12)


def _question_parts(questions: QuestionSet) -> list[object]:
    """Return the questions; what they depend on came later and stands where there is any."""
    return [
        {name: value for name, value in jsonable(question).items() if name != "parents" or value}
        for question in questions.questions
    ]


def _concept_parts(request: EvaluateRequest, requested: Sequence[Metric]) -> list[object]:
    """Return the concepts, their pictures and the task, where a metric is given them.

    Nothing else depends on them.
    """
    factual = request.factual
    if factual is None or not any(metric.needs_concepts for metric in requested):
        return []
    pictures = [
        (concept.name, concept.reference.sha256 if concept.reference else None)
        for concept in factual.concepts
    ]
    return [[factual.task, factual.task_text, pictures, jsonable(factual.checks)]]


def upload_id(prompt: str, picture: Picture) -> str:
    """Return the slot of an imported picture, by its bytes and the prompt it is held against."""
    return _hash(f"{UPLOADED} {picture.sha256} {prompt}", length=20)


def origin_id(prompt: str, origin: ImageOrigin) -> str:
    """Return the slot of an image that exists already: its model, prompt, seed and bytes.

    The name of the file does not matter, so that the same image is known wherever it lies.
    """
    parts = ["origin", origin.model, prompt, origin.seed, origin.sha256]
    return _hash(json.dumps(parts), length=20)


def _hash(text: str, length: int) -> str:
    """Return the first hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]
