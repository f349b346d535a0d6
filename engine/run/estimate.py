"""Estimates what a request is likely to take of paid services, before anything is asked.

It makes sure, before a run buys its first image, that it can be judged and paid for.
"""

import hashlib
import threading
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from hallascope.backends.base import Unavailable
from hallascope.backends.keys import ApiKeys
from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.records import Picture
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    Generate,
    Match,
    Matched,
    ReadPrompt,
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    TextRead,
    Write,
    request_pictures,
)
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest, NoQuestions
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.roles import BoundModel, MemberRequest, charged_price, leaf_requests
from hallascope.engine.money.budget import Budget, OverBudget, SpendingPolicy
from hallascope.engine.money.spending import CostEstimate, cost_line, money, unconfirmed_note
from hallascope.engine.run import pipeline
from hallascope.engine.run.calls import cache
from hallascope.engine.run.driver import Driver, PlanResult
from hallascope.engine.run.evaluation import EvaluationKey, single_request_plan, stored_evaluations
from hallascope.engine.run.preparation import PreparedRun
from hallascope.engine.run.primer_prompts import is_drawn
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import Case, Metric, Plan
from hallascope.metrics.reading.model_reading import write_model_reading
from hallascope.metrics.reading.prompt import read_prompt

# stands for a picture that is still to be made
NOT_YET = Picture("", Path())


def costs(spec: ModelSpec) -> bool:
    """Return whether a model may cost money.

    Services do, unless their entry says that they are free.
    """
    return spec.kind == "api" and (spec.price is None or charged_price(spec.price) is not None)


def require_price_consent(specs: Sequence[ModelSpec], terms: SpendingPolicy) -> None:
    """Raise BadRequest where a model's price is unknown, and the person did not allow that.

    On a public app a person can allow it only for a key of their own.
    """
    unpriced = [spec for spec in specs if costs(spec) and spec.price is None]
    if not unpriced:
        return
    paid_by_host = [spec for spec in unpriced if not terms.keys.is_session_key(spec.key or "")]
    if public() and paid_by_host:
        raise BadRequest(
            f"It is unknown what {paid_by_host[0].id!r} costs, so it is asked with a key of"
            " your own alone: type one."
        )
    if not terms.unpriced:
        raise BadRequest(
            f"It is unknown what {unpriced[0].id!r} costs, so no budget can limit it: allow"
            " models without a known price (--unpriced), or give its price in a file of models"
            " (HALLASCOPE_MODELS)."
        )


def estimate(
    prepared: PreparedRun,
    store: Store,
    registry: ModelRegistry,
    keys: ApiKeys,
    before: Mapping[str, Sequence[Request]] = MappingProxyType({}),
) -> CostEstimate:
    """Return what the missing pictures, and the likely requests of each metric, are likely to cost.

    Requests are counted for each picture and trial; a picture that its model cannot draw takes
    none. `before`: what models are asked before the run, by model.
    """
    counter = RequestCounter(store, registry, keys, paid_only=True)
    for model, asked in before.items():
        counter.requests[model] += asked
    counter.add_item(prepared)
    lines = (
        (registry.spec(model), requests)
        for model, requests in counter.requests.items()
        if costs(registry.spec(model))
    )
    return CostEstimate(
        tuple(cost_line(spec.id, asked, spec.price, spec.settings) for spec, asked in lines)
    )


class RequestCounter:
    """Collects what runs are likely to ask that nobody has answered yet.

    It counts the `pictures` to be drawn, those that cannot be (`undrawable`), those that are
    brought and not stored yet, and the `evaluations`. `paid_only`: only metrics that ask a model
    which costs something.
    """

    def __init__(
        self, store: Store, registry: ModelRegistry, keys: ApiKeys, *, paid_only: bool = False
    ) -> None:
        self.registry = registry
        self.bind = registry.binder(keys)
        self.requests: dict[str, list[Request]] = defaultdict(list)
        self.pictures = 0
        self.undrawable = 0
        self.brought = 0
        self.evaluations = 0
        self._store = store
        self._paid_only = paid_only
        self._counted: set[str] = set()

    def add_request(self, model: str, request: Request, times: int = 1) -> None:
        """Count a request of a model, asked so many times."""
        self.requests[model] += [request] * times

    def add_item(self, item: PreparedRun) -> None:
        """Count a run: its missing pictures, and what every metric asks of each picture."""
        shots = self._store.generated_pictures_by_id([slot.id for slot in item.slots])
        pictures = {shot.generation: shot.picture for shot in shots}
        stored = stored_evaluations(self._store, item.run)
        missing = 0
        for slot in item.slots:
            drawing = item.drawings.get(slot.id)
            picture = pictures.get(slot.id)
            if picture is None or not picture.path.exists():
                picture = item.uploads.get(slot.id)
                self.brought += picture is not None
            if picture and picture != NOT_YET:
                self._add_evaluations(item, picture, slot.id, stored)
            elif picture:
                missing += 1
            elif isinstance(drawing, Generate) and is_drawn(
                self.registry.spec(slot.model), drawing
            ):
                missing += 1
                self.pictures += 1
                self.add_request(slot.model, drawing)
            else:
                self.undrawable += 1
        if missing:
            self._add_evaluations(item, NOT_YET, times=missing)

    def _add_evaluations(
        self,
        item: PreparedRun,
        picture: Picture,
        slot: str = "",
        stored: Container[EvaluationKey] = (),
        times: int = 1,
    ) -> None:
        """Count what is asked of so many pictures, of which the store knows the same.

        What shows no picture that is still to come is asked once in all, and so are equal requests
        of several metrics.
        """
        requests: dict[str, MemberRequest] = {}
        for metric, trial in product(item.metrics, range(item.request.trials)):
            is_done = EvaluationKey(slot, metric.name, trial) in stored
            if is_done or (self._paid_only and not self._is_paid(item, metric)):
                continue
            self.evaluations += times
            requests |= self._open_requests(item, metric, picture, trial)
        for key, likely in requests.items():
            if NOT_YET in request_pictures(likely.request):
                self.add_request(likely.model.model, likely.request, times)
            elif key not in self._counted:
                self._counted.add(key)
                self.add_request(likely.model.model, likely.request)

    def _open_requests(
        self, item: PreparedRun, metric: Metric, picture: Picture, trial: int
    ) -> dict[str, MemberRequest]:
        """Return what a metric is likely to ask and nobody has answered yet, by key.

        What follows a writer's reply is not known: it is much like what the metric asks without a
        writer. Equal requests have one key, and are asked once. What a judge is asked that answers
        through others stands there as what these are asked.
        """
        models = pipeline.for_metric(item.request, metric)

        def key_of(model: BoundModel, request: Request) -> str:
            return cache.key(request, model.model, model.revision, model.settings, trial)

        def kept(keyed: Sequence[tuple[str, Request]]) -> Mapping[str, Reply]:
            known = [(key, own) for key, own in keyed if NOT_YET not in request_pictures(own)]
            return cache.kept_replies(self._store, known)

        def stored(step: Sequence[Request]) -> Mapping[int, Reply]:
            keyed = [(key_of(self.bind(models[own.role]), own), own) for own in step]
            replies = kept(keyed)
            return {i: replies[key] for i, (key, _) in enumerate(keyed) if key in replies}

        def likely_of(case: Case) -> dict[str, MemberRequest]:
            likely: dict[str, MemberRequest] = {}
            for request in likely_requests(metric.plan(case), stored):
                model = self.bind(models[request.role])
                leaves = [
                    (key_of(own.model, own.request), own) for own in leaf_requests(model, request)
                ]
                replies = kept([(key, own.request) for key, own in leaves])
                likely |= {
                    key: own
                    for key, own in leaves
                    if model.delegation is None or key not in replies
                }
            return likely

        case = item.case(picture, metric)
        likely = likely_of(case)
        if any(isinstance(own.request, Write) for own in likely.values()):
            likely |= likely_of(replace(case, roles=case.roles - {"writer"}))
        return likely

    def _is_paid(self, item: PreparedRun, metric: Metric) -> bool:
        models = pipeline.for_metric(item.request, metric).values()
        return any(costs(own) for model in models for own in self.registry.with_members(model))


# --- before the first image is bought ---

NOTHING_BOUGHT = "No image was bought."
_WORDS = "Reply with the word yes."
_QUESTION = "Is this an image? A) Yes B) No"


def require_judging(prepared: PreparedRun) -> None:
    """Raise NoQuestions where a metric that was asked for has no questions to judge by."""
    request = prepared.request
    if request.judge and request.metrics and prepared.notice and not prepared.questions:
        raise NoQuestions(f"{prepared.notice} {NOTHING_BOUGHT}")


def require_money(estimate: CostEstimate, budget: Budget) -> None:
    """Raise OverBudget where a run is likely to cost more than is left of its budget or the day's.

    What it costs that is not known does not count.
    """
    accounts = (
        (budget.spent, budget.unconfirmed, budget.cap, "a run"),
        (budget.spent_today, budget.unconfirmed_today, budget.day_cap, "a day"),
    )
    for spent, unconfirmed, cap, what in accounts:
        rest = max(0.0, cap - spent)
        if estimate.amount > rest:
            note = unconfirmed_note(spent, unconfirmed, cap)
            raise OverBudget(
                f"The run is likely to cost {money(estimate.amount)}, and {money(rest)} is left of"
                f" the budget of {money(cap)} for {what}{note}: raise the budget, or ask for fewer"
                f" images. {NOTHING_BOUGHT}"
            )


def require_answers(
    models: Sequence[tuple[ModelSpec, BoundModel]], budget: Budget, stop: threading.Event | None
) -> None:
    """Ask each model for a word, paid from the budget; raise Unavailable where one does not answer.

    Models that can judge are shown a small image.
    """
    with TemporaryDirectory(prefix="hallascope-") as folder:
        image = _small_image(Path(folder))
        driver = Driver(stop=stop, budget=budget)
        for spec, bound in models:
            request = _first_request(spec, image)
            driver.add(spec.title, single_request_plan(request), {request.role: bound})
        for event in driver.events():
            if isinstance(event, PlanResult) and isinstance(event.result, Failure):
                raise Unavailable(f"{event.result.message} {NOTHING_BOUGHT}")


def _first_request(spec: ModelSpec, image: Picture) -> Request:
    if spec.fills("judge"):
        # with choices, so that all is negotiated that its questions need
        return Ask(images=(image,), text=_QUESTION, question=_QUESTION, choices=("Yes", "No"))
    return Write(_WORDS)


def _small_image(folder: Path) -> Picture:
    from PIL import Image

    path = folder / "white.png"
    Image.new("RGB", (64, 64), "white").save(path)
    return Picture(hashlib.sha256(path.read_bytes()).hexdigest(), path)


# --- what a plan is likely to ask ---

# more steps than any plan has, unless something is wrong
MAX_PLAN_STEPS = 20
# things that a detector is taken to find; few pictures show more
LIKELY_DETECTIONS = 8
# px of a likely mask
_SIDE = 64
_UNKNOWN = Failure("stopped", "This is an estimate: nothing was asked.", attempts=0)

# gives the replies to a step that are there already, by place in the step
FindReplies = Callable[[Sequence[Request]], Mapping[int, Reply]]


def likely_requests(plan: Plan, find_replies: FindReplies) -> Iterator[Request]:
    """Yield what a plan asks that nobody has answered yet, step by step to its likely end."""
    try:
        step = next(plan)
        for _ in range(MAX_PLAN_STEPS):
            stored = find_replies(step)
            yield from (request for i, request in enumerate(step) if i not in stored)
            replies = [stored.get(i) or likely_reply(request) for i, request in enumerate(step)]
            step = plan.send(replies)
    except StopIteration:
        return
    finally:
        plan.close()


def likely_reply(request: Request) -> Reply:
    """Return a reply with which most plans go on.

    It is a failure where its words would decide how, as with a choice or a writer's JSON.
    """
    match request:
        case Detect():
            return _detect_side_by_side(request.phrases)
        case Segment():
            pixels = [masks.box_pixels(box, _SIDE, _SIDE) for box in request.boxes]
            return Segmented(tuple(masks.encode(mask) for mask in pixels))
        case Describe():
            return Answer("A cat.")
        case Ask() if not request.choices and request.schema is None:
            return Answer("A cat.")
        case Embed():
            return Embedded((1.0,))
        case Match():
            return Matched(1.0)
        case ReadText():
            return TextRead(())
        case ReadPrompt():
            return _read_by_rules(request.prompt)
        case Ask() | Write() | Generate():
            return _UNKNOWN


def _read_by_rules(prompt: str) -> Reply:
    """Return the reading of the rules as a parser would write it.

    What they cannot read is taken to ask for a cat.
    """
    reading = read_prompt(prompt)
    if reading.unreadable:
        cat = AskedObject(id="o1", name="cat")
        reading = PromptReading(prompt=prompt, objects=(cat,), translation="a cat")
    return Answer(write_model_reading(reading))


def _detect_side_by_side(phrases: Sequence[str]) -> Detected:
    """Return a box for each phrase; none overlaps another, so no plan takes two for one thing."""
    width = 1 / LIKELY_DETECTIONS
    boxes = [Box(i * width, 0, (i + 1) * width, 1) for i in range(LIKELY_DETECTIONS)]
    pairs = zip(phrases, boxes, strict=False)
    return Detected(tuple(Detection(phrase, box, 1.0) for phrase, box in pairs))
