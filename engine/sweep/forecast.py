"""Counts what a sweep will still ask, how long it takes and what it costs, beforehand.

It says of whom it asks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Generate, Reply, Request, Role, Usage, Write
from hallascope.engine.money.budget import SpendingPolicy, likely
from hallascope.engine.run import cache, dry_run, pipeline
from hallascope.engine.run.estimate import NOT_YET, costs
from hallascope.engine.run.evaluation import EvaluationKey, PreparedRun, stored_evaluations
from hallascope.engine.services import Services
from hallascope.engine.sweep.plan import PlannedSweep, prepare_item
from hallascope.engine.sweep.store import ModelSpeed, ModelSpeedStore, SweepStore
from hallascope.metrics.base import Metric


@dataclass(kw_only=True)
class ForecastLine:
    """What one model is likely to be asked in one role.

    `amount` in USD, None where its price is not known; `seconds` None where its pace is not known.
    """

    model: str
    role: Role
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    amount: float | None = 0.0
    seconds: float | None = None


class Forecast(NamedTuple):
    """What is there of a sweep, and what is still to be done.

    `refused` are prompts that cannot be begun, with the reason.

    `seconds`: what the models whose pace is known need, one after another where they run here,
    those of services beside them; `unmeasured` are the others. `amount` in USD, without the models
    of `unpriced`.
    """

    sweep: str
    items: int
    done: int
    pictures: int
    evaluations: int
    lines: tuple[ForecastLine, ...]
    seconds: float
    amount: float
    unmeasured: tuple[str, ...]
    unpriced: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


class _RequestCounter:
    """Sums over the items; requests that are about no picture are asked once in the whole sweep."""

    def __init__(self, services: Services, terms: SpendingPolicy) -> None:
        self.services = services
        self.seat = services.roster.binder(terms.keys)
        self.lines: dict[tuple[str, Role], ForecastLine] = {}
        self.pictures = self.evaluations = 0
        self._met: set[str] = set()

    def add(self, setup: PreparedRun) -> None:
        """One item: its pictures, and what every metric asks of each."""
        made = {
            shot.generation: shot.picture
            for shot in self.services.store.shots_by_id([place.id for place in setup.places])
        }
        done = stored_evaluations(self.services.store, setup.run)
        missing = 0
        for place in setup.places:
            drawing = setup.drawings[place.id]
            picture = made.get(place.id)
            if picture and picture.path.exists():
                self._judge(setup, picture, {key for key in done if key.place == place.id}, 1)
            elif isinstance(drawing, Generate):
                missing += 1
                self._ask(place.model, drawing, 1)
        self.pictures += missing
        if missing:
            self._judge(setup, NOT_YET, set(), missing)

    def _judge(
        self, setup: PreparedRun, picture: Picture, done: set[EvaluationKey], times: int
    ) -> None:
        """What is asked of so many pictures of which the same is known.

        The same question of two metrics is asked once.
        """
        said = {(key.metric, key.trial) for key in done}
        asked: dict[str, tuple[str, Request]] = {}
        for metric in setup.metrics:
            for trial in range(setup.request.trials):
                if (metric.name, trial) not in said:
                    self.evaluations += times
                    asked |= self._likely_requests(setup, metric, picture, trial)
        for key, (model, request) in asked.items():
            if _shows(request, picture):
                self._ask(model, request, times)
            elif key not in self._met:
                self._met.add(key)
                self._ask(model, request, 1)

    def _likely_requests(
        self, setup: PreparedRun, metric: Metric, picture: Picture, trial: int
    ) -> dict[str, tuple[str, Request]]:
        """Return a metric's likely unanswered requests about a picture, by key."""
        models = pipeline.for_metric(setup.request, metric)

        def key(request: Request) -> str:
            at = self.seat(models[request.role])
            return cache.key(request, at.model, at.revision, at.settings, trial)

        def there(step: Sequence[Request]) -> Mapping[int, Reply]:
            names = [key(request) for request in step]
            asked = (
                (name, request)
                for name, request in zip(names, step, strict=True)
                if not _shows(request, NOT_YET)
            )
            found = cache.kept_replies(self.services.store, asked)
            return {i: found[name] for i, name in enumerate(names) if name in found}

        case = setup.case(picture, metric)
        asked = list(dry_run.requests(metric.plan(case), there))
        if any(
            isinstance(request, Write) for request in asked
        ):  # what it asks after that is not known: without a writer it is alike
            without = replace(case, roles=case.roles - {"writer"})
            asked += dry_run.requests(metric.plan(without), there)
        return {key(request): (models[request.role], request) for request in asked}

    def _ask(self, model: str, request: Request, times: int) -> None:
        line = self.lines.setdefault(
            (model, request.role), ForecastLine(model=model, role=request.role)
        )
        price = self.services.roster.spec(model).price
        one = likely(request, price) if price else Usage()
        line.calls += times
        line.usage = Usage(
            *(
                before + times * more
                for before, more in zip(_parts(line.usage), _parts(one), strict=True)
            )
        )


def forecast(
    planned: PlannedSweep,
    services: Services,
    terms: SpendingPolicy,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Forecast:
    """What the sweep would do now; `tell` is given how many items were looked at, of how many.

    Raises StoreError.
    """
    sweeps = SweepStore(services.store.database)
    counting = _RequestCounter(services, terms)
    done = sweeps.done_items(planned.id)
    refused = list[tuple[str, str]]()
    for item in planned.items():
        if item.position not in done:
            setup = prepare_item(item, services, terms, lambda do: do())
            if isinstance(setup, str):
                refused.append((item.request.prompt, setup))
            else:
                counting.add(setup)
        tell(item.position + 1, len(planned))
    lines = tuple(_price_lines(counting, ModelSpeedStore(services.store.database).all(), services))
    amount = sum(line.amount or 0.0 for line in lines)
    unpriced = tuple(dict.fromkeys(line.model for line in lines if line.amount is None))
    unmeasured = tuple(dict.fromkeys(line.model for line in lines if line.seconds is None))
    seconds = _together(lines, services.roster.spec)
    return Forecast(
        sweep=planned.id,
        items=len(planned),
        done=len(done),
        pictures=counting.pictures,
        evaluations=counting.evaluations,
        lines=lines,
        seconds=seconds,
        amount=amount,
        unmeasured=unmeasured,
        unpriced=unpriced,
        refused=tuple(refused),
    )


def _price_lines(
    counting: _RequestCounter, paces: Mapping[tuple[str, Role], ModelSpeed], services: Services
) -> Iterator[ForecastLine]:
    """The lines with what they cost and how long they take."""
    for (model, role), line in counting.lines.items():
        spec = services.roster.spec(model)
        seat = counting.seat(model)
        pace = paces.get((model, role))
        each: float | None = None
        if pace:
            each = pace.seconds_each
        elif role == "generator":
            each = services.seconds(model)
        line.seconds = None if each is None else each * line.calls / max(1, seat.limits.concurrency)
        if not costs(spec):
            line.amount = 0.0
        elif spec.price is None:
            line.amount = None
        else:
            line.amount = spec.price.cost(line.usage)
        yield line


def _together(lines: Sequence[ForecastLine], spec: Callable[[str], ModelSpec]) -> float:
    """Models that run here share this machine; a service works beside them."""
    here = sum(line.seconds or 0.0 for line in lines if spec(line.model).kind != "api")
    services: dict[str, float] = {}
    for line in lines:
        if spec(line.model).kind == "api":
            services[line.model] = services.get(line.model, 0.0) + (line.seconds or 0.0)
    return max([here, *services.values()])


def _shows(request: Request, picture: Picture) -> bool:
    """Whether a request is about that picture."""
    shown = [*getattr(request, "images", ()), getattr(request, "image", None)]
    return picture in shown


def _parts(usage: Usage) -> tuple[int, int, int]:
    return usage.input_tokens, usage.output_tokens, usage.pictures
