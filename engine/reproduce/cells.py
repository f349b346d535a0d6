"""Resolves what each cell of a paper's table measures, with the paper's models or with Primer's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Literal, get_args

from hallascope.data.benchmarks.ihalla_difficulty import ImageType
from hallascope.data.models.services import retirement
from hallascope.data.models.specs import OF_METRIC
from hallascope.data.records import FIELDS, Category, Difficulty, IHallaField
from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services

ReproducedWorld = Literal["paper", "primer"]
WORLDS: tuple[ReproducedWorld, ...] = get_args(ReproducedWorld)
HUMAN = "human"  # stands where a metric's name would, in a row of what people say
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
class CellSource:
    """Says what a cell measures: whose images, by which metric and models, and what is counted.

    `models` draw the images, or, of `stored` images, are whom the folder that a user brings names.
    `part` is the set of prompts; `prompts` names some of them, () all. `rating` is the dimension of
    people's ratings that a correlation takes, "" for the only one. `split` is a part of a data set
    that is counted. `stand_ins` names, by the paper's model, who is in its place. `reason`: one
    sentence why the cell cannot be filled, "" where it can be.
    """

    metric: str
    score: str
    statistic: str
    models: tuple[str, ...]
    stored: bool
    roles: Mapping[Role, str]
    part: str
    categories: tuple[str, ...] = ()
    level: str = ""
    domain: str = ""
    coi: str = ""
    difficulty: Difficulty | Literal[""] = ""
    image_type: ImageType | Literal[""] = ""
    inject: str = ""
    prompts: tuple[str, ...] = ()
    rating: str = ""
    split: str = ""
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""


CellSources = Mapping[tuple[int, int], CellSource]  # by row and column, from 0
# what a column says of a cell before its row, and the table says nothing of
_SHARED = (
    "stored",
    "categories",
    "level",
    "domain",
    "coi",
    "difficulty",
    "image_type",
    "inject",
    "rating",
    "split",
)


def whole_field(categories: Sequence[str]) -> IHallaField | None:
    """Return the field of I-HallA that has exactly these categories, None where none has."""
    for name in FIELDS:
        if {category.value for category in Category if category.field == name} == set(categories):
            return name
    return None


def require_world(world: str) -> None:
    """Raise BadRequest where there is no such world."""
    if world not in WORLDS:
        raise BadRequest(f"There is no world {world!r}: choose {' or '.join(WORLDS)}.")


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
    model = column.model or row.model
    shared = {name: getattr(column, name) or getattr(row, name) for name in _SHARED}
    return CellSource(
        **shared,
        metric=column.metric or row.metric or table.metric,
        score=column.score or row.score or table.score,
        statistic=column.statistic or row.statistic or table.statistic,
        models=(model,) if model else table.models,
        roles={**table.roles, **row.roles, **column.roles},
        part=column.part or row.part or next(iter(table.parts), ""),
        reason=row.not_because or column.not_because,
    )


# --- Primer in place of the paper's models ---


def _with_stand_ins(
    sources: Mapping[tuple[int, int], CellSource], services: Services
) -> dict[tuple[int, int], CellSource]:
    """Return the sources with Primer's models.

    The first generator that a table names becomes the first of Primer's, and so on; where Primer
    has no further model of a role the cell has a reason instead.
    """
    possible = [source for source in sources.values() if not source.reason]
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
        if source.reason
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
    return replace(source, models=(), roles={}, reason=reason)
