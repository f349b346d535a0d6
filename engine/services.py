"""What pages and commands are given: models, an evaluation to watch, stored runs to look at.

It knows no page.
"""

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from hallascope import metrics
from hallascope.backends.base import Backend, HallaScopeError, Judge
from hallascope.backends.hub.download import HubClient
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.packs import read_packs
from hallascope.data.models.specs import BadModels, ModelSpec
from hallascope.data.outlines import Polygon
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Failure, Generate, Role
from hallascope.engine.deployment.hosting import public
from hallascope.engine.deployment.rate_limit import Allowance, KeptQuota, kept_limits, limits
from hallascope.engine.errors import (
    BadImage,
    BadRequest,
    NoQuestions,
    StoreError,
    UnknownRun,
    sentence,
)
from hallascope.engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    GeneratedPicture,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
    RunView,
    jsonable,
)
from hallascope.engine.images import regions as primer_regions
from hallascope.engine.images.uploads import accept
from hallascope.engine.models.custom import CustomModels, all_models
from hallascope.engine.models.downloads import ModelDownloader
from hallascope.engine.models.registry import NO_KEYS, ModelAvailability, ModelBinder, ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget, CostEstimate, SpendingPolicy
from hallascope.engine.questions.generation import NO_RUN, QuestionGenerationEvent, making
from hallascope.engine.questions.sets import QuestionSets
from hallascope.engine.run import concept_resolution, identity, pipeline, runnable_metrics
from hallascope.engine.run.driver import AnyPlan, Driver
from hallascope.engine.run.estimate import costs, estimate
from hallascope.engine.run.evaluation import EvaluationRun, PreparedRun, undone
from hallascope.engine.run.knowledge_injection import inject_knowledge
from hallascope.engine.run.pipeline import Lineup
from hallascope.engine.run.validation import checked_prompt, validate_request
from hallascope.engine.storage.ledger import Ledger
from hallascope.engine.storage.store import MetricHistoryEntry, PictureSlot, RunRecord, Store
from hallascope.metrics.base import Metric
from hallascope.metrics.ihalla import agents as making_plan
from hallascope.metrics.ihalla.reasoning import LabeledPicture

TERMS = SpendingPolicy()  # what holds where nobody says otherwise


class Services:
    """The engine as one object.

    `backends`: models that are loaded already; `kept`: how much of what visitors bring is kept.
    """

    def __init__(
        self,
        store: Store,
        models: Mapping[str, ModelSpec],
        backends: Mapping[str, Backend] | None = None,
        metric: Callable[[str], Metric] = metrics.get,
        allowance: Allowance | None = None,
        kept: KeptQuota | None = None,
    ) -> None:
        self.store = store
        self.sets = QuestionSets(store)
        self.roster = ModelRegistry(models, backends)
        self.getting = ModelDownloader(self.roster, read_packs(), HubClient)
        self.adding = CustomModels(self.roster, lambda: self.getting.hub)
        self.allowance = allowance or Allowance()
        self.kept = kept
        self._metric = metric

    # --- models
    # ----------------------------------------------------------------------------------------------

    def models(
        self, role: Role | None = None, keys: ApiKeys = NO_KEYS
    ) -> tuple[ModelAvailability, ...]:
        """All entries, or those of one role, each with why it cannot run here.

        Those of a whole service among them.
        """
        return self.roster.models(role, keys)

    def generators(self) -> tuple[ModelAvailability, ...]:
        return self.models("generator")

    def judges(self) -> tuple[ModelAvailability, ...]:
        return self.models("judge")

    def key_names(self) -> tuple[str, ...]:
        return self.roster.key_names()

    def unavailable_reason(self, name: str) -> str | None:
        """Why the model cannot run here, in one sentence; None: it can. Raises UnknownModel."""
        return self.roster.unavailable_reason(name)

    def judge(self, name: str) -> Judge:
        """The loaded judge of that name.

        Raises UnknownModel, BadRequest where it is no judge, Unavailable, BadWeights.
        """
        self.roster.require(name, "judge")
        backend = self.roster.backend(name)
        if not isinstance(backend, Judge):
            raise BadRequest(
                f"{name!r} is listed as a judge but cannot answer questions: mend its entry among"
                " the models."
            )
        return backend

    def seconds(self, model: str) -> float | None:
        """How long the model's pictures took here lately (median), for an estimate."""
        return self.store.seconds(model)

    # --- an evaluation
    # -----------------------------------------------------------------------------------------

    def evaluate(
        self,
        request: EvaluateRequest,
        stop: threading.Event | None = None,
        terms: SpendingPolicy = TERMS,
    ) -> Iterator[Event]:
        """Make the pictures, judge each as it arrives, store everything, and tell what happens.

        The request is checked at once: raises BadRequest, BadImage, UnknownModel, Unavailable or
        StoreError. A metric that cannot run here is left out and named in the first event, as long
        as another can run. The same request goes on where it was left, after any kind of end, and
        does nothing twice. `terms` may differ.
        """
        seat = self.roster.binder(terms.keys)
        setup = self.prepare(request, terms, skip=True)
        self.require_price_consent(_models_with_roles(setup.request, setup.lineup), terms)
        self.charge_quota(terms, lambda: undone(setup, self.store))
        purse = self.budget(setup.run, terms)
        runner = Driver(self.store, stop, purse=purse, claims=self.store.claims)
        return EvaluationRun(setup, self.store, seat, runner, purse).events()

    def estimate(self, request: EvaluateRequest, terms: SpendingPolicy = TERMS) -> CostEstimate:
        """What the request is likely to take of services that cost something.

        Raises what `evaluate` raises, but asks for no consent.
        """
        setup = self.prepare(request, terms, keep=False, skip=True)
        return estimate(setup, self.store, self.roster.spec, self.roster.binder(terms.keys))

    def prepare(
        self,
        request: EvaluateRequest,
        terms: SpendingPolicy = TERMS,
        keep: bool = True,
        skip: bool = False,
    ) -> PreparedRun:
        """Check a request and find out all that it needs; nothing is started.

        `keep`: whether pictures that are brought are stored. `skip`: metrics that cannot run here
        are left out and named, as long as one can; else the first of them is a wrong request.
        """
        request = validate_request(request)
        accept: Callable[[Path], Picture] = (
            partial(self.import_picture, terms=terms) if keep else self.inspect
        )
        seat = self.roster.binder(terms.keys)
        wanted = tuple(self.metric(name) for name in request.metrics)
        request = pipeline.with_defaults(
            request, wanted, lambda name: self.roster.unavailable_reason(name, terms.keys) is None
        )
        not_run = (
            runnable_metrics.lacking_models(
                request, wanted, partial(self.roster.require, keys=terms.keys)
            )
            if skip
            else ()
        )
        able = runnable_metrics.exclude_not_run(wanted, not_run)
        request = pipeline.without_idle_models(request, able, wanted)
        asking = pipeline.for_run(request, able)
        for name, role in [*_models_with_roles(request, asking), *pipeline.fixed_models(able)]:
            self.roster.require(name, role, terms.keys)
        brought = tuple(accept(path) for path in request.images)
        reference = accept(request.reference) if request.reference else None
        request = replace(
            request,
            images=tuple(p.path for p in brought),
            reference=reference.path if reference else None,
        )
        if request.inject or any(metric.needs_concepts for metric in able):
            request = replace(
                request,
                factual=concept_resolution.resolve_concepts(request, self.store.keep_image, accept),
            )
        if skip:
            not_run = (*not_run, *runnable_metrics.lacking_reference(request, able))
            able = runnable_metrics.exclude_not_run(wanted, not_run)
        places, drawings = self._places(request, seat)
        uploads = {identity.upload_id(request.prompt, picture): picture for picture in brought}
        places += [
            PictureSlot(
                id=name, prompt=request.prompt, model=UPLOADED, revision="", seed=0, settings={}
            )
            for name in uploads
        ]
        questions, notice = self._questions_for(request, able)
        run = identity.run_id(
            request=request,
            wanted=wanted,
            asking=asking,
            seat=seat,
            reference=reference,
            places=places,
            questions=questions,
            able=able,
        )
        able = tuple(
            m
            for m in able
            if not pipeline.lacks_judge(request, m) and (questions or not m.needs_questions)
        )
        ranks = request.judge is not None and self.roster.spec(request.judge).ranks
        known = (
            self.roster.spec(asking["detector"]).vocabulary
            if "detector" in asking
            else ModelSpec.vocabulary
        )
        return PreparedRun(
            run=run,
            request=request,
            places=tuple(places),
            uploads=uploads,
            metrics=able,
            questions=questions,
            notice=notice,
            reference=reference,
            lineup=asking,
            drawings=drawings,
            ranks=ranks,
            not_run=not_run,
            vocabulary=known,
        )

    def _places(
        self, request: EvaluateRequest, seat: ModelBinder
    ) -> tuple[list[PictureSlot], dict[str, Generate | Failure]]:
        """Return the places of all pictures, ordered by model and seed, and their requests."""
        places = list[PictureSlot]()
        drawings = dict[str, Generate | Failure]()
        for name, i, way in product(request.models, range(request.count), (None, *request.inject)):
            plain = Generate(request.prompt, request.seed + i)
            drawing = inject_knowledge(plain, way, request.factual, self.roster.spec(name))
            place = identity.place(
                plain if isinstance(drawing, Failure) else drawing, seat(name), way
            )
            places = [*places, place]
            drawings = {**drawings, place.id: drawing}
        return places, drawings

    def require_price_consent(
        self, named: Sequence[tuple[str, Role]], terms: SpendingPolicy
    ) -> None:
        """Raise BadRequest where a model's price is unknown, and the person did not allow that."""
        unpriced = [
            name
            for name, _ in named
            if costs(self.roster.spec(name)) and self.roster.spec(name).price is None
        ]
        if strange := [
            name
            for name in unpriced
            if public() and not terms.keys.is_session_key(self.roster.spec(name).key or "")
        ]:
            raise BadRequest(
                f"Nobody here knows what {strange[0]!r} costs, so it is asked with a key of your"
                " own alone: type one."
            )
        if unpriced and not terms.unpriced:
            raise BadRequest(
                f"Nobody here knows what {unpriced[0]!r} costs, so no cap holds for it: allow"
                " models without a known price (--unpriced), or give its price in a file of models"
                " (HALLASCOPE_MODELS)."
            )

    # --- visitors
    # ----------------------------------------------------------------------------------------------

    def charge_quota(self, terms: SpendingPolicy, number: Callable[[], int]) -> None:
        """Count pictures that are to be drawn or judged for the visitor whose terms these are.

        Raises OverLimit, a BadRequest.
        """
        if terms.visitor:
            self.allowance.take(terms.visitor, number())

    # --- money
    # ----------------------------------------------------------------------------------------------

    def caps(self, terms: SpendingPolicy = TERMS) -> tuple[float, float]:
        """What a run and what a day may cost at most, in USD. Raises BadRequest."""
        return terms.caps()

    def spent_today(self) -> float:
        """What all runs of this day (UTC) have cost, in USD."""
        return self.store.ledger.day()

    def budget(self, run: str, terms: SpendingPolicy, ledger: Ledger | None = None) -> Budget:
        """The purse of a run, with what it and the day have cost already.

        `ledger`: where it keeps account, that of the store.
        """
        return Budget(run, terms.caps(), ledger or self.store.ledger)

    def metric_unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Why the metric cannot be chosen here, in one sentence; None: it can.

        Raises BadRequest.
        """

        def reason(model: str) -> str | None:
            return self.roster.unavailable_reason(model, keys)

        def able(role: Role) -> bool:
            return any(
                role in spec.roles and reason(spec.id) is None
                for spec in self.roster.specs.values()
            )

        return runnable_metrics.unavailable_reason(self.metric(name), reason, able)

    def metric(self, name: str) -> Metric:
        """The metric of that name. Raises BadRequest."""
        try:
            return self._metric(name)
        except ValueError as error:
            raise BadRequest(sentence(error)) from error

    def _questions_for(
        self, request: EvaluateRequest, wanted: Sequence[Metric]
    ) -> tuple[QuestionSet | None, str | None]:
        """The questions of a prompt, or one sentence why there are none."""
        if not wanted:
            return None, None
        without = [metric for metric in wanted if pipeline.lacks_judge(request, metric)]
        if len(without) == len(wanted):
            return None, "No judge is chosen: the pictures are shown without a score."
        notice = (
            "No judge is chosen: there is no score by"
            f" {', '.join(metric.title for metric in without)}."
            if without
            else None
        )
        if not any(metric.needs_questions for metric in wanted if metric not in without):
            return None, notice
        try:
            return self.sets.for_prompt(request.prompt), notice
        except NoQuestions as sentence:
            return None, str(sentence)

    # --- making questions
    # --------------------------------------------------------------------------------------

    def reason_about(
        self,
        prompt: str,
        materials: Sequence[LabeledPicture],
        judge: str | None,
        writer: str,
        terms: SpendingPolicy = TERMS,
        *,
        stop: threading.Event | None = None,
    ) -> Iterator[QuestionGenerationEvent]:
        """What a judge knows about pictures of the prompt whose label is known, merged by a writer.

        Ends with `Reasoned`.

        Without pictures the writer reasons from the prompt alone. Raises what `evaluate` raises.
        """
        prompt = checked_prompt(prompt)
        if materials and judge is None:
            raise BadRequest(
                "No judge is chosen to look at the pictures: choose one, or take the pictures out."
            )
        self.charge_quota(terms, lambda: len(materials) + 1)
        named: list[tuple[str, Role]] = [(judge, "judge")] if materials and judge else []
        return self._make(
            making_plan.reason(prompt, materials),
            [*named, (writer, "writer")],
            terms,
            stop,
            materials,
        )

    def make_questions(
        self,
        prompt: str,
        reasoning: str,
        writer: str,
        terms: SpendingPolicy = TERMS,
        stop: threading.Event | None = None,
        *,
        draw: int = 0,
    ) -> Iterator[QuestionGenerationEvent]:
        """Five questions that a writer makes of the reasoning; ends with `Made`.

        Another `draw` makes others.
        """
        self.charge_quota(terms, lambda: 1)
        plan = making_plan.ask_questions(
            checked_prompt(prompt), reasoning, origin=f"made by {writer}", draw=draw
        )
        return self._make(plan, [(writer, "writer")], terms, stop)

    def _make(
        self,
        plan: AnyPlan,
        named: Sequence[tuple[str, Role]],
        terms: SpendingPolicy,
        stop: threading.Event | None,
        materials: Sequence[LabeledPicture] = (),
    ) -> Iterator[QuestionGenerationEvent]:
        seats, runner, purse = self.bind(named, terms, stop)
        return making(plan, seats, runner, purse, materials)

    def bind(
        self,
        named: Sequence[tuple[str, Role]],
        terms: SpendingPolicy = TERMS,
        stop: threading.Event | None = None,
    ) -> tuple[dict[Role, BoundModel], Driver, Budget]:
        """Bind models to their roles, with a driver for plans that are no run.

        It keeps their replies and pays them from one budget.

        Raises what `evaluate` raises.
        """
        for name, role in named:
            self.roster.require(name, role, terms.keys)
        self.require_price_consent(named, terms)
        seat = self.roster.binder(terms.keys)
        purse = self.budget(NO_RUN, terms)
        return (
            {role: seat(name) for name, role in named},
            Driver(self.store, stop, purse=purse, claims=self.store.claims),
            purse,
        )

    # --- what is stored
    # ----------------------------------------------------------------------------------------

    def view(self, run: str) -> RunView:
        """A stored run with its pictures and reports.

        A picture whose file did not come along has no path. Raises UnknownRun.
        """
        record = self.store.run(run)
        shots = tuple(map(_with_file, self.store.shots(run)))
        said = tuple(self.store.evaluations(run))
        return RunView(
            run=run,
            request=record.request,
            state=record.state,
            shots=shots,
            evaluations=said,
            questions=record.questions,
            notice=record.notice,
        )

    def metric_history(self, metric: str) -> list[MetricHistoryEntry]:
        """What a metric said in all runs, the newest first."""
        return self.store.metric_history(metric)

    def runs(self, limit: int = 20) -> list[RunRecord]:
        """The heads of the newest runs, newest first."""
        return self.store.runs(limit)

    def regions(self, image: str) -> Mapping[str, tuple[Polygon, ...]]:
        """Outlines of the parts of a picture by name, in [0, 1], for people to look at.

        {} where nobody knows them.
        """
        found = self.store.truth(image)
        return primer_regions.regions(found) if found else {}

    def import_picture(self, path: Path, terms: SpendingPolicy = TERMS) -> Picture:
        """Check and keep a picture that a person brings.

        Raises BadImage, OverLimit with one sentence.
        """
        png = accept(path)
        if there := self.store.picture(hashlib.sha256(png).hexdigest()):
            return there
        if self.kept is not None:
            self.kept.take(terms.visitor, len(png))
        return self.store.keep_image(png)

    def inspect(self, path: Path) -> Picture:
        """Check a picture that a person brings and keep nothing.

        Its name is that of the kept one, its file the one that was brought.

        Raises BadImage with one sentence.
        """
        return Picture(hashlib.sha256(accept(path)).hexdigest(), path)


def create_services(url: str | None = None) -> Services:
    """The services on the models of ``data/models/models.yaml``.

    `url`: any SQLAlchemy URL; None: SQLite under HALLASCOPE_HOME.
    """
    try:
        store = Store(url)
        kept = KeptQuota(kept_limits(), store.brought_bytes) if public() else None
        return Services(store, all_models(), allowance=Allowance(limits(public())), kept=kept)
    except BadModels as error:
        raise HallaScopeError(str(error)) from error


def _with_file(shot: GeneratedPicture) -> GeneratedPicture:
    return (
        shot
        if shot.path is None or shot.path.exists()
        else replace(shot, path=None, thumbnail=None)
    )


def _models_with_roles(request: EvaluateRequest, asking: Lineup) -> list[tuple[str, Role]]:
    """All models of a run, with the roles they are to fill."""
    return [
        *((name, "generator") for name in request.models),
        *((name, role) for role, name in asking.items()),
    ]


__all__ = [
    "BadImage",
    "BadRequest",
    "EvaluateRequest",
    "Evaluated",
    "Evaluation",
    "EvaluationFailed",
    "Event",
    "Finished",
    "GeneratedPicture",
    "Generating",
    "Judged",
    "ModelAvailability",
    "NoQuestions",
    "PictureFailed",
    "Pictured",
    "Polygon",
    "Queued",
    "RunRecord",
    "RunView",
    "Services",
    "StoreError",
    "UnknownRun",
    "create_services",
    "jsonable",
]
