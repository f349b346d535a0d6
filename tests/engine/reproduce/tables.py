"""Small tables for tests of their layout and formats."""

from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable, PublishedCell
from hallascope.engine.reproduce.cells import ReproducedWorld
from hallascope.engine.reproduce.results import OurCell, ReproducedCell, ReproducedTable


def small_table(
    row: str = "SD v1.4",
    column: str = "Science",
    note: str = "A note.",
    ours: float | None = 0.401,
    world: ReproducedWorld = "paper",
) -> ReproducedTable:
    """Return a table of one row and two columns, of which the second has no number of ours."""
    spec = PaperTable(
        name="3",
        title="Scores",
        section="Results",
        fill="scores",
        rows=(PaperLine(name=row),),
        columns=(
            PaperLine(name=column, group="I-HallA Score"),
            PaperLine(name="History", group="I-HallA Score"),
        ),
    )
    published = PublishedCell(0.353, 0.002) if world == "paper" else PublishedCell()
    first = OurCell(value=ours, deviation=None if ours is None else 0.01, n=100, trials=3)
    return ReproducedTable(
        paper="I-HallA",
        table=spec,
        world=world,
        cells={
            (0, 0): ReproducedCell(ours=first, published=published),
            (0, 1): ReproducedCell(ours=OurCell(reason="No key."), published=PublishedCell(0.535)),
        },
        notes=(note,),
    )
