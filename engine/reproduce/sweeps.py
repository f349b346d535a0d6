"""Runs the sweeps that a paper's table needs: one for each set of prompts and choice of models."""

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import cast

from hallascope.data.concepts import FactualPrompt
from hallascope.data.models.specs import Knowledge
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.data.requests import Role
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import (
    HUMAN,
    CellSource,
    CellSources,
    ReproducedWorld,
)
from hallascope.engine.services import Services
from hallascope.engine.sweep.forecast import Forecast, forecast
from hallascope.engine.sweep.plan import PlannedSweep, plan
from hallascope.engine.sweep.runner import Sweep, SweepEvent
from hallascope.engine.sweep.spec import PromptSource, SourceKind, Spec
from hallascope.metrics.ihalla.plan import NAME as IHALLA

PRIMER_SAMPLE = 12  # prompts of each set in the Primer world, where nobody says another number


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions:
    """Holds how a table is reproduced.

    `data` is the path of each benchmark by its kind. `sample` prompts of each set are drawn by
    `seed`; None takes all of them, and `PRIMER_SAMPLE` in the Primer world. `trials` None: as the
    paper. `ratings` is a table of what people say of images. `wording` is the pack of texts that
    models are sent, or its folder. `judge` takes the place of those that were shut down; "": none
    does.
    """

    world: ReproducedWorld = "paper"
    data: Mapping[str, str]
    sample: int | None = None
    seed: int = 0
    trials: int | None = None
    ratings: Path | None = None
    judge: str = ""
    wording: str = OURS


@dataclass(frozen=True)
class Arrangement:
    """Names a sweep: a set of prompts with the models that judge them, and added knowledge."""

    part: str
    roles: tuple[tuple[Role, str], ...]
    inject: str


@dataclass(frozen=True)
class TableSweeps:
    """Holds the planned sweeps of a table, and the cells that cannot be filled with the reason.

    `unplanned` has a sentence for each arrangement without a sweep.
    """

    planned: Mapping[Arrangement, PlannedSweep]
    sources: CellSources
    unplanned: Sequence[str]


def arrangement_of(source: CellSource) -> Arrangement:
    return Arrangement(source.part, tuple(sorted(source.roles.items())), source.inject)


def plan_sweeps(
    table: PaperTable,
    sources: CellSources,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
) -> TableSweeps:
    """Plan one sweep for each arrangement, of the models that can run here.

    Cells whose models cannot run get the reason. Raises BadRequest, StoreError.
    """
    sources = {
        place: replace(source, reason=source.reason or unavailable(source, services, terms))
        for place, source in sources.items()
    }
    groups: dict[Arrangement, list[CellSource]] = {}
    for source in sources.values():
        if not source.reason and not source.stored and source.metric != HUMAN:
            groups.setdefault(arrangement_of(source), []).append(source)
    planned: dict[Arrangement, PlannedSweep] = {}
    unplanned: dict[str, None] = {}
    for arrangement, group in groups.items():
        kind = table.parts[arrangement.part]
        if options.world == "paper" and kind not in options.data:
            unplanned[f"Name the data with --data {kind}=PATH."] = None
            continue
        spec = _spec(table, arrangement, group, options)
        planned[arrangement] = plan(spec, services, terms)
    return TableSweeps(planned, sources, tuple(unplanned))


def unavailable(source: CellSource, services: Services, terms: SpendingPolicy) -> str:
    """Return why a model of a cell cannot run here, in one sentence; "" where all can."""
    if source.metric == HUMAN:
        return ""
    names = [] if source.stored else list(source.models)
    names += source.roles.values()
    for name in names:
        reason = services.registry.unavailable_reason(name, terms.keys)
        if reason:
            return reason
    return services.metric_unavailable_reason(source.metric, terms.keys) or ""


def _spec(
    table: PaperTable,
    arrangement: Arrangement,
    group: Sequence[CellSource],
    options: ReproduceOptions,
) -> Spec:
    roles = dict(arrangement.roles)
    metrics = dict.fromkeys(source.metric for source in group)
    if table.fill == "correlations" and options.world == "primer":
        metrics[IHALLA] = None  # its questions ask for what Primer knows to be true
    models = dict.fromkeys(model for source in group for model in source.models)
    return Spec(
        title=f"{table.heading} ({arrangement.part})",
        prompts=_prompt_sources(table, arrangement.part, group, options),
        models=tuple(models),
        metrics=tuple(metrics),
        judge=roles.pop("judge", None),
        roles=roles,
        trials=options.trials or table.trials,
        inject=cast("tuple[Knowledge, ...]", (arrangement.inject,) if arrangement.inject else ()),
        wording=options.wording,
        file=Path.cwd() / "reproduce",
    )


def _prompt_sources(
    table: PaperTable, part: str, group: Sequence[CellSource], options: ReproduceOptions
) -> tuple[PromptSource, ...]:
    kind = table.parts[part]
    if options.world == "paper":
        source = PromptSource(
            kind=cast(SourceKind, kind),
            path=options.data[kind],
            sample=options.sample,
            seed=options.seed,
        )
        return (source,)
    sample = options.sample or PRIMER_SAMPLE
    if kind == "factualbench":
        levels = {source.level for source in group if source.level}
        prompts = _factual_prompts(levels, sample, options.seed)
        return tuple(PromptSource(kind="text", path=prompt) for prompt in prompts)
    number = list(table.parts).index(part)
    return (PromptSource(kind="primer", sample=sample, seed=options.seed + number),)


def _factual_prompts(levels: Set[str], sample: int, seed: int) -> list[str]:
    """Return Primer's FactualBench prompts of these levels, of all levels where none is named.

    Levels take turns, in each of them its tasks, and in each of these the domains, so that each
    that a table counts has prompts as far as the sample goes.
    """
    from hallascope.primer.benchmark import factualbench

    prompts = [each for each in factualbench.prompts() if not levels or each.level in levels]
    random.Random(seed).shuffle(prompts)
    kinds: list[Callable[[FactualPrompt], str]] = [
        lambda each: each.level,
        lambda each: each.task,
        lambda each: each.domains[0],
    ]
    return [each.prompt for each in _in_turns(prompts, kinds)[:sample]]


def _in_turns(
    prompts: Sequence[FactualPrompt], kinds: Sequence[Callable[[FactualPrompt], str]]
) -> list[FactualPrompt]:
    """Return the prompts so that those of the first kind take turns, and within each the others."""
    if not kinds:
        return list(prompts)
    groups: dict[str, list[FactualPrompt]] = {}
    for prompt in prompts:
        groups.setdefault(kinds[0](prompt), []).append(prompt)
    rounds = zip_longest(*(_in_turns(group, kinds[1:]) for group in groups.values()))
    return [prompt for one_round in rounds for prompt in one_round if prompt is not None]


def forecast_sweeps(
    sweeps: TableSweeps,
    services: Services,
    terms: SpendingPolicy,
    on_progress: Callable[[int, int], None],
) -> list[Forecast]:
    """Return what each sweep would still do; only images that can be drawn are counted."""
    return [forecast(planned, services, terms, on_progress) for planned in sweeps.planned.values()]


def run_sweeps(
    sweeps: TableSweeps,
    services: Services,
    terms: SpendingPolicy,
    stop: threading.Event,
    notify: Callable[[str], None],
) -> Iterator[SweepEvent]:
    """Run one sweep after the other; all that is there already is not made again."""
    for planned in sweeps.planned.values():
        if stop.is_set():
            return
        yield from Sweep(planned, services, terms, stop, notify=notify).events("local")


def require_known_data(table: PaperTable, data: Mapping[str, str]) -> None:
    """Raise BadRequest where data is named that the table does not use."""
    known: set[str] = {kind for kind in table.parts.values() if kind != "none"}
    known |= {needed.kind for needed in table.data}
    for kind in data:
        if kind not in known:
            words = ", ".join(sorted(known)) or "no data"
            raise BadRequest(f"--data {kind}=...: this table uses {words}.")
