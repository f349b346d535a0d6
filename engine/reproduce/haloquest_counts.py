"""Counts HaloQuest's entries by split, type of image and type of hallucination."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.data.files.csv_tables import BadTable
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.reproduce.cells import CellSource, CellSources
from hallascope.engine.reproduce.judge_trials import NO_HALOQUEST
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions

ALL = "all"  # every split, or every entry of one
EVALUATION = "eval"  # the split of Primer's questions


class HaloEntry(NamedTuple):
    """Holds the split and the kinds of an entry: its type of image and of hallucination."""

    split: str
    kinds: tuple[str, str]


def count_haloquest(
    sources: CellSources, options: ReproduceOptions
) -> dict[tuple[int, int], OurCell]:
    """Return how many entries each cell has. Raises BadRequest where the files cannot be read."""
    if options.world == "paper" and "haloquest" not in options.data:
        return {place: OurCell(reason=NO_HALOQUEST) for place in sources}
    entries = _entries(options)
    return {place: _cell(source, entries) for place, source in sources.items()}


def _entries(options: ReproduceOptions) -> list[HaloEntry]:
    if options.world == "primer":
        from hallascope.primer.benchmark import haloquest

        items = haloquest.items(options.sample or PRIMER_SAMPLE, options.seed)
        return [
            HaloEntry(EVALUATION, (item.question.image_type, item.question.hallucination))
            for item in items
        ]
    try:
        benchmark = read_haloquest(Path(options.data["haloquest"]))
    except BadTable as error:
        raise BadRequest(sentence(error)) from error
    return [
        HaloEntry(row.split, (row.question.image_type, row.question.hallucination))
        for row in benchmark.rows
        for _ in range(1 + len(row.repeated))  # an entry that stands twice counts twice
    ]


def _cell(source: CellSource, entries: Sequence[HaloEntry]) -> OurCell:
    if source.reason:
        return OurCell(reason=source.reason)
    splits = {entry.split for entry in entries}
    missing = {"train", EVALUATION} - splits if source.split == ALL else {source.split} - splits
    if missing:
        return OurCell(reason=f"The files hold no entry of the split {sorted(missing)[0]!r}.")
    own = [entry for entry in entries if source.split in (ALL, entry.split)]
    counted = [entry for entry in own if source.part in (ALL, *entry.kinds)]
    return OurCell(value=float(len(counted)), n=len(own))
