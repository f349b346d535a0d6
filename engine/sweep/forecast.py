"""Forecasts a sweep: what it will still ask of which models, how long it takes, what it costs."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Request, Role, Usage
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import likely_usage, sum_usage
from hallascope.engine.run.estimate import RequestCounter, costs
from hallascope.engine.services import Services
from hallascope.engine.sweep.plan import PlannedSweep, prepare_item
from hallascope.engine.sweep.store import ModelSpeed, ModelSpeedStore, SweepStore


@dataclass(kw_only=True)
class ForecastLine:
    """Holds what one model is likely to be asked in one role.

    `amount` in USD, None where its price is not known; `seconds` None where its speed is not known.
    """

    model: str
    role: Role
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    amount: float | None = 0.0
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class ForecastTotals:
    """Holds what all models of a work are likely to be asked, and what that takes.

    `seconds`: what the models whose speed is known need, one after another where they run here,
    those of services beside them; `unmeasured` are the others. `amount` in USD, without the models
    of `unpriced`.
    """

    lines: tuple[ForecastLine, ...] = ()
    seconds: float = 0.0
    amount: float = 0.0
    unmeasured: tuple[str, ...] = ()
    unpriced: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Forecast(ForecastTotals):
    """Holds what is there of a sweep, and what is still to be done.

    `pictures` and `evaluations` are those that can be made; `undrawable` counts the images that
    their models cannot draw. `refused` are prompts that cannot be begun, with the reason.
    """

    sweep: str
    items: int
    done: int
    pictures: int
    undrawable: int
    evaluations: int
    refused: tuple[tuple[str, str], ...]


class ForecastCounter(RequestCounter):
    """Sums up requests by model and role, over any number of items."""

    def __init__(self, services: Services, policy: SpendingPolicy) -> None:
        super().__init__(services.store, services.registry, policy.keys)
        self._services = services
        self.lines: dict[tuple[str, Role], ForecastLine] = {}

    def add_request(self, model: str, request: Request, times: int = 1) -> None:
        """Count a request of a model, asked so many times."""
        line = self.lines.setdefault(
            (model, request.role), ForecastLine(model=model, role=request.role)
        )
        line.calls += times
        if price := self.registry.spec(model).price:
            line.usage = sum_usage([line.usage, *[likely_usage(request, price)] * times])

    def totals(self) -> ForecastTotals:
        """Return what all that was counted takes. Raises StoreError."""
        services = self._services
        speeds = ModelSpeedStore(services.store.database).all()
        for line in self.lines.values():
            line.seconds = _seconds(line, self, speeds, services)
            spec = services.registry.spec(line.model)
            if costs(spec):
                line.amount = spec.price.cost(line.usage) if spec.price else None
        lines = tuple(self.lines.values())
        return ForecastTotals(
            lines=lines,
            seconds=_total_seconds(lines, services.registry.spec),
            amount=sum(line.amount or 0.0 for line in lines),
            unmeasured=_models_of(line for line in lines if line.seconds is None),
            unpriced=_models_of(line for line in lines if line.amount is None),
        )


def forecast(
    planned: PlannedSweep,
    services: Services,
    policy: SpendingPolicy,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Forecast:
    """Return what the sweep would do now.

    `on_progress` is given how many items were looked at, of how many. Raises StoreError.
    """
    done = SweepStore(services.store.database).done_items(planned.id)
    counter = ForecastCounter(services, policy)
    refused: list[tuple[str, str]] = []
    for item in planned.items():
        if item.position not in done:
            prepared = prepare_item(item, services, policy, lambda do: do())
            if isinstance(prepared, str):
                refused.append((item.request.prompt, prepared))
            else:
                counter.add_item(prepared)
        on_progress(item.position + 1, len(planned))
    return Forecast(
        sweep=planned.id,
        items=len(planned),
        done=len(done),
        pictures=counter.pictures,
        undrawable=counter.undrawable,
        evaluations=counter.evaluations,
        refused=tuple(refused),
        **vars(counter.totals()),
    )


def _seconds(
    line: ForecastLine,
    counter: ForecastCounter,
    speeds: Mapping[tuple[str, Role], ModelSpeed],
    services: Services,
) -> float | None:
    """Return how long the model takes for its calls; None where its speed is not known."""
    each: float | None = None
    if speed := speeds.get((line.model, line.role)):
        each = speed.seconds_each
    elif line.role == "generator":
        each = services.store.median_seconds(line.model)
    concurrency = max(1, counter.bind(line.model).limits.concurrency)
    return None if each is None else each * line.calls / concurrency


def _total_seconds(lines: Sequence[ForecastLine], spec: Callable[[str], ModelSpec]) -> float:
    """Return the seconds of all lines: models that run here share it, services work beside them."""
    here = ""  # stands for all models that run on this machine
    seconds: dict[str, float] = defaultdict(float)
    for line in lines:
        place = line.model if spec(line.model).kind == "api" else here
        seconds[place] += line.seconds or 0.0
    return max(seconds.values(), default=0.0)


def _models_of(lines: Iterable[ForecastLine]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.model for line in lines))
