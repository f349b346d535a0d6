"""Counts what the tables of the papers ask of which models, from the forecasts of real sweeps.

Each table that `hallascope reproduce` knows is planned with the paper's own models on a few prompts
of the Primer world, and forecast as `--dry-run` does; the calls are then multiplied by the number
of prompts of the paper's benchmark. Nothing is asked: the models are scripted.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from bench.cluster_simulation.csv_tables import FOLDER, read_records
from bench.cluster_simulation.service_times import ServiceTime, service_time
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import OF_METRIC, Knowledge, Price, read_models
from hallascope.data.reproduce.paper_tables import PaperTable, read_papers
from hallascope.data.requests import Ask, Request, Role, Write
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.likely_costs import likely_usage
from hallascope.engine.reproduce.cells import HUMAN, CellSource, cell_sources
from hallascope.engine.reproduce.sweeps import Arrangement, arrangement_of
from hallascope.engine.run.estimate import NOT_YET, costs
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.forecast import ForecastLine, RequestCounter
from hallascope.primer import scenes
from hallascope.primer.benchmark import factualbench

PROMPTS_FILE = FOLDER / "paper_prompts.csv"
CALLS_FILE = FOLDER / "paper_calls.csv"
SAMPLE = 12  # prompts of Primer that stand for those of a benchmark
POLICY = SpendingPolicy(run=1e6, day=1e6, unpriced=True)
ANY_GENERATOR = "sdxl-base"  # stands for whoever drew images that are brought
GRADERS = 3  # implementations of Auto-Eval that are compared
# texts as long as those that are sent
QUESTION = "What is the color of the hat that the person on the left of the image wears?"
GRADE = QUESTION * 12


@dataclass(frozen=True)
class BenchmarkSize:
    """Holds how many prompts a benchmark has, and where the number comes from."""

    benchmark: str
    prompts: int
    basis: Literal["published", "assumed"]
    source: str


@dataclass(frozen=True)
class PaperCalls:
    """Holds what a table asks of one model in one role: calls, and what they cost in USD.

    `usd` is 0 for a model that runs on a GPU, and "" where nobody here knows the price. `kind` is
    that of the model's entry.
    """

    paper: str
    table: str
    model: str
    role: str
    kind: str
    calls: float
    usd: float | Literal[""]


def read_benchmark_sizes() -> Mapping[str, BenchmarkSize]:
    return {size.benchmark: size for size in read_records(BenchmarkSize, PROMPTS_FILE)}


def count_papers() -> list[PaperCalls]:
    """Return what every table asks that asks anything, in the order of the papers."""
    sizes = {name: size.prompts for name, size in read_benchmark_sizes().items()}
    with tempfile.TemporaryDirectory() as folder:
        services = _stand_in_services(Path(folder))
        calls = [
            call
            for paper in read_papers()
            for table in paper.tables
            for call in count_table(paper.name, table, services, sizes)
        ]
        services.store.close()
    return calls


def _stand_in_services(folder: Path) -> Services:
    """Return services in which every entry can run, though it answers nothing."""
    store = Store(folder=folder)
    entries = Services(store, read_models())
    names = {
        name
        for paper in read_papers()
        for table in paper.tables
        for source in cell_sources(table, "paper", entries).values()
        for name in (*source.models, *source.roles.values())
        if not source.stored and not source.reason and source.metric != HUMAN
    }
    names |= {name for roles in OF_METRIC.values() for name in roles.values()} | {ANY_GENERATOR}
    specs = {name: entries.registry.spec(name) for name in names}
    models: dict[str, Any] = {name: Scripted(spec) for name, spec in specs.items()}
    return Services(store, read_models(), models)


def count_table(
    paper: str, table: PaperTable, services: Services, sizes: Mapping[str, int]
) -> list[PaperCalls]:
    """Return what a table asks of each model in each role."""
    if table.not_because or table.fill in ("counts", "none", "error_types"):
        return []
    totals = _Totals(paper, table, services)
    sources = [
        source for source in cell_sources(table, "paper", services).values() if not source.reason
    ]
    if table.fill in ("judges", "replies"):
        _count_replies(totals, sources, sizes["haloquest"])
    else:
        _count_images(totals, table, sources, sizes)
    return totals.calls()


class _Totals:
    """Sums calls and amounts by model and role."""

    def __init__(self, paper: str, table: PaperTable, services: Services) -> None:
        self._paper = paper
        self._table = table
        self._services = services
        self._calls: dict[tuple[str, Role], float] = defaultdict(float)
        self._usd: dict[tuple[str, Role], float] = defaultdict(float)

    def count(self, requests: Iterable[EvaluateRequest]) -> list[ForecastLine]:
        """Return what the requests ask, by model and role."""
        counter = RequestCounter(self._services, POLICY)
        for request in requests:
            counter.add_item(self._services.prepare(request, POLICY))
        return list(counter.lines.values())

    def add(self, line: ForecastLine, times: float) -> None:
        price = self._services.registry.spec(line.model).price
        self._calls[line.model, line.role] += line.calls * times
        self._usd[line.model, line.role] += price.cost(line.usage) * times if price else 0.0

    def add_requests(self, model: str, request: Request, number: int) -> None:
        """Add so many requests like this one."""
        price = self._services.registry.spec(model).price or Price()
        line = ForecastLine(model=model, role=request.role, calls=1)
        line.usage = likely_usage(request, price)
        self.add(line, number)

    def calls(self) -> list[PaperCalls]:
        return [
            self._paper_calls(model, role, calls)
            for (model, role), calls in sorted(self._calls.items())
        ]

    def _paper_calls(self, model: str, role: Role, calls: float) -> PaperCalls:
        spec = self._services.registry.spec(model)
        return PaperCalls(
            paper=self._paper,
            table=self._table.name,
            model=model,
            role=role,
            kind=spec.kind,
            calls=calls,
            usd="" if costs(spec) and spec.price is None else self._usd[model, role],
        )


def _count_images(
    totals: _Totals, table: PaperTable, sources: Iterable[CellSource], sizes: Mapping[str, int]
) -> None:
    """Count images once however many sets of judges look at them, and all that they are asked."""
    groups: dict[Arrangement, list[CellSource]] = defaultdict(list)
    for source in sources:
        if source.metric != HUMAN:
            groups[arrangement_of(source)].append(source)
    drawn: set[tuple[str, str, str]] = set()
    for arrangement, group in groups.items():
        models = tuple(dict.fromkeys(m for each in group for m in each.models if not each.stored))
        brought = {model for each in group for model in each.models if each.stored}
        # an image that is brought is asked about as one that a model draws
        judged = models or (ANY_GENERATOR,)
        times = sizes[table.parts[arrangement.part]] / SAMPLE
        # each image is made without the added knowledge, too, which another sweep counts
        times *= 0.5 if arrangement.inject else 1.0
        for line in totals.count(_requests(table, arrangement, group, judged)):
            if line.role != "generator":
                totals.add(line, times * (len(models) + len(brought)) / len(judged))
            elif (
                line.model in models and (image := (line.model, *_images(arrangement))) not in drawn
            ):
                drawn.add(image)
                totals.add(line, times)


def _images(arrangement: Arrangement) -> tuple[str, str]:
    """Return what distinguishes the images of two arrangements beside their models."""
    return arrangement.part, arrangement.inject


def _requests(
    table: PaperTable, arrangement: Arrangement, group: Sequence[CellSource], models: Sequence[str]
) -> Iterator[EvaluateRequest]:
    """Yield what a sweep of the table asks for, on a sample of Primer's prompts."""
    roles: dict[str, Any] = dict(arrangement.roles)
    metrics = tuple(dict.fromkeys(source.metric for source in group))
    request = EvaluateRequest(
        prompt="",
        models=tuple(models),
        metrics=metrics,
        trials=table.trials,
        inject=cast("tuple[Knowledge, ...]", (arrangement.inject,) if arrangement.inject else ()),
        **{"judge": None, **roles},
    )
    if table.parts[arrangement.part] == "factualbench":
        for prompt in factualbench.prompts()[:: len(factualbench.prompts()) // SAMPLE][:SAMPLE]:
            yield replace(request, prompt=prompt.prompt, factual=prompt)
        return
    for text in scenes.benchmark(SAMPLE):
        yield replace(request, prompt=text)


def _count_replies(totals: _Totals, sources: Iterable[CellSource], questions: int) -> None:
    """Count a reply of each judge to each question, and the grades of the replies."""
    ask = Ask(text=QUESTION, question=QUESTION, images=(NOT_YET,))
    grade = Write(text=GRADE)
    lineups = dict.fromkeys(tuple(sorted(source.roles.items())) for source in sources)
    for lineup in lineups:
        roles = dict(lineup)
        if judge := roles.get("judge"):
            totals.add_requests(judge, ask, questions)
        if writer := roles.get("writer"):
            # each of the compared graders reads every reply
            totals.add_requests(writer, grade, questions * (1 if judge else GRADERS))


# --- what that takes of hardware


@dataclass(frozen=True)
class TableCost:
    """Holds what a table takes: images, calls of services and their USD, and hours of one GPU.

    `unpriced` are models whose calls are not in the USD, since their price is not known here.
    """

    paper: str
    table: str
    images: float
    api_calls: float
    api_usd: float
    unpriced: tuple[str, ...]
    gpu_hours: float

    def wall_hours(self, gpus: int, api_calls_per_minute: float) -> float:
        """Return the hours on so many GPUs: the longer one of their work and of the services'."""
        return max(self.gpu_hours / gpus, self.api_calls / api_calls_per_minute / 60)

    def usd(self, gpu_price: float) -> float:
        """Return GPUs and services together, in USD; `gpu_price` is that of a GPU hour."""
        return self.gpu_hours * gpu_price + self.api_usd


def table_costs(calls: Sequence[PaperCalls], times: Sequence[ServiceTime]) -> list[TableCost]:
    """Return the cost of each table, in the order of the calls."""
    tables = dict.fromkeys((call.paper, call.table) for call in calls)
    return [
        _table_cost([call for call in calls if (call.paper, call.table) == table], times)
        for table in tables
    ]


def _table_cost(calls: Sequence[PaperCalls], times: Sequence[ServiceTime]) -> TableCost:
    local = [
        (call, service_time(times, call.model, call.role)) for call in calls if call.kind != "api"
    ]
    paid = [call for call in calls if call.kind == "api"]
    seconds = sum(call.calls * time.seconds for call, time in local)
    return TableCost(
        paper=calls[0].paper,
        table=calls[0].table,
        images=sum(call.calls for call in calls if call.role == "generator"),
        api_calls=sum(call.calls for call in paid),
        api_usd=sum(call.usd or 0.0 for call in paid),
        unpriced=tuple(dict.fromkeys(call.model for call in paid if call.usd == "")),
        gpu_hours=seconds / 3600,
    )
