"""Checks a request and finds out all that its run needs, before anything is started."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import Knowledge, ModelSpec
from hallascope.data.prompt_reading import PromptReading, fit_to_prompt
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Failure, Generate, Role
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.events import UPLOADED, EvaluateRequest, ImageOrigin, MetricNotRun, jsonable
from hallascope.engine.models.registry import ModelBinder, ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run import concept_resolution, pipeline
from hallascope.engine.run.calls import cache
from hallascope.engine.run.concept_resolution import inject_knowledge
from hallascope.engine.run.pipeline import Lineup
from hallascope.engine.run.validation import validate_request
from hallascope.engine.storage.scores import INJECTED
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.base import Case, Metric
from hallascope.metrics.fig.report import NAME as FIG


@dataclass(frozen=True, kw_only=True)
class PreparedRun:
    """Holds a request that was checked, with all it names.

    `slots` are the pictures of the run; `uploads` those that are there already, by slot.

    `metrics` are those that can say something of this prompt; `lineup` is who is asked, by role.
    `drawings`: what is asked of the model of each slot, or why it cannot be asked. `not_run`: the
    metrics that cannot run here. `vocabulary` is that of the detector. `files` are the names of the
    files that were brought, by slot. `reading`: what a person says that the prompt asks for, None
    where the rules read it or no metric depends on it. `has_own_questions`: the questions are those
    of a visitor alone or of a probe, so that leaderboards count no score that rests on them.
    """

    run: str
    request: EvaluateRequest
    slots: tuple[PictureSlot, ...]
    uploads: Mapping[str, Picture]
    metrics: tuple[Metric, ...]
    questions: QuestionSet | None = None
    notice: str | None = None
    reference: Picture | None = None
    lineup: Lineup = field(default_factory=dict)
    drawings: Mapping[str, Generate | Failure] = field(default_factory=dict)
    judge_ranks_choices: bool = False
    not_run: tuple[MetricNotRun, ...] = ()
    vocabulary: str = ModelSpec.vocabulary
    files: Mapping[str, str] = field(default_factory=dict)
    reading: PromptReading | None = None
    has_own_questions: bool = False

    @property
    def evaluations(self) -> int:
        return len(self.slots) * len(self.metrics) * self.request.trials

    def case(self, picture: Picture, metric: Metric) -> Case:
        """Return what a metric is given of one picture."""
        return Case(
            prompt=self.request.prompt,
            image=picture,
            questions=self.questions.questions if self.questions else (),
            reference=self.reference,
            factual=self.request.factual if metric.needs_concepts else None,
            roles=frozenset(pipeline.for_metric(self.request, metric)),
            judge_ranks_choices=self.judge_ranks_choices,
            vocabulary=self.vocabulary,
            reading=self.reading if metric.reads_prompt else None,
            prompt_reader=self.request.prompt_reader or "auto",
            accept_readings=self.request.accept_readings,
            object_attributes=self.request.fig_attributes,
        )


@dataclass(frozen=True, kw_only=True)
class _Selection:
    """Holds a request whose roles are filled, and which of its metrics can run here."""

    request: EvaluateRequest
    requested: tuple[Metric, ...]
    able: tuple[Metric, ...]
    not_run: tuple[MetricNotRun, ...]
    lineup: Lineup

    @property
    def judged(self) -> list[Metric]:
        """Return the metrics that can run, without those that lack a judge."""
        return [metric for metric in self.able if not pipeline.lacks_judge(self.request, metric)]


@dataclass(frozen=True, kw_only=True)
class _Upload:
    """Holds a picture that a person brings, where it belongs, and the name of its file."""

    slot: PictureSlot
    picture: Picture
    file_name: str


@dataclass(frozen=True, kw_only=True)
class RunPreparation:
    """Prepares runs on the models of a registry and the pictures of a store.

    `find_metric` gives a metric by its name under the wording of a pack, and raises BadRequest for
    a name it does not know; `find_questions` raises NoQuestions for a prompt that has none;
    `import_picture` checks a file that a person brings, and raises BadImage. With
    `skip_unavailable`, metrics that cannot run here are left out and named, as long as one can;
    else the first of them is a wrong request.
    """

    store: Store
    registry: ModelRegistry
    keys: ApiKeys
    find_metric: Callable[[str, str], Metric]
    find_questions: Callable[[str], QuestionSet]
    import_picture: Callable[[Path], Picture]
    skip_unavailable: bool

    def prepare(self, request: EvaluateRequest) -> PreparedRun:
        """Check a request and return its run.

        Raises BadRequest, BadImage, UnknownModel, Unavailable or StoreError.
        """
        selection = self._select_models(validate_request(request))
        uploads = self._import_uploads(selection.request)
        reference = self.import_picture(request.reference) if request.reference else None
        selection = self._add_pictures(selection, uploads, reference)
        request = selection.request

        drawings = self._plan_drawings(request)
        upload_slots = {upload.slot.id: upload.slot for upload in uploads}
        slots = (*(slot for slot, _ in drawings), *upload_slots.values())
        questions, notice = self._find_questions(selection)
        reading = self._find_reading(selection)
        detector = selection.lineup.get("detector")
        run = run_id(
            request=request,
            requested=selection.requested,
            lineup=selection.lineup,
            bind=self.registry.binder(self.keys),
            reference=reference,
            slots=slots,
            questions=questions,
            able=selection.able,
            reading=reading,
        )
        return PreparedRun(
            run=run,
            request=request,
            slots=slots,
            uploads={upload.slot.id: upload.picture for upload in uploads},
            metrics=tuple(
                metric for metric in selection.judged if questions or not metric.needs_questions
            ),
            questions=questions,
            notice=notice,
            reference=reference,
            lineup=selection.lineup,
            drawings={slot.id: drawing for slot, drawing in drawings},
            judge_ranks_choices=bool(request.judge and self.registry.spec(request.judge).ranks),
            not_run=selection.not_run,
            vocabulary=self.registry.spec(detector).vocabulary
            if detector
            else ModelSpec.vocabulary,
            files={upload.slot.id: upload.file_name for upload in uploads},
            reading=reading,
        )

    def _select_models(self, request: EvaluateRequest) -> _Selection:
        """Fill the roles of a request, and check that all its models can run here."""

        def can_run(model: str) -> bool:
            return self.registry.unavailable_reason(model, self.keys) is None

        def require(model: str, role: Role) -> None:
            self.registry.require(model, role, self.keys)

        requested = tuple(self.find_metric(name, request.wording) for name in request.metrics)
        request = pipeline.with_defaults(request, requested, can_run, self.registry.fills)
        not_run: tuple[MetricNotRun, ...] = ()
        if self.skip_unavailable:
            not_run = pipeline.lacking_models(request, requested, require)
        able = pipeline.exclude_not_run(requested, not_run)
        request = pipeline.without_idle_models(request, able, requested)
        lineup = pipeline.for_run(request, able)
        for model, role in [*models_of_run(request, lineup), *pipeline.fixed_models(able)]:
            require(model, role)
        return _Selection(
            request=request, requested=requested, able=able, not_run=not_run, lineup=lineup
        )

    def _import_uploads(self, request: EvaluateRequest) -> list[_Upload]:
        origins = request.origins or (None,) * len(request.images)
        return [
            self._import_upload(path, origin, request)
            for path, origin in zip(request.images, origins, strict=True)
        ]

    def _import_upload(
        self, path: Path, origin: ImageOrigin | None, request: EvaluateRequest
    ) -> _Upload:
        """Return the slot of an image; one of a known origin that is kept is not read again."""
        kept = self.store.images.find(path) if origin else None
        picture = kept or self.import_picture(path)
        prompt = request.prompt
        slot = PictureSlot(
            id=origin_id(prompt, origin) if origin else upload_id(prompt, picture),
            prompt=prompt,
            model=origin.model if origin else UPLOADED,
            revision="",
            seed=origin.seed if origin else 0,
            settings=origin.settings if origin else {},
        )
        return _Upload(
            slot=slot, picture=picture, file_name=Path(origin.file if origin else path).name
        )

    def _add_pictures(
        self, selection: _Selection, uploads: Sequence[_Upload], reference: Picture | None
    ) -> _Selection:
        """Return the selection with the files as they were imported, and with its concepts.

        Metrics that lack a reference then are left out where that is allowed.
        """
        request = replace(
            selection.request,
            images=tuple(upload.picture.path for upload in uploads),
            reference=reference.path if reference else None,
        )
        if request.inject or any(metric.needs_concepts for metric in selection.able):
            factual = concept_resolution.resolve_concepts(
                request, self.store.keep_image, self.import_picture
            )
            request = replace(request, factual=factual)
        if not self.skip_unavailable:
            return replace(selection, request=request)
        lacking = pipeline.lacking_reference(request, selection.able)
        not_run = (*selection.not_run, *lacking)
        able = pipeline.exclude_not_run(selection.requested, not_run)
        return replace(selection, request=request, able=able, not_run=not_run)

    def _plan_drawings(
        self, request: EvaluateRequest
    ) -> list[tuple[PictureSlot, Generate | Failure]]:
        """Return the slots to fill with what is asked of their models, or why it cannot be.

        They are by model, then by seed, first as it is, then injected.
        """
        bind = self.registry.binder(self.keys)
        injections = (None, *request.inject)
        drawings = []
        for model, i, injection in product(request.models, range(request.count), injections):
            plain = Generate(request.prompt, request.seed + i)
            drawing = inject_knowledge(plain, injection, request.factual, self.registry.spec(model))
            identified = plain if isinstance(drawing, Failure) else drawing
            drawings.append((picture_slot(identified, bind(model), injection), drawing))
        return drawings

    def _find_questions(self, selection: _Selection) -> tuple[QuestionSet | None, str | None]:
        """Return the questions of the prompt, and one sentence where something has no score."""
        judged = selection.judged
        unjudged = [metric.title for metric in selection.able if metric not in judged]
        notice = None
        if unjudged and judged:
            notice = f"No judge is chosen: there is no score by {', '.join(unjudged)}."
        elif unjudged:
            notice = "No judge is chosen: the images are shown without a score."
        if not any(metric.needs_questions for metric in judged):
            return None, notice
        try:
            return self.find_questions(selection.request.prompt), notice
        except NoQuestions as error:
            return None, str(error)

    def _find_reading(self, selection: _Selection) -> PromptReading | None:
        """Return what a person says that the prompt asks for, where a metric depends on it.

        Raises BadRequest where a reading is given that no metric depends on.
        """
        request = selection.request
        if request.reading and not any(metric.reads_prompt for metric in selection.requested):
            raise BadRequest(
                "A reading of the prompt is given, but none of the metrics uses one: add fig,"
                " scene-graph or tifa, or leave it out."
            )
        if not any(metric.reads_prompt for metric in selection.able):
            return None
        reading = request.reading or self.store.readings.newest(request.prompt)
        return fit_to_prompt(reading, request.prompt) if reading else None


def models_of_run(request: EvaluateRequest, lineup: Lineup) -> list[tuple[str, Role]]:
    """Return all models of a run, with the roles they are to fill."""
    generators: list[tuple[str, Role]] = [(model, "generator") for model in request.models]
    return generators + [(model, role) for role, model in lineup.items()]


# --- the ids of runs and images, which are hashes of all that they depend on ---


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
