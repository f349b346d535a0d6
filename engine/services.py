"""Gives pages and commands the engine: models, an evaluation to watch, stored runs to look at."""

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from hallascope import metrics
from hallascope.backends.base import Backend, HallaScopeError, Unavailable
from hallascope.backends.hub.download import HubClient
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.packs import read_packs
from hallascope.data.models.specs import BadModels, ModelSpec
from hallascope.data.outlines import Polygon
from hallascope.data.records import Picture, QuestionSet
from hallascope.data.requests import Request, Role
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import WordingPack, find_pack, pack_names
from hallascope.data.wordings.templates import TemplateError
from hallascope.engine.access.limits import MEGABYTE, Quotas
from hallascope.engine.access.visitors import Signer, Visitor
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import (
    BadRequest,
    NoQuestions,
    refuse,
)
from hallascope.engine.events import (
    EvaluateRequest,
    Event,
)
from hallascope.engine.images.true_answers import drawing_regions
from hallascope.engine.images.uploads import accept, encoded_again
from hallascope.engine.models.custom import CustomModels, all_models
from hallascope.engine.models.downloads import ModelDownloader
from hallascope.engine.models.registry import NO_KEYS, ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget, SpendingPolicy
from hallascope.engine.money.spending import CostEstimate
from hallascope.engine.questions.generation import (
    DEFAULT_POLICY,
    NO_RUN,
    QuestionGenerationEvent,
    QuestionMaker,
)
from hallascope.engine.questions.sets import QuestionSets
from hallascope.engine.questions.unreviewed import (
    likely_question_requests,
    likely_questions,
    write_unreviewed,
)
from hallascope.engine.run import pipeline
from hallascope.engine.run.calls.call_queue import questions_in_flight
from hallascope.engine.run.driver import Driver
from hallascope.engine.run.estimate import (
    NOTHING_BOUGHT,
    costs,
    estimate,
    require_answers,
    require_judging,
    require_money,
    require_price_consent,
)
from hallascope.engine.run.evaluation import EvaluationRun, count_unfinished
from hallascope.engine.run.preparation import PreparedRun, RunPreparation, models_of_run
from hallascope.engine.run.primer_prompts import (
    UnderstoodRequest,
    cannot_be_drawn,
    understand_request,
)
from hallascope.engine.run.result import RunResult
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.storage.ledger import Ledger
from hallascope.engine.storage.store import Store
from hallascope.engine.trials.accuracies import member_accuracies
from hallascope.metrics.base import Metric
from hallascope.metrics.juries.votes import VoteRule

# bytes that an image which is drawn or judged is likely to take in the store at most
LIKELY_BYTES = MEGABYTE // 2


class Services:
    """Offers the engine as one object.

    `backends`: models that are loaded already; `quotas`: what visitors of a public app have used,
    None where nothing is counted. `visitor` is who asks, None where it is the operator.
    """

    def __init__(
        self,
        store: Store,
        models: Mapping[str, ModelSpec],
        backends: Mapping[str, Backend] | None = None,
        metric: Callable[..., Metric] = metrics.get,
        quotas: Quotas | None = None,
    ) -> None:
        self.quotas = quotas
        self._metric = metric
        self.registry = ModelRegistry(models, backends, self._accuracies)
        store.database.quotas = quotas
        self.store = store

    @property
    def visitor(self) -> Visitor | None:
        return self.store.database.visitor

    @property
    def sets(self) -> QuestionSets:
        return QuestionSets(self.store)

    @property
    def question_maker(self) -> QuestionMaker:
        return QuestionMaker(self.bind, self.charge_quota)

    @cached_property
    def downloads(self) -> ModelDownloader:
        return ModelDownloader(self.registry, read_packs(), HubClient)

    @cached_property
    def custom_models(self) -> CustomModels:
        return CustomModels(self.registry, lambda: self.downloads.hub)

    @cached_property
    def signer(self) -> Signer:
        """Signs what the app hands out, with the secret of the store."""
        return Signer(self.store.folder)

    def acting_for(self, visitor: Visitor | None) -> "Services":
        """Return the same services as a visitor of a public app may use them.

        What is written is the visitor's, and only that is changed; None is the operator.
        """
        if visitor == self.visitor:
            return self
        acting = copy(self)
        acting.store = self.store.acting_for(visitor)
        return acting

    def _own(self, terms: SpendingPolicy) -> "Services":
        """Return the services of who asks: whom the terms name, else whom these act for."""
        return self.acting_for(terms.visitor or self.visitor)

    def _accuracies(self, rule: VoteRule, judges: Sequence[str]) -> Mapping[str, float]:
        """Return how often the members of a jury are right, where that is known."""
        return member_accuracies(
            self.store.folder, rule, judges, lambda judge: self.registry.bind(judge).revision
        )

    # --- metrics

    def metric(self, name: str, wording: str = OURS) -> Metric:
        """Return the metric of that name under the wording of a pack. Raises BadRequest."""
        pack = self.wording_pack(wording)
        with refuse(ValueError):
            return self._metric(name, pack) if pack else self._metric(name)

    def wordings(self) -> tuple[str, ...]:
        """Return the names of the packs of wordings: those that ship, and those of this store."""
        return pack_names(self._wordings_home)

    def wording_pack(self, name: str) -> WordingPack | None:
        """Return the pack of that name or in that folder, None for ours. Raises BadRequest.

        A public app reads no folder that a visitor names.
        """
        if name == OURS:
            return None
        if public() and name not in self.wordings():
            raise BadRequest(
                f"There is no pack of wordings {name!r} here: choose one of"
                f" {', '.join(self.wordings())}."
            )
        with refuse(TemplateError):
            return find_pack(name, self._wordings_home)

    def wording_texts(self, name: str) -> Path | None:
        """Return the folder of a pack's texts, None for ours. Raises BadRequest."""
        pack = self.wording_pack(name)
        return pack.folder if pack else None

    @property
    def _wordings_home(self) -> Path:
        return self.store.folder / "wordings"

    def metric_unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Return why the metric cannot be chosen here, in one sentence; None: it can.

        Raises BadRequest.
        """

        def model_reason(model: str) -> str | None:
            return self.registry.unavailable_reason(model, keys)

        def has_model(role: Role) -> bool:
            return any(
                spec.fills(role) and model_reason(spec.id) is None
                for spec in self.registry.specs.values()
            )

        return pipeline.unavailable_reason(self.metric(name), model_reason, has_model)

    # --- an evaluation

    def evaluate(
        self,
        request: EvaluateRequest,
        stop: threading.Event | None = None,
        terms: SpendingPolicy = DEFAULT_POLICY,
        find_questions: Callable[[str], QuestionSet] | None = None,
    ) -> Iterator[Event]:
        """Make the pictures, judge each as it arrives, store everything, and tell what happens.

        The request is checked at once: raises BadRequest, BadImage, UnknownModel, Unavailable or
        StoreError. A metric that cannot run here is left out and named in the first event, as long
        as another can run. The same request goes on where it was left, after any kind of end, and
        does nothing twice. `terms` may differ. `find_questions` gives the questions of the prompt,
        those of the store without it.
        """
        store = self._own(terms).store
        prepared = self.prepare(
            request, terms, skip_unavailable=True, find_questions=find_questions
        )
        self.require_price_consent(models_of_run(prepared.request, prepared.lineup), terms)
        budget = self.budget(prepared.run, terms)
        driver = Driver(store, stop, budget=budget, in_flight=questions_in_flight(store))
        bind = self.registry.binder(terms.keys)
        self._check_before_buying(prepared, terms, budget, stop)
        self.charge_quota(terms, lambda: count_unfinished(prepared, store))
        return EvaluationRun(prepared, store, bind, driver, budget).events()

    def _check_before_buying(
        self,
        prepared: PreparedRun,
        terms: SpendingPolicy,
        budget: Budget,
        stop: threading.Event | None,
    ) -> None:
        """Raise what is missing, where a run is to buy images: questions, money, or an answer."""
        registry = self.registry
        if not any(costs(registry.spec(model)) for model in prepared.request.models):
            return
        lines = estimate(prepared, self.store, registry, terms.keys)
        buying = [registry.spec(line.model) for line in lines.lines if line.pictures]
        if not buying:
            return
        require_judging(prepared)
        require_money(lines, budget)
        others = [registry.spec(line.model) for line in lines.lines if not line.pictures]
        self.require_answers(buying, others, terms, budget, stop)

    def require_answers(
        self,
        buying: Sequence[ModelSpec],
        others: Sequence[ModelSpec],
        terms: SpendingPolicy,
        budget: Budget,
        stop: threading.Event | None = None,
    ) -> None:
        """Raise Unavailable where a model is not listed by its service, or does not answer.

        Each of the `others` is asked for one word, once for each key. Those that are to be
        `buying` images are looked up in the list of their service, which costs nothing.
        """
        lists, bind = self.registry.lists, self.registry.binder(terms.keys)
        self._require_listed(buying, terms.keys)
        silent = [spec for spec in others if not lists.has_answered(spec, terms.keys)]
        require_answers([(spec, bind(spec.id)) for spec in silent], budget, stop)
        for spec in silent:
            lists.note_answer(spec, terms.keys)

    def _require_listed(self, specs: Sequence[ModelSpec], keys: ApiKeys) -> None:
        """Raise Unavailable where a service takes no key, or does not list a model that draws.

        Its list is read once for each key.
        """
        for spec in specs:
            if spec.key and keys.get(spec.key) and self.registry.must_be_listed(spec, keys):
                checked = self.registry.check_key(spec.key, keys)
                if checked.state == "rejected":
                    raise Unavailable(f"{checked.sentence} {NOTHING_BOUGHT}")
            self.registry.require(spec.id, "generator", keys)

    def with_writer(self, request: EvaluateRequest) -> EvaluateRequest:
        """Return the request with its judge as the writer of the questions that its prompt lacks.

        It stays as it is where it names a writer, lacks no questions, or its judge cannot write.
        """
        judge = request.judge
        if request.writer or not judge or not self.registry.spec(judge).fills("writer"):
            return request
        written = replace(request, writer=judge)
        return written if self.lacks_questions(written) else request

    def write_missing_questions(
        self,
        request: EvaluateRequest,
        terms: SpendingPolicy = DEFAULT_POLICY,
        stop: threading.Event | None = None,
    ) -> Iterator[QuestionGenerationEvent]:
        """Have the writer of a request make the questions that its prompt lacks, and save them.

        They are marked as not reviewed. Nothing happens where the request names no writer or judge,
        where none of its metrics needs questions, where the prompt has some, or where no model of
        the request can draw it. Raises what
        `evaluate` raises, and BadRequest where the writer makes no questions.
        """
        own = self._own(terms)
        if request.writer and own.lacks_questions(request):
            prompt = checked_prompt(request.prompt)
            drawing = [self.registry.spec(model) for model in request.models]
            self._require_listed([spec for spec in drawing if costs(spec)], terms.keys)
            yield from write_unreviewed(
                own.question_maker, own.sets, prompt, request.writer, terms, stop
            )

    def lacks_questions(self, request: EvaluateRequest) -> bool:
        """Return whether a writer must make the questions of a request before it can be judged.

        Raises BadRequest.
        """
        metrics_asked = [self.metric(name) for name in request.metrics]
        if not (request.writer and request.judge) or cannot_be_drawn(request, self.registry.spec):
            return False
        if not any(metric.needs_questions for metric in metrics_asked):
            return False
        try:
            self.sets.for_prompt(checked_prompt(request.prompt))
        except NoQuestions:
            return True
        return False

    def understand(self, request: EvaluateRequest) -> UnderstoodRequest:
        """Return the request with the prompt that is drawn, as `understand_request` reads it."""
        return understand_request(request, self.registry.spec, self.store)

    def estimate(
        self,
        request: EvaluateRequest,
        terms: SpendingPolicy = DEFAULT_POLICY,
        find_questions: Callable[[str], QuestionSet] | None = None,
    ) -> CostEstimate:
        """Return what the request is likely to take of services that cost something.

        The questions that its writer must make first count, and the judge's answers to them. Raises
        what `evaluate` raises, but asks for no consent. `find_questions` as in `evaluate`.
        """
        own = self._own(terms)
        writes = find_questions is None and own.lacks_questions(request)
        prepared = own.prepare(
            request,
            terms,
            import_picture=own.inspect,
            skip_unavailable=True,
            find_questions=likely_questions if writes else find_questions,
        )
        before: dict[str, list[Request]] = {}
        if request.writer and writes:
            before[request.writer] = likely_question_requests(checked_prompt(request.prompt))
        return estimate(prepared, self.store, self.registry, terms.keys, before)

    def prepare(
        self,
        request: EvaluateRequest,
        terms: SpendingPolicy = DEFAULT_POLICY,
        import_picture: Callable[[Path], Picture] | None = None,
        skip_unavailable: bool = False,
        find_questions: Callable[[str], QuestionSet] | None = None,
    ) -> PreparedRun:
        """Check a request and find out all that it needs; nothing is started.

        `import_picture` reads a picture that is brought; without it such pictures are stored.
        `skip_unavailable`: metrics that cannot run here are left out and named, as long as one can;
        else the first of them is a wrong request. `find_questions` gives the questions of a prompt,
        those of the store without it.
        """
        own = self._own(terms)
        prepared = RunPreparation(
            store=own.store,
            registry=self.registry,
            keys=terms.keys,
            find_metric=self.metric,
            find_questions=find_questions or own.sets.for_prompt,
            import_picture=import_picture or own.import_picture,
            skip_unavailable=skip_unavailable,
        ).prepare(request)
        if prepared.questions is None:
            return prepared
        has_own = bool(own.visitor) and not own.sets.are_shared(prepared.request.prompt)
        return replace(prepared, has_own_questions=has_own or find_questions is not None)

    def bind(
        self,
        named: Sequence[tuple[str, Role]],
        terms: SpendingPolicy = DEFAULT_POLICY,
        stop: threading.Event | None = None,
    ) -> tuple[dict[Role, BoundModel], Driver, Budget]:
        """Bind models to their roles, with a driver for plans that are no run.

        It keeps their replies and pays them from one budget.

        Raises what `evaluate` raises.
        """
        for name, role in named:
            self.registry.require(name, role, terms.keys)
        self.require_price_consent(named, terms)
        bind = self.registry.binder(terms.keys)
        budget = self.budget(NO_RUN, terms)
        store = self._own(terms).store
        driver = Driver(store, stop, budget=budget, in_flight=questions_in_flight(store))
        return {role: bind(name) for name, role in named}, driver, budget

    # --- money and quotas

    def budget(self, run: str, terms: SpendingPolicy, ledger: Ledger | None = None) -> Budget:
        """Return the budget of a run, with what it and the day have cost already.

        `ledger`: where it keeps account, that of the store.
        """
        return Budget(run, terms.caps(), ledger or self.store.ledger)

    def require_price_consent(
        self, named: Sequence[tuple[str, Role]], terms: SpendingPolicy
    ) -> None:
        """Raise BadRequest where a model's price is unknown, and the person did not allow that."""
        specs = [spec for name, _ in named for spec in self.registry.with_members(name)]
        require_price_consent(specs, terms)

    def charge_quota(self, terms: SpendingPolicy, number: Callable[[], int]) -> None:
        """Count pictures that are to be drawn or judged for the visitor whose terms these are.

        There must be room to store them, too. Raises OverLimit, a BadRequest.
        """
        visitor = terms.visitor or self.visitor
        if visitor and self.quotas:
            images = number()
            self.quotas.stored.require_room(visitor.network, images * LIKELY_BYTES)
            self.quotas.images.take(visitor.network, images)

    # --- what is stored

    def view(self, run: str) -> RunResult:
        """Return a stored run with its pictures and reports.

        A picture whose file did not come along has no path. Raises UnknownRun.
        """
        record = self.store.run(run)
        return RunResult(
            run=run,
            request=record.request,
            state=record.state,
            shots=tuple(
                shot
                if shot.path is None or shot.path.exists()
                else replace(shot, path=None, thumbnail=None)
                for shot in self.store.generated_pictures(run)
            ),
            evaluations=tuple(self.store.evaluations(run)),
            questions=record.questions,
            notice=record.notice,
        )

    def regions(self, image: str) -> Mapping[str, tuple[Polygon, ...]]:
        """Return outlines of the parts of a picture by name, in [0, 1], for people to look at.

        {} where nobody knows them.
        """
        truth = self.store.truth(image)
        return drawing_regions(truth) if truth else {}

    def import_picture(self, path: Path) -> Picture:
        """Check and keep a picture that a person brings.

        Raises BadImage, OverLimit with one sentence.
        """
        png = accept(path)
        if stored := self._stored(png):
            return stored
        self.store.database.require_room(len(png))
        return self.store.keep_image(png)

    def inspect(self, path: Path) -> Picture:
        """Check a picture that a person brings and keep nothing.

        Its name is that of the kept one, its file the one that was brought.

        Raises BadImage with one sentence.
        """
        png = accept(path)
        stored = self._stored(png)
        return Picture(stored.sha256 if stored else hashlib.sha256(png).hexdigest(), path)

    def _stored(self, png: bytes) -> Picture | None:
        """Return the stored image of these bytes, else as version 0.1.0 encoded it; None: neither.

        It is encoded again only where its own bytes are not stored.
        """
        if stored := self.store.picture(hashlib.sha256(png).hexdigest()):
            return stored
        return self.store.picture(hashlib.sha256(encoded_again(png)).hexdigest())


def create_services(url: str | None = None) -> Services:
    """Return the services on the models of ``data/models/models.yaml``.

    `url`: any SQLAlchemy URL; None: SQLite under HALLASCOPE_HOME.
    """
    try:
        store = Store(url)
        return Services(
            store,
            all_models(),
            quotas=Quotas(store.stored_bytes) if public() else None,
        )
    except BadModels as error:
        raise HallaScopeError(str(error)) from error
