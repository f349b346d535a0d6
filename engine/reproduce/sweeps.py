"""Runs the sweeps that a paper's table needs: one for each set of prompts and choice of models."""

import hashlib
import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from hallascope.data.models.specs import Knowledge
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.data.requests import Role
from hallascope.data.wordings.packs import AS_PUBLISHED
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.judging import FolderJudging, JudgingEvent
from hallascope.engine.image_folders.records import FolderEntry, OpenedImages, UnmatchedFile
from hallascope.engine.image_folders.sources import open_images
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.tables import (
    HUMAN,
    CellSource,
    CellSources,
    ReproducedWorld,
)
from hallascope.engine.services import Services
from hallascope.engine.sweep.plan import PlannedSweep, plan
from hallascope.engine.sweep.prompts import gather
from hallascope.engine.sweep.runner import Sweep, SweepEvent
from hallascope.engine.sweep.spec import PromptSource, SourceKind, Spec
from hallascope.primer.signs import sample_prompts

NO_IMAGES = (
    "No model here draws these images: name the folder that holds them with --images FOLDER."
)
PROMPTS_PER_SIGN = 4  # of Primer, to one for a sign where a table counts text
PRIMER_SAMPLE = 12  # prompts of each set in the Primer world, where nobody says another number


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions:
    """Holds how a table is reproduced.

    `data` is the path of each benchmark by its kind. `sample` prompts of each set are drawn by
    `seed`; None takes all of them, and `PRIMER_SAMPLE` in the Primer world. `trials` None: as the
    paper. `ratings` is a table of what people say of images. `images` holds those that are judged
    instead of drawn: a folder, or what else `open_images` takes. `wording` is the pack of texts
    that models are sent, or its folder.
    """

    world: ReproducedWorld = "paper"
    data: Mapping[str, str]
    sample: int | None = None
    seed: int = 0
    trials: int | None = None
    ratings: Path | None = None
    images: str = ""
    wording: str = AS_PUBLISHED


@dataclass(frozen=True, kw_only=True)
class TableJob:
    """Holds a table, what each of its cells measures, and what fills them.

    `stop` ends the work early.
    """

    table: PaperTable
    sources: CellSources
    services: Services
    options: ReproduceOptions
    terms: SpendingPolicy = field(default_factory=SpendingPolicy)
    stop: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Arrangement:
    """Names a sweep: a set of prompts with the models that judge them, and added knowledge."""

    part: str
    roles: tuple[tuple[Role, str], ...]
    inject: str


@dataclass(frozen=True, kw_only=True)
class FolderWork:
    """Says which images of a folder are judged, and how.

    `models` are the folder's names of them; `prompts`, with single spaces, those that count; None:
    all. `id` names the scores in the store.
    """

    source: str
    models: tuple[str, ...]
    template: EvaluateRequest
    prompts: frozenset[str] | None = None
    id: str = ""

    def has(self, entry: FolderEntry) -> bool:
        """Return whether an image counts; what cannot be matched is always named."""
        if isinstance(entry, UnmatchedFile):
            return True
        is_asked = self.prompts is None or " ".join(entry.prompt.split()) in self.prompts
        return entry.model in self.models and is_asked

    @contextmanager
    def open(self) -> Iterator[OpenedImages]:
        """Open the images that count; the source of others is another one. Raises BadRequest."""
        chosen = json.dumps([self.models, sorted(self.prompts or ())])
        with open_images(self.source) as opened:
            entries = filter(self.has, opened.entries)
            yield replace(
                opened,
                source=f"{opened.source}#{hashlib.sha256(chosen.encode()).hexdigest()[:12]}",
                models=self.models,
                entries=entries,
            )


@dataclass(frozen=True)
class TableSweeps:
    """Holds the planned works of a table, and the cells that cannot be filled with the reason.

    `unplanned` has a sentence for each arrangement without a work.
    """

    works: Mapping[Arrangement, PlannedSweep | FolderWork]
    sources: CellSources
    unplanned: Sequence[str]


def arrangement_of(source: CellSource) -> Arrangement:
    return Arrangement(source.part, tuple(sorted(source.roles.items())), source.inject)


def plan_sweeps(job: TableJob) -> TableSweeps:
    """Plan one sweep for each arrangement, of the models that can run here.

    Cells whose models cannot run get the reason. Raises BadRequest, StoreError.
    """
    table, options = job.table, job.options
    sources = {
        place: replace(
            source,
            not_because=source.not_because
            or (NO_IMAGES if source.stored and not options.images else "")
            or unavailable(source, job),
        )
        for place, source in job.sources.items()
    }
    groups: dict[Arrangement, list[CellSource]] = {}
    for source in sources.values():
        if not source.not_because and source.metric != HUMAN:
            groups.setdefault(arrangement_of(source), []).append(source)
    works: dict[Arrangement, PlannedSweep | FolderWork] = {}
    unplanned: dict[str, None] = {}
    for arrangement, group in groups.items():
        kind = table.parts[arrangement.part]
        has_prompts = options.world == "primer" or kind in options.data
        # images bring their prompts, unless some of them are chosen
        if not has_prompts and (not options.images or options.sample or len(table.parts) > 1):
            unplanned[f"Name the data with --data {kind}=PATH."] = None
            continue
        spec = _spec(job, arrangement, group)
        if options.images:
            works[arrangement] = _folder_work(spec, has_prompts, job)
        else:
            works[arrangement] = plan(spec, job.services, job.terms)
    return TableSweeps(works, sources, tuple(unplanned))


def _folder_work(spec: Spec, has_prompts: bool, job: TableJob) -> FolderWork:
    """Return the work on the images of a sweep's models, for its prompts where they are known."""
    prompts = None
    if has_prompts:
        entries = gather(spec, job.services.sets.save).entries
        prompts = frozenset(" ".join(entry.prompt.split()) for entry in entries)
    roles: dict[str, Any] = {str(role): name for role, name in spec.roles.items()}
    template = EvaluateRequest(
        prompt="",
        metrics=spec.metrics,
        judge=spec.judge,
        trials=spec.trials,
        wording=spec.wording,
        **roles,
    )
    work = FolderWork(
        source=job.options.images, models=spec.models, template=template, prompts=prompts
    )
    with work.open() as opened:
        judging = FolderJudging(job.services, opened, template, job.terms)
    return replace(work, id=judging.id)


def unavailable(source: CellSource, job: TableJob) -> str:
    """Return why a model of a cell cannot run here, in one sentence; "" where all can."""
    if source.metric == HUMAN:
        return ""
    for name in (*(() if source.stored else source.models), *source.roles.values()):
        if reason := job.services.registry.unavailable_reason(name, job.terms.keys):
            return reason
    metric = source.metric
    return (metric and job.services.metric_unavailable_reason(metric, job.terms.keys)) or ""


def _spec(job: TableJob, arrangement: Arrangement, group: Sequence[CellSource]) -> Spec:
    table, options = job.table, job.options
    roles = dict(arrangement.roles)
    metrics = dict.fromkeys(source.metric for source in group)
    models = dict.fromkeys(model for source in group for model in source.models)
    return Spec(
        title=f"{table.heading} ({arrangement.part})",
        prompts=_prompt_sources(job, arrangement.part, group),
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
    job: TableJob, part: str, group: Sequence[CellSource]
) -> tuple[PromptSource, ...]:
    kind, options = job.table.parts[part], job.options
    if options.world == "paper":
        source = PromptSource(
            kind=cast(SourceKind, kind),
            path=options.data.get(kind, ""),
            sample=options.sample,
            seed=options.seed,
        )
        return (source,)
    sample = options.sample or PRIMER_SAMPLE
    if kind == "factualbench":
        levels = {source.level for source in group if source.level}
        prompts = _factual_prompts(levels, sample, options.seed)
        return tuple(PromptSource(kind="text", path=prompt) for prompt in prompts)
    seed = options.seed + list(job.table.parts).index(part)
    signs: tuple[str, ...] = ()
    if any(source.score.startswith("text") for source in group):
        signs = sample_prompts(-(-sample // PROMPTS_PER_SIGN), seed)
    return (
        PromptSource(kind="primer", sample=sample, seed=seed),
        *(PromptSource(kind="text", path=prompt) for prompt in signs),
    )


def _factual_prompts(levels: Set[str], sample: int, seed: int) -> list[str]:
    """Return Primer's FactualBench prompts of these levels, of all levels where none is named.

    Levels take turns, in each of them its tasks, and in each of these the domains, so that each
    that a table counts has prompts as far as the sample goes.
    """
    from hallascope.primer.benchmark import factualbench

    prompts = [each for each in factualbench.prompts() if not levels or each.level in levels]
    random.Random(seed).shuffle(prompts)
    for depth in (3, 2, 1):
        met: Counter[tuple[str, ...]] = Counter()
        turns: list[int] = []
        for each in prompts:
            kind = (each.level, each.task, each.domains[0])[:depth]
            turns.append(met[kind])
            met[kind] += 1
        in_turns = sorted(zip(turns, prompts, strict=True), key=itemgetter(0))
        prompts = [each for _, each in in_turns]
    return [each.prompt for each in prompts[:sample]]


def run_sweeps(
    sweeps: TableSweeps, job: TableJob, notify: Callable[[str], None]
) -> Iterator[SweepEvent | JudgingEvent]:
    """Run one work after the other; all that is there already is not made again."""
    for work in sweeps.works.values():
        if job.stop.is_set():
            return
        if isinstance(work, FolderWork):
            with work.open() as opened:
                judging = FolderJudging(
                    job.services, opened, work.template, job.terms, stop=job.stop
                )
                yield from judging.events()
        else:
            sweep = Sweep(work, job.services, job.terms, job.stop, notify=notify)
            yield from sweep.events()


def require_known_data(table: PaperTable, data: Mapping[str, str]) -> None:
    """Raise BadRequest where data is named that the table does not use."""
    known: set[str] = {kind for kind in table.parts.values() if kind != "none"}
    known |= {needed.kind for needed in table.data}
    for kind in data:
        if kind not in known:
            words = ", ".join(sorted(known)) or "no data"
            raise BadRequest(f"--data {kind}=...: this table uses {words}.")
