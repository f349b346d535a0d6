"""What pages and commands are given: models, an evaluation to watch, stored runs to look at. It knows no page."""

import difflib
import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import metrics
from backends import registry
from backends.base import Backend, HallaScopeError, Judge, OnStep, Unavailable, UnknownModel
from data.models import BadModels, ModelSpec, read_models
from data.primer import scenes
from data.records import Picture, QuestionSet
from data.requests import Generate, Reply, Request, Role
from engine import cache, seats
from engine import regions as primer_regions
from engine.driver import Driver
from engine.errors import BadImage, BadRequest, NoQuestions, StoreError, UnknownRun, sentence
from engine.evaluating import Evaluating, Setup
from engine.events import (
    UPLOADED,
    Evaluated,
    EvaluateRequest,
    Evaluation,
    EvaluationFailed,
    Event,
    Finished,
    Generating,
    Judged,
    Pictured,
    PictureFailed,
    Queued,
    RunView,
    Shot,
    jsonable,
)
from engine.regions import Polygon
from engine.seats import Seat
from engine.store import Place, RunRecord, Store
from engine.uploads import accept
from metrics.base import Metric

MAX_PROMPT = 4000
MAX_COUNT = 64
MAX_TRIALS = 32
_NO_QUESTIONS = "There are no questions for this prompt yet: the pictures are shown without a score; choose a prompt of the Primer world."
API_TIMEOUT = 120.0  # seconds a call; a model on this machine may take as long as it needs


@dataclass(frozen=True)
class Model:
    """A model with the sentence why it cannot run here; None: it can."""

    spec: ModelSpec
    reason: str | None = None


class Services:
    """The engine as one object. `backends` are models that are loaded already; the others are loaded when first asked, and kept."""

    def __init__(
        self,
        store: Store,
        models: Mapping[str, ModelSpec],
        backends: Mapping[str, Backend] | None = None,
        metric: Callable[[str], Metric] = metrics.get,
    ) -> None:
        self.store = store
        self._loaded = dict(backends or {})
        self._specs = {**models, **{name: backend.spec for name, backend in self._loaded.items()}}
        self._metric = metric
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._seats: dict[str, Seat] = {}

    # --- models ------------------------------------------------------------------------------------------------

    def models(self, role: Role | None = None) -> tuple[Model, ...]:
        """All models, or those of one role, in the order of the file, each with why it cannot run here."""
        return tuple(Model(spec, self.reason(spec.id)) for spec in self._specs.values() if role is None or role in spec.roles)

    def generators(self) -> tuple[Model, ...]:
        return self.models("generator")

    def judges(self) -> tuple[Model, ...]:
        return self.models("judge")

    def reason(self, name: str) -> str | None:
        """Why the model cannot run here, in one sentence; None: it can. Raises UnknownModel."""
        return None if name in self._loaded else registry.available(self.spec(name))

    def spec(self, name: str) -> ModelSpec:
        """Raises UnknownModel with the nearest name."""
        if name not in self._specs:
            near = difflib.get_close_matches(name.casefold(), self._specs, n=1, cutoff=0.5)
            remedy = f"did you mean {near[0]!r}?" if near else "`hallascope models` lists all."
            raise UnknownModel(f"There is no model {name!r}: {remedy}")
        return self._specs[name]

    def backend(self, name: str) -> Backend:
        """The loaded model; loads it once, however many ask. Raises Unavailable, BadWeights."""
        spec = self.spec(name)
        with self._lock:
            lock = self._locks.setdefault(name, threading.Lock())
        with lock:
            if name not in self._loaded:
                self._loaded[name] = registry.load(spec)
            return self._loaded[name]

    def judge(self, name: str) -> Judge:
        """The loaded judge of that name. Raises UnknownModel, BadRequest where it is no judge, Unavailable, BadWeights."""
        self._needs(name, "judge")
        backend = self.backend(name)
        if not isinstance(backend, Judge):
            raise BadRequest(f"{name!r} is listed as a judge but cannot answer questions: mend its entry among the models.")
        return backend

    def seat(self, name: str) -> Seat:
        """The model in its role, loaded only when it is asked for the first time."""
        if name not in self._seats:
            self._seats[name] = self._new_seat(self.spec(name))
        return self._seats[name]

    def _new_seat(self, spec: ModelSpec) -> Seat:
        name = spec.id
        timeout = API_TIMEOUT if spec.kind == "api" else None
        loaded = self._loaded.get(name)
        revision = loaded.revision if loaded else registry.revision(spec)
        if loaded or revision is None:
            return seats.seat(loaded or self.backend(name), timeout)
        return Seat(name, revision, partial(self._call, name), registry.limits(spec), spec.settings, timeout)

    def _call(self, name: str, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
        return seats.call(self.backend(name), requests, on_step)

    def seconds(self, model: str) -> float | None:
        """How long the model's pictures took here lately (median), for an estimate."""
        return self.store.seconds(model)

    # --- an evaluation -----------------------------------------------------------------------------------------

    def evaluate(self, request: EvaluateRequest, stop: threading.Event | None = None) -> Iterator[Event]:
        """Make the pictures, judge each as soon as it is there, store everything, and tell what happens.

        The request is checked at once: raises BadRequest, BadImage, UnknownModel, Unavailable or StoreError.
        The same request goes on where it was left, after any kind of end, and does nothing twice.
        """
        setup = self.prepare(request)
        runner = Driver(self.store, stop)
        return Evaluating(setup, self.store, self.seat, runner).events()

    def prepare(self, request: EvaluateRequest) -> Setup:
        """Check a request and find out all that it needs; nothing is started."""
        request = _checked(request)
        for name in request.models:
            self._needs(name, "generator")
        if request.judge is not None:
            self._needs(request.judge, "judge")
        wanted = tuple(self._known_metric(name) for name in request.metrics)
        brought = tuple(self.accept(path) for path in request.images)
        reference = self.accept(request.reference) if request.reference else None
        request = replace(request, images=tuple(p.path for p in brought), reference=reference.path if reference else None)
        places = [self._place(request.prompt, name, request.seed + i) for name in request.models for i in range(request.count)]
        uploads = {_upload_id(request.prompt, picture): picture for picture in brought}
        places += [Place(name, request.prompt, UPLOADED, "", 0, {}) for name in uploads]
        questions, notice = self._asked(request)
        asked = jsonable(questions.questions) if questions else None
        run = _run_id([*self._versions(request, wanted, reference), [place.id for place in places], asked])
        return Setup(run, request, tuple(places), uploads, wanted, questions, notice, reference)

    def _needs(self, name: str, role: Role) -> None:
        spec = self.spec(name)
        if role not in spec.roles:
            fit = ", ".join(s.id for s in self._specs.values() if role in s.roles)
            raise BadRequest(f"{name!r} is no {role}: choose one of {fit}.")
        if reason := self.reason(name):
            raise Unavailable(reason)

    def _known_metric(self, name: str) -> Metric:
        try:
            return self._metric(name)
        except ValueError as error:
            raise BadRequest(sentence(error)) from error

    def _place(self, prompt: str, name: str, seed: int) -> Place:
        seat = self.seat(name)
        key = cache.key(Generate(prompt, seed), name, seat.revision, seat.settings)
        return Place(key[:20], prompt, name, seat.revision, seed, seat.settings)

    def _asked(self, request: EvaluateRequest) -> tuple[QuestionSet | None, str | None]:
        if not request.metrics:
            return None, None
        if request.judge is None:
            return None, "No judge is chosen: the pictures are shown without a score."
        try:
            return self.questions(request.prompt), None
        except NoQuestions as sentence:
            return None, str(sentence)

    def _versions(self, request: EvaluateRequest, wanted: Sequence[Metric], reference: Picture | None) -> list[object]:
        judge = (request.judge, self.seat(request.judge).revision) if request.judge else None
        return [request.prompt, [(m.name, m.version) for m in wanted], judge, request.trials, reference.sha256 if reference else None]

    # --- what is stored ----------------------------------------------------------------------------------------

    def view(self, run: str) -> RunView:
        """A stored run with its pictures and reports. Raises UnknownRun."""
        record = self.store.run(run)
        shots, said = tuple(self.store.shots(run)), tuple(self.store.evaluations(run))
        return RunView(run, record.request, record.state, shots, said, record.questions, record.notice)

    def runs(self, limit: int = 20) -> list[RunRecord]:
        """The heads of the newest runs, newest first."""
        return self.store.runs(limit)

    def questions(self, prompt: str) -> QuestionSet:
        """The questions of a prompt: those that were saved, else those of the Primer world. Raises NoQuestions."""
        saved = self.store.question_set(prompt)
        if saved:
            return saved
        try:
            return scenes.parse(prompt).questions()
        except scenes.CannotDraw as error:
            raise NoQuestions(_NO_QUESTIONS) from error

    def regions(self, image: str) -> Mapping[str, tuple[Polygon, ...]]:
        """Outlines of the parts of a picture by name, in [0, 1], for people to look at; {} where nobody knows them."""
        found = self.store.truth(image)
        return primer_regions.regions(found) if found else {}

    def accept(self, path: Path) -> Picture:
        """Check and keep a picture that a person brings. Raises BadImage with one sentence."""
        return self.store.keep_image(accept(path))


def create_services(url: str | None = None) -> Services:
    """The services on the models of ``data/models.yaml``. `url`: any SQLAlchemy URL; None: SQLite under HALLASCOPE_HOME."""
    try:
        return Services(Store(url), read_models())
    except BadModels as error:
        raise HallaScopeError(str(error)) from error


def _checked(request: EvaluateRequest) -> EvaluateRequest:
    """The request in its plain form. Raises BadRequest with one sentence."""
    prompt = " ".join(request.prompt.split())
    if not prompt:
        raise BadRequest("The prompt is empty: type what the picture should show, e.g. “a molecule of methane”.")
    if len(prompt) > MAX_PROMPT:
        raise BadRequest(f"The prompt has {len(prompt):,} characters; at most {MAX_PROMPT:,} are taken: shorten it.")
    if not prompt.isprintable():
        raise BadRequest("The prompt has characters that cannot be shown: type it anew.")
    if not request.models and not request.images:
        raise BadRequest("No model is chosen and no picture given: choose at least one model, or upload a picture.")
    for what, value, most in (("count", request.count, MAX_COUNT), ("trials", request.trials, MAX_TRIALS)):
        if not 1 <= value <= most:
            raise BadRequest(f"The number of {what} is {value!r}: give a whole number from 1 to {most}.")
    if not 0 <= request.seed < 2**31:
        raise BadRequest(f"The seed is {request.seed!r}: give a whole number from 0 to {2**31 - 1}.")
    return replace(request, prompt=prompt, models=tuple(dict.fromkeys(request.models)), metrics=tuple(dict.fromkeys(request.metrics)))


def _run_id(whole: list[object]) -> str:
    """A hash of a request and of the versions of all it names: the same again is the same run."""
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:12]


def _upload_id(prompt: str, picture: Picture) -> str:
    return hashlib.sha256(f"{UPLOADED} {picture.sha256} {prompt}".encode()).hexdigest()[:20]


__all__ = [
    "BadImage", "BadRequest", "EvaluateRequest", "Evaluated", "Evaluation", "EvaluationFailed", "Event", "Finished", "Generating", "Judged",
    "Model", "NoQuestions", "PictureFailed", "Pictured", "Polygon", "Queued", "RunRecord", "RunView", "Services", "Shot", "StoreError",
    "UnknownRun", "create_services", "jsonable",
]  # fmt: skip
