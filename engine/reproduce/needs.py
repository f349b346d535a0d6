"""Says what a table of a paper needs: models, keys, data, memory of a GPU, what people say."""

from dataclasses import dataclass
from functools import partial

from hallascope.data.models.specs import OF_METRIC, ModelSpec
from hallascope.data.reproduce.paper_tables import PaperTable, read_papers
from hallascope.engine.errors import BadRequest
from hallascope.engine.reproduce.cells import cell_sources, shut_down
from hallascope.engine.reproduce.folders import DRAWN_FILLS
from hallascope.engine.services import Services


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
        if source.reason:
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
