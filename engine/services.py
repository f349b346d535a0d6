"""What pages and commands are given: models, an evaluation to watch, stored runs to look at. It knows no page."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import metrics
from backends.base import Backend, HallaScopeError, Judge
from backends.keys import Keys
from data.files import question_files
from data.models import KNOWLEDGE, BadModels, Knowledge, ModelSpec, read_models
from data.outlines import Polygon
from data.primer import scenes
from data.records import Picture, QuestionSet
from data.requests import Failure, Generate, Role
from data.tidy import tidy_set
from engine import cache, concepts, lineup
from engine.budget import Estimate, Purse, Terms
from engine.driver import AnyPlan, Driver
from engine.errors import BadImage, BadRequest, NoQuestions, StoreError, UnknownRun, sentence
from engine.estimating import costs, estimate
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
from engine.injection import injected
from engine.lineup import Lineup
from engine.making import NO_RUN, Imported, MakingEvent, making
from engine.pictures import regions as primer_regions
from engine.pictures.uploads import accept
from engine.roster import NO_KEYS, Model, Roster, Seating
from engine.seats import Seat
from engine.storage.store import INJECTED, Place, RunRecord, Store, Told
from metrics.base import Metric
from metrics.questions import making as making_plan
from metrics.questions.reasoning import Material

MAX_PROMPT = 4000
MAX_COUNT = 64
MAX_TRIALS = 32
_NO_QUESTIONS = (
    "There are no questions for this prompt yet, so the pictures are shown without a score: make some on the Questions tab "
    "(`hallascope questions make`), or choose a prompt of the Primer world."
)
TERMS = Terms()  # what holds where nobody says otherwise


class Services:
    """The engine as one object. `backends` are models that are loaded already."""

    def __init__(
        self,
        store: Store,
        models: Mapping[str, ModelSpec],
        backends: Mapping[str, Backend] | None = None,
        metric: Callable[[str], Metric] = metrics.get,
    ) -> None:
        self.store = store
        self.roster = Roster(models, backends)
        self._metric = metric

    # --- models ------------------------------------------------------------------------------------------------

    def models(self, role: Role | None = None, keys: Keys = NO_KEYS) -> tuple[Model, ...]:
        """All entries, or those of one role, each with why it cannot run here; those of a whole service among them."""
        return self.roster.models(role, keys)

    def generators(self) -> tuple[Model, ...]:
        return self.models("generator")

    def judges(self) -> tuple[Model, ...]:
        return self.models("judge")

    def key_names(self) -> tuple[str, ...]:
        return self.roster.key_names()

    def reason(self, name: str) -> str | None:
        """Why the model cannot run here, in one sentence; None: it can. Raises UnknownModel."""
        return self.roster.reason(name)

    def judge(self, name: str) -> Judge:
        """The loaded judge of that name. Raises UnknownModel, BadRequest where it is no judge, Unavailable, BadWeights."""
        self.roster.needed(name, "judge")
        backend = self.roster.backend(name)
        if not isinstance(backend, Judge):
            raise BadRequest(f"{name!r} is listed as a judge but cannot answer questions: mend its entry among the models.")
        return backend

    def seconds(self, model: str) -> float | None:
        """How long the model's pictures took here lately (median), for an estimate."""
        return self.store.seconds(model)

    # --- an evaluation -----------------------------------------------------------------------------------------

    def evaluate(self, request: EvaluateRequest, stop: threading.Event | None = None, terms: Terms = TERMS) -> Iterator[Event]:
        """Make the pictures, judge each as soon as it is there, store everything, and tell what happens.

        The request is checked at once: raises BadRequest, BadImage, UnknownModel, Unavailable or StoreError.
        The same request goes on where it was left, after any kind of end, and does nothing twice. `terms` may differ.
        """
        seat = self.roster.seating(terms.keys)
        setup = self.prepare(request, terms)
        self._confirmed(_named(setup.request, setup.lineup), terms)
        purse = self.purse(setup.run, terms)
        runner = Driver(self.store, stop, purse=purse, book=self.store.ledger.add)
        return Evaluating(setup, self.store, seat, runner, purse).events()

    def estimate(self, request: EvaluateRequest, terms: Terms = TERMS) -> Estimate:
        """What the request is likely to take of services that cost something. Raises what `evaluate` raises, but asks for no consent."""
        return estimate(self.prepare(request, terms), self.store, self.roster.spec, self.roster.seating(terms.keys))

    def prepare(self, request: EvaluateRequest, terms: Terms = TERMS) -> Setup:
        """Check a request and find out all that it needs; nothing is started."""
        request = _checked(request)
        seat = self.roster.seating(terms.keys)
        wanted = tuple(self._known_metric(name) for name in request.metrics)
        request = lineup.completed(request, wanted, lambda name: self.roster.reason(name, terms.keys) is None)
        asking = lineup.of_run(request, wanted)
        for name, role in [*_named(request, asking), *lineup.own(wanted)]:
            self.roster.needed(name, role, terms.keys)
        brought = tuple(self.accept(path) for path in request.images)
        reference = self.accept(request.reference) if request.reference else None
        request = replace(request, images=tuple(p.path for p in brought), reference=reference.path if reference else None)
        if request.inject or any(metric.concepts for metric in wanted):
            request = replace(request, factual=concepts.resolved(request, self.store.keep_image, self.accept))
        places, drawings = self._places(request, seat)
        uploads = {_upload_id(request.prompt, picture): picture for picture in brought}
        places += [Place(name, request.prompt, UPLOADED, "", 0, {}) for name in uploads]
        questions, notice = self._asked(request, wanted)
        asked = jsonable(questions.questions) if questions else None
        more = [*_more(asking, seat), *_about(request, wanted), *((name, seat(name).revision) for name, _ in lineup.own(wanted))]
        run = _run_id([*_versions(request, wanted, asking, seat, reference), [place.id for place in places], asked, *more])
        able = tuple(m for m in wanted if not lineup.lacks_judge(request, m) and (questions or not m.needs_questions))
        ranks = request.judge is not None and self.roster.spec(request.judge).ranks
        return Setup(run, request, tuple(places), uploads, able, questions, notice, reference, asking, drawings, ranks)

    def _places(self, request: EvaluateRequest, seat: Seating) -> tuple[list[Place], dict[str, Generate | Failure]]:
        """The places of all pictures, those of one model and seed beside each other, with what is asked of their models."""
        places, drawings = list[Place](), dict[str, Generate | Failure]()
        for name, i, way in product(request.models, range(request.count), (None, *request.inject)):
            plain = Generate(request.prompt, request.seed + i)
            drawing = injected(plain, way, request.factual, self.roster.spec(name))
            place = _place(plain if isinstance(drawing, Failure) else drawing, seat(name), way)
            places, drawings = [*places, place], {**drawings, place.id: drawing}
        return places, drawings

    def _confirmed(self, named: Sequence[tuple[str, Role]], terms: Terms) -> None:
        """Raises BadRequest where a model costs nobody knows what, and the person did not say that it may."""
        unpriced = [name for name, _ in named if costs(self.roster.spec(name)) and self.roster.spec(name).price is None]
        if unpriced and not terms.unpriced:
            raise BadRequest(
                f"Nobody here knows what {unpriced[0]!r} costs, so no cap holds for it: allow models without a known price "
                "(--unpriced), or give its price in a file of models (HALLASCOPE_MODELS)."
            )

    # --- money -------------------------------------------------------------------------------------------------

    def caps(self, terms: Terms = TERMS) -> tuple[float, float]:
        """What a run and what a day may cost at most, in USD. Raises BadRequest."""
        return terms.caps()

    def spent_today(self) -> float:
        """What all runs of this day (UTC) have cost, in USD."""
        return self.store.ledger.day()

    def purse(self, run: str, terms: Terms) -> Purse:
        """The purse of a run, with what it and the day have cost already."""
        return Purse(run, terms.caps(), self.store.ledger.run(run), self.store.ledger.day())

    def _known_metric(self, name: str) -> Metric:
        try:
            return self._metric(name)
        except ValueError as error:
            raise BadRequest(sentence(error)) from error

    def _asked(self, request: EvaluateRequest, wanted: Sequence[Metric]) -> tuple[QuestionSet | None, str | None]:
        """The questions of a prompt, or one sentence why there are none."""
        if not wanted:
            return None, None
        without = [metric for metric in wanted if lineup.lacks_judge(request, metric)]
        if len(without) == len(wanted):
            return None, "No judge is chosen: the pictures are shown without a score."
        notice = f"No judge is chosen: there is no score by {', '.join(metric.title for metric in without)}." if without else None
        if not any(metric.needs_questions for metric in wanted if metric not in without):
            return None, notice
        try:
            return self.questions(request.prompt), notice
        except NoQuestions as sentence:
            return None, str(sentence)

    # --- making questions --------------------------------------------------------------------------------------

    def reason_about(
        self,
        prompt: str,
        materials: Sequence[Material],
        judge: str | None,
        writer: str,
        terms: Terms = TERMS,
        stop: threading.Event | None = None,
    ) -> Iterator[MakingEvent]:
        """What a judge knows about pictures of the prompt whose label is known, merged by a writer; ends with `Reasoned`.

        Without pictures the writer reasons from the prompt alone. Raises what `evaluate` raises.
        """
        prompt = checked_prompt(prompt)
        if materials and judge is None:
            raise BadRequest("No judge is chosen to look at the pictures: choose one, or take the pictures out.")
        named: list[tuple[str, Role]] = [(judge, "judge")] if materials and judge else []
        return self._make(making_plan.reason(prompt, materials), [*named, (writer, "writer")], terms, stop, materials)

    def make_questions(
        self, prompt: str, reasoning: str, writer: str, terms: Terms = TERMS, stop: threading.Event | None = None, draw: int = 0
    ) -> Iterator[MakingEvent]:
        """Five questions that a writer makes of the reasoning; ends with `Made`. Another `draw` makes others."""
        plan = making_plan.ask_questions(checked_prompt(prompt), reasoning, origin=f"made by {writer}", draw=draw)
        return self._make(plan, [(writer, "writer")], terms, stop)

    def _make(
        self,
        plan: AnyPlan,
        named: Sequence[tuple[str, Role]],
        terms: Terms,
        stop: threading.Event | None,
        materials: Sequence[Material] = (),
    ) -> Iterator[MakingEvent]:
        seats, runner, purse = self.seated(named, terms, stop)
        return making(plan, seats, runner, purse, materials)

    def seated(
        self, named: Sequence[tuple[str, Role]], terms: Terms = TERMS, stop: threading.Event | None = None
    ) -> tuple[dict[Role, Seat], Driver, Purse]:
        """These models in their roles, and a driver that keeps their replies and pays them from one purse, for plans that are no run.

        Raises what `evaluate` raises.
        """
        for name, role in named:
            self.roster.needed(name, role, terms.keys)
        self._confirmed(named, terms)
        seat, purse = self.roster.seating(terms.keys), Purse(NO_RUN, terms.caps(), today=self.spent_today())
        return {role: seat(name) for name, role in named}, Driver(self.store, stop, purse=purse, book=self.store.ledger.add), purse

    def save_questions(self, questions: QuestionSet) -> QuestionSet:
        """Save the questions of a prompt, in place of those that were there. Raises BadRequest where one cannot stand."""
        try:
            clean = tidy_set(questions)
        except ValueError as problem:
            raise BadRequest(sentence(problem)) from problem
        self.store.keep_question_set(clean)
        return clean

    def question_sets(self) -> list[QuestionSet]:
        """All saved sets, by prompt."""
        return self.store.question_sets()

    def remove_questions(self, prompt: str) -> None:
        """Forget the saved questions of a prompt. Raises BadRequest where there are none."""
        if self.store.question_set(prompt) is None:
            raise BadRequest(f"There are no saved questions for {prompt!r}: `hallascope questions list` names all.")
        self.store.remove_question_set(prompt)

    def export_questions(self, path: Path, prompts: Sequence[str] | None = None) -> int:
        """Write the saved sets (of these prompts, None: all) as .xlsx or .jsonl; gives how many. Raises BadRequest."""
        found = self.question_sets()
        if prompts is not None:
            wanted = {" ".join(prompt.lower().split()) for prompt in prompts}
            found = [kept for kept in found if kept.prompt.lower() in wanted]
        if not found:
            raise BadRequest("There are no saved questions to export: make and accept some first.")
        try:
            question_files.write(found, path)
        except (ValueError, OSError) as error:
            raise BadRequest(sentence(error)) from error
        return len(found)

    def import_questions(self, path: Path) -> Imported:
        """Save every set of a file (.xlsx, .jsonl) that can stand, in place of what was saved for its prompt. Raises BadRequest."""
        try:
            found, complaints = question_files.read(path)
        except (ValueError, OSError) as error:
            raise BadRequest(sentence(error)) from error
        named = [self.save_questions(questions) for questions in found if questions.prompt]
        return Imported(tuple(named), tuple(complaints))

    # --- what is stored ----------------------------------------------------------------------------------------

    def view(self, run: str) -> RunView:
        """A stored run with its pictures and reports. Raises UnknownRun."""
        record = self.store.run(run)
        shots, said = tuple(self.store.shots(run)), tuple(self.store.evaluations(run))
        return RunView(run, record.request, record.state, shots, said, record.questions, record.notice)

    def told(self, metric: str) -> list[Told]:
        """What a metric said in all runs, the newest first."""
        return self.store.told(metric)

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


def checked_prompt(prompt: str) -> str:
    """The prompt with single spaces. Raises BadRequest with one sentence."""
    prompt = " ".join(prompt.split())
    if not prompt:
        raise BadRequest("The prompt is empty: type what the picture should show, e.g. “a molecule of methane”.")
    if len(prompt) > MAX_PROMPT:
        raise BadRequest(f"The prompt has {len(prompt):,} characters; at most {MAX_PROMPT:,} are taken: shorten it.")
    if not prompt.isprintable():
        raise BadRequest("The prompt has characters that cannot be shown: type it anew.")
    return prompt


def _checked(request: EvaluateRequest) -> EvaluateRequest:
    """The request in its plain form. Raises BadRequest with one sentence."""
    prompt = checked_prompt(request.prompt)
    if not request.models and not request.images:
        raise BadRequest("No model is chosen and no picture given: choose at least one model, or upload a picture.")
    for what, value, most in (("count", request.count, MAX_COUNT), ("trials", request.trials, MAX_TRIALS)):
        if not 1 <= value <= most:
            raise BadRequest(f"The number of {what} is {value!r}: give a whole number from 1 to {most}.")
    if not 0 <= request.seed < 2**31:
        raise BadRequest(f"The seed is {request.seed!r}: give a whole number from 0 to {2**31 - 1}.")
    if unknown := [way for way in request.inject if way not in KNOWLEDGE]:
        raise BadRequest(f"There is no knowledge {unknown[0]!r} to inject: choose of {' and '.join(KNOWLEDGE)}.")
    models, names = tuple(dict.fromkeys(request.models)), tuple(dict.fromkeys(request.metrics))
    return replace(request, prompt=prompt, models=models, metrics=names, inject=tuple(dict.fromkeys(request.inject)))


def _named(request: EvaluateRequest, asking: Lineup) -> list[tuple[str, Role]]:
    """All models of a run, with the roles they are to fill."""
    return [*((name, "generator") for name in request.models), *((name, role) for role, name in asking.items())]


def _place(drawing: Generate, seat: Seat, way: Knowledge | None) -> Place:
    settings = {**seat.settings, INJECTED: way} if way else seat.settings
    key = cache.key(drawing, seat.model, seat.revision, settings)
    return Place(key[:20], drawing.prompt, seat.model, seat.revision, drawing.seed, settings)


def _versions(request: EvaluateRequest, wanted: Sequence[Metric], asking: Lineup, seat: Seating, reference: Picture | None) -> list[object]:
    """All that a run depends on beside its pictures, its questions and who fills the newer roles."""
    lookers = [(name, seat(name).revision) if name else None for name in (asking.get("judge"), asking.get("writer"))]
    return [request.prompt, [(m.name, m.version) for m in wanted], lookers, request.trials, reference.sha256 if reference else None]


def _more(asking: Lineup, seat: Seating) -> list[object]:
    """Who fills the roles that came after judge and writer; nothing where nobody does: the run keeps the id it had before them."""
    others = [(role, name, seat(name).revision) for role, name in asking.items() if role not in ("judge", "writer")]
    return [others] if others else []


def _about(request: EvaluateRequest, wanted: Sequence[Metric]) -> list[object]:
    """The concepts, their pictures and the task, where a metric is given them; nothing else depends on them."""
    factual = request.factual
    if factual is None or not any(metric.concepts for metric in wanted):
        return []
    shown = [(concept.name, concept.reference.sha256 if concept.reference else None) for concept in factual.concepts]
    return [[factual.task, factual.wanted, shown, jsonable(factual.checks)]]


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
