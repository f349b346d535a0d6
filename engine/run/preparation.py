"""Checks a request and finds out all that its run needs, before anything is started."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Failure, Generate, Role
from hallascope.engine.errors import NoQuestions
from hallascope.engine.events import UPLOADED, EvaluateRequest, MetricNotRun
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.run import concept_resolution, identity, pipeline, runnable_metrics
from hallascope.engine.run.knowledge_injection import inject_knowledge
from hallascope.engine.run.pipeline import Lineup
from hallascope.engine.run.validation import validate_request
from hallascope.engine.storage.store import PictureSlot, Store
from hallascope.metrics.base import Case, Metric


@dataclass(frozen=True, kw_only=True)
class PreparedRun:
    """Holds a request that was checked, with all it names.

    `slots` are the pictures of the run; `uploads` those that are there already, by slot.

    `metrics` are those that can say something of this prompt; `lineup` is who is asked, by role.
    `drawings`: what is asked of the model of each slot, or why it cannot be asked. `not_run`: the
    metrics that cannot run here. `vocabulary` is that of the detector. `files` are the names of the
    files that were brought, by slot.
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
        )


@dataclass(frozen=True, kw_only=True)
class RunPreparation:
    """Prepares runs on the models of a registry and the pictures of a store.

    `find_metric` raises BadRequest for a name it does not know, `find_questions` NoQuestions for a
    prompt that has none; `import_picture` checks a file that a person brings, and raises BadImage.
    With `skip_unavailable`, metrics that cannot run here are
    left out and named, as long as one can; else the first of them is a wrong request.
    """

    store: Store
    registry: ModelRegistry
    keys: ApiKeys
    find_metric: Callable[[str], Metric]
    find_questions: Callable[[str], QuestionSet]
    import_picture: Callable[[Path], Picture]
    skip_unavailable: bool

    def prepare(self, request: EvaluateRequest) -> PreparedRun:
        """Check a request and return its run.

        Raises BadRequest, BadImage, UnknownModel, Unavailable or StoreError.
        """
        request = validate_request(request)
        requested = tuple(self.find_metric(name) for name in request.metrics)
        request = pipeline.with_defaults(request, requested, self._can_run)
        not_run = self._lacking_models(request, requested)
        able = runnable_metrics.exclude_not_run(requested, not_run)
        request = pipeline.without_idle_models(request, able, requested)
        lineup = pipeline.for_run(request, able)
        for model, role in [*models_of_run(request, lineup), *pipeline.fixed_models(able)]:
            self.registry.require(model, role, self.keys)

        uploaded = [self.import_picture(path) for path in request.images]
        file_names = [path.name for path in request.images]
        reference = self.import_picture(request.reference) if request.reference else None
        request = self._with_pictures(request, uploaded, reference, able)
        if self.skip_unavailable:
            not_run = (*not_run, *runnable_metrics.lacking_reference(request, able))
            able = runnable_metrics.exclude_not_run(requested, not_run)

        slots, drawings = self._slots(request)
        upload_ids = [identity.upload_id(request.prompt, picture) for picture in uploaded]
        uploads = dict(zip(upload_ids, uploaded, strict=True))
        slots += [_upload_slot(name, request.prompt) for name in uploads]
        questions, notice = self._find_questions(request, able)
        run = identity.run_id(
            request=request,
            requested=requested,
            lineup=lineup,
            bind=self.registry.binder(self.keys),
            reference=reference,
            slots=slots,
            questions=questions,
            able=able,
        )
        return PreparedRun(
            run=run,
            request=request,
            slots=tuple(slots),
            uploads=uploads,
            metrics=tuple(
                metric
                for metric in able
                if not pipeline.lacks_judge(request, metric)
                and (questions or not metric.needs_questions)
            ),
            questions=questions,
            notice=notice,
            reference=reference,
            lineup=lineup,
            drawings=drawings,
            judge_ranks_choices=bool(request.judge and self.registry.spec(request.judge).ranks),
            not_run=not_run,
            vocabulary=self._vocabulary(lineup),
            files=dict(zip(upload_ids, file_names, strict=True)),
        )

    def _can_run(self, model: str) -> bool:
        return self.registry.unavailable_reason(model, self.keys) is None

    def _lacking_models(
        self, request: EvaluateRequest, requested: Sequence[Metric]
    ) -> tuple[MetricNotRun, ...]:
        if not self.skip_unavailable:
            return ()
        return runnable_metrics.lacking_models(
            request, requested, lambda model, role: self.registry.require(model, role, self.keys)
        )

    def _with_pictures(
        self,
        request: EvaluateRequest,
        uploaded: Sequence[Picture],
        reference: Picture | None,
        able: Sequence[Metric],
    ) -> EvaluateRequest:
        """Return the request with the files as they were imported, and with its concepts."""
        request = replace(
            request,
            images=tuple(picture.path for picture in uploaded),
            reference=reference.path if reference else None,
        )
        if not request.inject and not any(metric.needs_concepts for metric in able):
            return request
        factual = concept_resolution.resolve_concepts(
            request, self.store.keep_image, self.import_picture
        )
        return replace(request, factual=factual)

    def _slots(
        self, request: EvaluateRequest
    ) -> tuple[list[PictureSlot], dict[str, Generate | Failure]]:
        """Return the slots of all drawings, by model and seed, and what is asked for each."""
        bind = self.registry.binder(self.keys)
        slots: list[PictureSlot] = []
        drawings: dict[str, Generate | Failure] = {}
        injections = (None, *request.inject)
        for model, i, injection in product(request.models, range(request.count), injections):
            plain = Generate(request.prompt, request.seed + i)
            drawing = inject_knowledge(plain, injection, request.factual, self.registry.spec(model))
            identified = plain if isinstance(drawing, Failure) else drawing
            slot = identity.picture_slot(identified, bind(model), injection)
            slots.append(slot)
            drawings[slot.id] = drawing
        return slots, drawings

    def _find_questions(
        self, request: EvaluateRequest, able: Sequence[Metric]
    ) -> tuple[QuestionSet | None, str | None]:
        """Return the questions of the prompt, and one sentence where something has no score."""
        judged = [metric for metric in able if not pipeline.lacks_judge(request, metric)]
        unjudged = [metric.title for metric in able if metric not in judged]
        notice = None
        if unjudged and judged:
            notice = f"No judge is chosen: there is no score by {', '.join(unjudged)}."
        elif unjudged:
            notice = "No judge is chosen: the pictures are shown without a score."
        if not any(metric.needs_questions for metric in judged):
            return None, notice
        try:
            return self.find_questions(request.prompt), notice
        except NoQuestions as error:
            return None, str(error)

    def _vocabulary(self, lineup: Lineup) -> str:
        if "detector" not in lineup:
            return ModelSpec.vocabulary
        return self.registry.spec(lineup["detector"]).vocabulary


def models_of_run(request: EvaluateRequest, lineup: Lineup) -> list[tuple[str, Role]]:
    """Return all models of a run, with the roles they are to fill."""
    generators: list[tuple[str, Role]] = [(model, "generator") for model in request.models]
    return generators + [(model, role) for role, model in lineup.items()]


def _upload_slot(name: str, prompt: str) -> PictureSlot:
    return PictureSlot(id=name, prompt=prompt, model=UPLOADED, revision="", seed=0, settings={})
