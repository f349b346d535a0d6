"""Fills the tables of HaloQuest: how many of its questions a judge answers rightly, by slice.

The replies are graded as by HaloQuest's Auto-Eval; without a writer, as in the Primer world, they
are graded by rules. Replies are kept in the store, so that the same command asks nothing again.
"""

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.data.files.csv_tables import BadTable
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    HaloTrial,
    HaloTrialItem,
    haloquest_items,
    primer_items,
    run_halo_trial,
    sample_rows,
)
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import CellSource, CellSources
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.scores import NOTHING_STORED
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions
from hallascope.engine.services import Services
from hallascope.metrics.aggregate import Mean

NO_HALOQUEST = "Name HaloQuest's file or folder with --data haloquest=PATH."
OVERALL = "overall"


def run_judges(
    sources: CellSources,
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
    stop: threading.Event,
    on_progress: ReportProgress,
) -> dict[str, HaloTrial]:
    """Ask every judge of a table that can run, and return what came of it by the judge's name.

    Each judge has an equal part of the cap of a run. Raises BadRequest where the questions cannot
    be read.
    """
    judges = {
        source.roles["judge"]: source.roles.get("writer")
        for source in sources.values()
        if not source.reason and not unavailable_judge(source, services, terms)
    }
    if not judges or (options.world == "paper" and "haloquest" not in options.data):
        return {}
    share = replace(terms, run=terms.caps()[0] / len(judges))
    trials = {}
    with tempfile.TemporaryDirectory() as folder:
        items = _items(services, options, Path(folder))
        for judge, grader in judges.items():
            for step in run_halo_trial(
                services, items, judge, grader, terms=share, stop=stop, wording=options.wording
            ):
                if isinstance(step, HaloTrial):
                    trials[judge] = step
                else:
                    on_progress(step.done, step.of)
    return trials


def unavailable_judge(source: CellSource, services: Services, terms: SpendingPolicy) -> str:
    """Return why the judge or the grader of a cell cannot run here, "" where both can."""
    for name in source.roles.values():
        if reason := services.registry.unavailable_reason(name, terms.keys):
            return reason
    return ""


def _items(services: Services, options: ReproduceOptions, folder: Path) -> list[HaloTrialItem]:
    """Return the questions with their images, which are downloaded in the paper's world."""
    if options.world == "primer":
        return list(primer_items(options.sample or PRIMER_SAMPLE, options.seed, folder))
    try:
        benchmark = read_haloquest(Path(options.data["haloquest"]))
    except BadTable as error:
        raise BadRequest(sentence(error)) from error
    rows = sample_rows(benchmark, options.sample or 0, options.seed)
    downloads = Downloads(services.store.folder / "downloads")
    return list(haloquest_items(rows, None, downloads, services.import_picture))


def judge_cells(
    table: PaperTable,
    sources: CellSources,
    trials: Mapping[str, HaloTrial],
    services: Services,
    options: ReproduceOptions,
    terms: SpendingPolicy,
) -> dict[tuple[int, int], OurCell]:
    """Return the share of right replies in the slice of each cell, in the table's unit."""
    cells = {}
    for place, source in sources.items():
        reason = source.reason or unavailable_judge(source, services, terms)
        if not reason and options.world == "paper" and "haloquest" not in options.data:
            reason = NO_HALOQUEST
        trial = None if reason else trials.get(source.roles["judge"])
        if trial is None:
            cells[place] = OurCell(reason=reason or NOTHING_STORED)
        else:
            cells[place] = _cell(table, trial, source.part)
    return cells


def _cell(table: PaperTable, trial: HaloTrial, part: str) -> OurCell:
    answered = trial.answered
    slices: dict[Any, Mean] = {
        OVERALL: answered.overall,
        **answered.by_image_type,
        **answered.by_hallucination_type,
    }
    mean = slices.get(part)
    if mean is None or mean.value is None:
        return OurCell(reason=f"No question of the slice {part!r} was answered.")
    return OurCell(
        value=mean.value * table.scale_factor, n=mean.n, trials=1, left_out=mean.unanswered
    )
