"""Counts HaloQuest's entries by split, type of image and type of hallucination."""

from collections.abc import Sequence
from functools import partial

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.engine.reproduce.cells import CellSource, CellSources
from hallascope.engine.reproduce.judge_trials import NO_HALOQUEST, read_questions
from hallascope.engine.reproduce.results import OurCell, OurCells, fill_cells
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions

ALL = "all"  # every split, or every entry of one
EVALUATION = "eval"  # the split of Primer's questions


def count_haloquest(sources: CellSources, options: ReproduceOptions) -> OurCells:
    """Return how many entries each cell has. Raises BadRequest where the files cannot be read."""
    if options.world == "paper" and "haloquest" not in options.data:
        return {place: OurCell(reason=NO_HALOQUEST) for place in sources}
    return fill_cells(sources, partial(_cell, entries=_entries(options)))


def _entries(options: ReproduceOptions) -> list[tuple[str, HaloQuestion]]:
    """Return the split and the question of each entry."""
    if options.world == "primer":
        from hallascope.primer.benchmark import haloquest

        items = haloquest.items(options.sample or PRIMER_SAMPLE, options.seed)
        return [(EVALUATION, item.question) for item in items]
    return [
        (row.split, row.question)
        for row in read_questions(options).rows
        for _ in range(1 + len(row.repeated))  # an entry that stands twice counts twice
    ]


def _cell(source: CellSource, entries: Sequence[tuple[str, HaloQuestion]]) -> OurCell:
    splits = {split for split, _ in entries}
    missing = {"train", EVALUATION} - splits if source.split == ALL else {source.split} - splits
    if missing:
        return OurCell(reason=f"The files hold no entry of the split {sorted(missing)[0]!r}.")
    own = [question for split, question in entries if source.split in (ALL, split)]
    counted = sum(source.part in (ALL, each.image_type, each.hallucination) for each in own)
    return OurCell(value=float(counted), n=len(own))
