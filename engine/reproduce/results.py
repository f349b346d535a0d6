"""Defines a reproduced table: cells with our number, the published one and their difference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hallascope.data.reproduce.paper_tables import PaperTable, PublishedCell
from hallascope.engine.reproduce.cells import CellSource, CellSources, ReproducedWorld


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
        place: OurCell(reason=source.reason) if source.reason else measure(source)
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
