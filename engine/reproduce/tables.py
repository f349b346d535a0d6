"""Holds a paper's table as it is reproduced: what each cell measures, and what the table needs.

Cells measure it with the paper's models, with Primer's, or on the images of a folder. A table needs
models, keys, data, memory of a GPU, and what people say.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Literal

from hallascope.data.models.services import retirement
from hallascope.data.models.specs import OF_METRIC, ModelSpec
from hallascope.data.records import FIELDS, Category, IHallaField
from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable, PublishedCell, read_papers
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import ihalla
from hallascope.engine.image_folders.sources import open_images
from hallascope.engine.services import Services

ReproducedWorld = Literal["paper", "primer"]
HUMAN = "human"  # stands where a metric's name would, in a row of what people say
NOTHING_STORED = "Nothing is stored of it yet: run the command with --go."
LINE = fields(PaperLine)
# what takes the place of a writer, and of people, in the Primer world
BY_RULES = "rules"
DRAWN_TRUTH = "the drawings' true answers"
# Primer's models in place of the paper's, role by role, in the order in which a table names models
STAND_INS: Mapping[Role, tuple[str, ...]] = {
    "generator": ("primer/exact", "primer/careful", "primer/hasty", "primer/careless"),
    "judge": ("primer/judge",),
    "captioner": ("primer/judge",),
    "detector": ("primer/segmenter",),
    "segmenter": ("primer/segmenter",),
    "embedder": ("primer/embedder",),
    "writer": ("",),  # none: the metrics that can do without one write by rules
}


@dataclass(frozen=True, kw_only=True)
class CellSource(PaperLine):
    """Says what a cell measures: its row and its column in one, with what the table says of both.

    `models` draw the images, or, of `stored` images, are whom the folder that a user brings names.
    `prompts` names some of the prompts of the part, () all. `stand_ins` names, by the paper's
    model, who is in its place. `not_because`: one sentence why the cell cannot be filled, "" where
    it can be.
    """

    models: tuple[str, ...]
    prompts: tuple[str, ...] = ()
    stand_ins: Mapping[str, str] = field(default_factory=dict)


CellSources = Mapping[tuple[int, int], CellSource]  # by row and column, from 0


@dataclass(frozen=True, kw_only=True)
class OurCell:
    """Holds our number in the table's unit, and the published one.

    `deviation` is the sample standard deviation over `trials`, None under two. `n` prompts,
    questions or images were counted; `left_out` had no answer. `value` None: `reason` says why.
    `protocol`: how a judge answered, as `Report.protocol`. `published` is empty where Primer's
    models stand in; `stand_ins` names, by the paper's model, who is in its place. `wording` names
    the texts that models are sent, "" where nobody is asked.
    """

    value: float | None = None
    deviation: float | None = None
    n: int = 0
    trials: int = 0
    left_out: int = 0
    reason: str = ""
    protocol: str = ""
    published: PublishedCell = field(default_factory=PublishedCell)
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    wording: str = ""

    @property
    def difference(self) -> float | None:
        """Return ours minus the published number, in the table's unit; None without one of them."""
        if self.value is None or self.published.value is None:
            return None
        return self.value - self.published.value

    @property
    def stand_in(self) -> str:
        """Return who is in whose place, in words; "" where nobody is."""
        return "; ".join(f"{own} for {theirs}" for theirs, own in self.stand_ins.items())


OurCells = Mapping[tuple[int, int], OurCell]  # by row and column, from 0


def fill_cells(sources: CellSources, measure: Callable[[CellSource], OurCell]) -> OurCells:
    """Return what `measure` says of each cell, and why of each that cannot be filled."""
    return {
        place: OurCell(reason=source.not_because) if source.not_because else measure(source)
        for place, source in sources.items()
    }


@dataclass(frozen=True, kw_only=True)
class ReproducedTable:
    """Holds a table of a paper with our numbers: cells by row and column, from 0.

    `notes` are sentences to stand below the table.
    """

    paper: str
    table: PaperTable
    world: ReproducedWorld
    cells: OurCells
    notes: tuple[str, ...] = ()


def whole_field(categories: Sequence[str]) -> IHallaField | None:
    """Return the field of I-HallA that has exactly these categories, None where none has."""
    for name in FIELDS:
        if {category.value for category in Category if category.field == name} == set(categories):
            return name
    return None


def cell_sources(table: PaperTable, world: ReproducedWorld, services: Services) -> CellSources:
    """Return what each cell measures in a world."""
    sources = {
        (i, j): _cell_source(table, row, column)
        for i, row in enumerate(table.rows)
        for j, column in enumerate(table.columns)
    }
    if world == "primer":
        sources = _with_stand_ins(sources, services)
    return sources


def with_judge(
    sources: CellSources, services: Services, judge: str
) -> tuple[CellSources, tuple[str, ...]]:
    """Return the sources with a judge in place of those that cannot run here.

    It also has the other roles of models that their services have shut down, where it can. Every
    change is a sentence for the table. Raises UnknownModel.
    """
    spec = services.registry.spec(judge)
    notes: dict[str, None] = {}
    changed = {}
    for place, source in sources.items():
        roles = dict(source.roles)
        for role, name in source.roles.items():
            gone = shut_down(name, services)
            if role == "judge":
                gone = gone or services.registry.unavailable_reason(name) or ""
            if gone and spec.fills(role):
                roles[role] = judge
                reason = gone.partition(";")[0]
                notes[f"{judge} is the {role} in place of {name}: {reason}."] = None
        stand_ins = {
            source.roles[role]: judge for role in roles if roles[role] != source.roles[role]
        }
        changed[place] = replace(source, roles=roles, stand_ins=stand_ins)
    return changed, tuple(notes)


def shut_down(name: str, services: Services) -> str:
    """Return when a model was shut down and what to take, in one sentence; "" where it was not."""
    spec = services.registry.spec(name)
    gone = retirement(spec)
    return gone.sentence(spec.title) if gone and gone.is_over() else ""


def _cell_source(table: PaperTable, row: PaperLine, column: PaperLine) -> CellSource:
    said = {each.name: getattr(column, each.name) or getattr(row, each.name) for each in LINE}
    for name in ("metric", "score", "statistic"):
        said[name] = said[name] or getattr(table, name)
    return CellSource(
        **said
        | {
            "models": (said["model"],) if said["model"] else table.models,
            "roles": {**table.roles, **row.roles, **column.roles},
            "part": said["part"] or next(iter(table.parts), ""),
            "not_because": row.not_because or column.not_because,
        }
    )


# --- Primer in place of the paper's models ---


def _with_stand_ins(
    sources: Mapping[tuple[int, int], CellSource], services: Services
) -> dict[tuple[int, int], CellSource]:
    """Return the sources with Primer's models.

    The first generator that a table names becomes the first of Primer's, and so on; where Primer
    has no further model of a role the cell has a reason instead.
    """
    possible = [source for source in sources.values() if not source.not_because]
    generators = _stand_in_names(
        "generator", (model for source in possible for model in source.models)
    )
    by_metric: dict[str, dict[Role, Mapping[str, str | None]]] = {}
    for metric in {source.metric for source in possible}:
        named = [source.roles for source in possible if source.metric == metric]
        by_metric[metric] = {
            role: _stand_in_names(role, (roles.get(role, "") for roles in named))
            for role in STAND_INS
        }
    return {
        place: source
        if source.not_because
        else _in_primer(source, generators, by_metric[source.metric], services)
        for place, source in sources.items()
    }


def _stand_in_names(role: Role, names: Iterable[str]) -> dict[str, str | None]:
    """Return Primer's model by the paper's; None where Primer has no further one."""
    in_order = dict.fromkeys(filter(None, names))
    models: Iterable[str | None] = chain(STAND_INS[role], repeat(None))
    return dict(zip(in_order, models, strict=False))


def _in_primer(
    source: CellSource,
    generators: Mapping[str, str | None],
    by_role: Mapping[Role, Mapping[str, str | None]],
    services: Services,
) -> CellSource:
    stand_ins = {model: name for model in source.models if (name := generators[model])}
    models = tuple(stand_ins.values())
    if source.models and not models:
        return _without(source, "Primer has no further generator to stand here.")
    if source.inject:
        return _without(source, "Primer's generators take no knowledge beside the prompt.")
    roles: dict[Role, str] = {}
    for role, name in source.roles.items():
        stand_in = by_role[role][name]
        if stand_in is None:
            return _without(source, f"Primer has no further {role} to stand here.")
        stand_ins[name] = stand_in or BY_RULES
        if stand_in:
            roles[role] = stand_in
    if source.metric == HUMAN:
        stand_ins[HUMAN] = DRAWN_TRUTH
    drawn = replace(source, models=models, stored=False, stand_ins=stand_ins)
    if source.metric in ("", HUMAN):
        return replace(drawn, roles=roles)
    fixed = dict(OF_METRIC.get(source.metric, {}))
    for role in services.metric(source.metric).required_roles:
        if role in fixed and not services.registry.spec(fixed[role]).is_shipped:
            return _without(source, f"This metric runs {fixed[role]}, which Primer does not have.")
        if role not in roles and role not in fixed:
            default = next(iter(STAND_INS.get(role, ())), "")
            if not default:
                return _without(source, f"This metric needs a {role}, which Primer does not have.")
            roles[role] = default
    return replace(drawn, roles=roles)


def _without(source: CellSource, reason: str) -> CellSource:
    return replace(source, models=(), roles={}, not_because=reason)


DRAWN_FILLS = ("scores", "correlations")  # tables of images, which a folder may hold


def data_in_images(table: PaperTable, images: str) -> dict[str, str]:
    """Return the path of the table's benchmark by its kind, where it lies beside the images."""
    is_there = bool(images) and "ihalla" in table.parts.values() and ihalla.matches(Path(images))
    return {"ihalla": images} if is_there else {}


def with_images(table: PaperTable, sources: CellSources, source: str) -> tuple[CellSources, str]:
    """Return the cells with the folder's models in place of those that would draw, and a note.

    A model of the folder is a row's where its name is that of the row or of its model, but for
    case and signs. Raises BadRequest where the folder has no image for the table.
    """
    if table.fill not in DRAWN_FILLS:
        raise BadRequest(f"{table.heading.capitalize()} has no rows of images: leave --images out.")
    with open_images(source) as opened:
        layout, models = opened.layout, opened.models
    by_name = {_plain_name(model): model for model in models}
    drawn = [(line.model, line.inject, line.name) for line in (*table.rows, *table.columns)]
    drawn += [(model, "", model) for model in table.models]
    owners: dict[tuple[str, str], str] = {
        (model, inject): own
        for model, inject, name in drawn
        for each in (name, model)
        if model and (own := by_name.get(_plain_name(each) + inject))
    }
    if not owners:
        raise BadRequest(
            f"The images (layout {layout}) name the models {', '.join(models) or 'not'}, and none"
            f" is a row of {table.heading}: name them as its rows, in a table with the columns"
            " prompt, image and model."
        )
    places = [f"{own} as {name}" for (name, _), own in owners.items()]
    places += [f"{model} is in no row" for model in models if model not in owners.values()]
    note = f"The images are those of {source} (layout {layout}): {'; '.join(places)}."
    return {place: _on_images(cell, owners) for place, cell in sources.items()}, note


def _on_images(source: CellSource, owners: dict[tuple[str, str], str]) -> CellSource:
    models = tuple(own for model in source.models if (own := owners.get((model, source.inject))))
    reason = source.not_because
    if source.models and not models:
        reason = reason or f"The folder has no images of {', '.join(source.models)}."
    return replace(source, models=models, stored=bool(models), inject="", not_because=reason)


def _plain_name(name: str) -> str:
    """Return a model's name without owner, case, signs, and what writers leave out."""
    name = "".join(filter(str.isalnum, name.rpartition("/")[2].casefold()))
    return name.replace("stablediffusion", "sd").replace("stable", "sd").replace("base", "")


@dataclass(frozen=True, kw_only=True)
class TableNeeds:
    """Holds what a table needs in the paper's own world, to draw its images or to be given them.

    `models` are those of the cells that can be filled, each with why it cannot run here, "" where
    it can. `images`: whose images --images can bring; `brought`: how they come, in words. `gone`:
    why models that judge or write are no longer to be had; `undrawn` the same of those that draw.
    """

    table: PaperTable
    models: tuple[tuple[ModelSpec, str], ...] = ()
    images: tuple[str, ...] = ()
    brought: str = "-"
    gone: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the names of environment variables."""
        return tuple(dict.fromkeys(spec.key for spec, _ in self.models if spec.key))

    @property
    def gpu_gb(self) -> float | None:
        """Return the memory that the largest model takes of a GPU, in GB; None without one."""
        on_gpu = [spec.memory_gb for spec, _ in self.models if "gpu" in spec.needs]
        return max(filter(None, on_gpu), default=None)

    @property
    def status(self) -> str:
        """Return "runs", what it runs with, or "not, because" and the reason."""
        reason = self.table.not_because
        if reason:
            return f"not, because {reason[:1].lower()}{reason[1:]}"
        if self.gone:
            words = "; ".join(each.partition(";")[0] for each in self.gone)
            return f"not: {words}; --judge NAME judges in its place and is printed so"
        parts = []
        if self.keys:
            parts.append("a key" if len(self.keys) == 1 else f"{len(self.keys)} keys")
        if self.gpu_gb is not None:
            parts.append(f"a GPU of {self.gpu_gb:g} GB")
        if self.table.ratings:
            parts.append("ratings by people")
        words = " with " + " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
        without = "".join(f"; {each.partition(';')[0]}" for each in self.undrawn)
        return f"runs{words if parts else ''}{without}"


def table_needs(table: PaperTable, services: Services, has_images: bool = False) -> TableNeeds:
    """Return what a table needs with the paper's models; `has_images`: nothing is drawn."""
    if table.not_because:
        return TableNeeds(table=table)
    asked: dict[str, None] = {}
    drawing: dict[str, None] = {}
    images: dict[str, None] = {}
    for source in cell_sources(table, "paper", services).values():
        if source.not_because:
            continue
        asked |= dict.fromkeys({**source.roles, **OF_METRIC.get(source.metric, {})}.values())
        if table.fill in DRAWN_FILLS:
            images |= dict.fromkeys(source.models)
        if not (source.stored or has_images):
            drawing |= dict.fromkeys(source.models)

    say_gone = partial(shut_down, services=services)
    registry = services.registry
    return TableNeeds(
        table=table,
        models=tuple(
            (registry.spec(name), registry.unavailable_reason(name) or "")
            for name in sorted(drawing | asked)
        ),
        images=tuple(images),
        brought=("drawn, or --images" if drawing else "--images") if images else "-",
        gone=tuple(filter(None, map(say_gone, asked))),
        undrawn=tuple(filter(None, map(say_gone, drawing))),
    )


def find_table(paper: str, table: str) -> tuple[str, PaperTable]:
    """Return the title of the paper and its table by their names. Raises BadRequest."""
    papers = {each.name: each for each in read_papers()}
    if paper not in papers:
        raise BadRequest(f"There is no paper {paper!r}: choose {', '.join(papers)}.")
    wanted = table.strip().lower().replace(" ", "-").removeprefix("table-")
    tables = {each.name: each for each in papers[paper].tables}
    if wanted not in tables:
        raise BadRequest(
            f"{papers[paper].title} has no table {table!r} here: choose {', '.join(tables)}."
        )
    return papers[paper].title, tables[wanted]
