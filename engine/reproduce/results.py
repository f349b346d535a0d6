"""Defines a reproduced table: cells with our number, the published one and their difference."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable, PublishedCell
from hallascope.engine.reproduce.cells import ReproducedWorld


@dataclass(frozen=True, kw_only=True)
class OurCell:
    """Holds our number in the table's unit.

    `deviation` is the sample standard deviation over `trials`, None under two. `n` prompts,
    questions or images were counted; `left_out` had no answer. `value` None: `reason` says why.
    """

    value: float | None = None
    deviation: float | None = None
    n: int = 0
    trials: int = 0
    left_out: int = 0
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ReproducedCell:
    """Holds our number and the published one, which is empty where Primer's models stand in."""

    ours: OurCell
    published: PublishedCell = field(default_factory=PublishedCell)

    @property
    def difference(self) -> float | None:
        """Return ours less the published number, in the table's unit; None without one of them."""
        if self.ours.value is None or self.published.value is None:
            return None
        return self.ours.value - self.published.value


@dataclass(frozen=True, kw_only=True)
class ReproducedTable:
    """Holds a table of a paper with our numbers: cells by row and column, from 0.

    `stand_ins` names, by row or column of the paper, Primer's model in its place; it is empty in
    the paper's own world. `notes` are sentences to stand below the table.
    """

    paper: str
    table: PaperTable
    world: ReproducedWorld
    cells: Mapping[tuple[int, int], ReproducedCell]
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[PaperLine, ...]:
        return self.table.rows

    @property
    def columns(self) -> tuple[PaperLine, ...]:
        return self.table.columns
