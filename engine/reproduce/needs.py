"""Says what a table of a paper needs: models, keys, data, memory of a GPU, what people say."""

from collections.abc import Iterable
from dataclasses import dataclass

from hallascope.data.models.specs import OF_METRIC, ModelSpec
from hallascope.data.reproduce.paper_tables import NeededData, PaperTable
from hallascope.engine.errors import BadRequest
from hallascope.engine.reproduce.cells import CellSources, cell_sources, shut_down
from hallascope.engine.services import Services

_GIGABYTE = "GB"


@dataclass(frozen=True)
class NeededModel:
    """Holds a model of a table by its name, and why it cannot run here, "" where it can."""

    name: str
    title: str
    reason: str
    memory_gb: float | None


@dataclass(frozen=True, kw_only=True)
class TableNeeds:
    """Holds what a table needs in the paper's own world.

    `keys` are names of environment variables. `gpu_gb` is the memory of the GPU that the largest
    local model takes, in GB, one model at a time; None where none needs a GPU. `stored` names the
    images that the user brings. `not_because` is one sentence, "" where the table can be computed;
    `blank` says the same of single rows and columns. `gone`: why models that judge or write are no
    longer to be had; `undrawn` the same of those that draw.
    """

    models: tuple[NeededModel, ...]
    keys: tuple[str, ...]
    gpu_gb: float | None
    data: tuple[NeededData, ...]
    stored: tuple[str, ...]
    ratings: bool
    not_because: str
    blank: tuple[str, ...]
    gone: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """Return "runs", what it runs with, or "not, because" and the reason."""
        if self.not_because:
            return f"not, because {self.not_because[:1].lower()}{self.not_because[1:]}"
        if self.gone:
            words = "; ".join(each.partition(";")[0] for each in self.gone)
            return f"not: {words}; --judge NAME judges in its place and is printed so"
        parts = []
        if self.keys:
            parts.append("a key" if len(self.keys) == 1 else f"{len(self.keys)} keys")
        if self.gpu_gb is not None:
            parts.append(f"a GPU of {self.gpu_gb:g} {_GIGABYTE}")
        if self.ratings:
            parts.append("ratings by people")
        without = "".join(f"; {each.partition(';')[0]}" for each in self.undrawn)
        return (f"runs with {_listed(parts)}" if parts else "runs") + without


def table_needs(table: PaperTable, services: Services) -> TableNeeds:
    """Return what a table needs with the paper's models."""
    if table.not_because:
        return TableNeeds(
            models=(),
            keys=(),
            gpu_gb=None,
            data=table.data,
            stored=(),
            ratings=False,
            not_because=table.not_because,
            blank=(),
        )
    sources = cell_sources(table, "paper", services)
    specs = [services.registry.spec(name) for name in _model_names(sources)]
    gpu = [spec.memory_gb for spec in specs if "gpu" in spec.needs and spec.memory_gb is not None]
    return TableNeeds(
        models=tuple(_needed_model(spec, services) for spec in specs),
        keys=tuple(dict.fromkeys(spec.key for spec in specs if spec.key)),
        gpu_gb=max(gpu, default=None),
        data=table.data,
        stored=tuple(
            dict.fromkeys(
                model for source in sources.values() if source.stored for model in source.models
            )
        ),
        ratings=table.ratings,
        gone=_gone((source.roles.values() for source in sources.values()), services),
        undrawn=_gone(
            (source.models for source in sources.values() if not source.stored), services
        ),
        not_because="",
        blank=tuple(
            f"{line.name}: {line.not_because}"
            for line in (*table.rows, *table.columns)
            if line.not_because
        ),
    )


def _gone(names: Iterable[Iterable[str]], services: Services) -> tuple[str, ...]:
    """Return a sentence for each of these models that its service has shut down."""
    every = dict.fromkeys(name for some in names for name in some)
    return tuple(filter(None, (shut_down(name, services) for name in every)))


def _model_names(sources: CellSources) -> Iterable[str]:
    """Return the models of all cells that can be filled, each once."""
    names: dict[str, None] = {}
    for source in sources.values():
        if source.reason:
            continue
        drawn = () if source.stored else source.models
        fixed = OF_METRIC.get(source.metric, {})
        for name in (*drawn, *{**source.roles, **fixed}.values()):
            names[name] = None
    return names


def _needed_model(spec: ModelSpec, services: Services) -> NeededModel:
    reason = services.registry.unavailable_reason(spec.id) or ""
    return NeededModel(spec.id, spec.title, reason, spec.memory_gb)


def _listed(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def find_table(paper: str, table: str) -> tuple[str, PaperTable]:
    """Return the title of the paper and its table by their names. Raises BadRequest."""
    from hallascope.data.reproduce.paper_tables import read_papers

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
