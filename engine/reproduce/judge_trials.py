"""Fills the tables of HaloQuest: how many of its questions a judge answers rightly, by slice.

The replies are graded as by HaloQuest's Auto-Eval; without a writer, as in the Primer world, they
are graded by rules. Replies are kept in the store, so that the same command asks nothing again.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hallascope.data.benchmarks.haloquest import HaloQuest, read_haloquest
from hallascope.data.files.tables import BadTable
from hallascope.engine.errors import refuse
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import (
    HaloResult,
    HaloTrialItem,
    haloquest_items,
    primer_items,
    run_halo_trial,
    sample_rows,
)
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.reproduce.cells import CellSource
from hallascope.engine.reproduce.results import OurCell, OurCells, fill_cells
from hallascope.engine.reproduce.scores import NOTHING_STORED
from hallascope.engine.reproduce.sweeps import (
    PRIMER_SAMPLE,
    ReproduceOptions,
    TableJob,
    unavailable,
)
from hallascope.metrics.aggregate import Mean

NO_HALOQUEST = "Name HaloQuest's file or folder with --data haloquest=PATH."
OVERALL = "overall"


def run_judges(job: TableJob, on_progress: ReportProgress) -> dict[str, HaloResult]:
    """Ask every judge of a table that can run, and return what came of it by the judge's name.

    Each judge has an equal part of the cap of a run. Raises BadRequest where the questions cannot
    be read.
    """
    judges = {
        source.roles["judge"]: source.roles.get("writer")
        for source in job.sources.values()
        if not (source.reason or _reason(source, job))
    }
    if not judges:
        return {}
    share = replace(job.terms, run=job.terms.caps()[0] / len(judges))
    trials = {}
    with tempfile.TemporaryDirectory() as folder:
        items = _items(job, Path(folder))
        for judge, grader in judges.items():
            for step in run_halo_trial(
                job.services,
                items,
                judge,
                grader,
                terms=share,
                stop=job.stop,
                wording=job.options.wording,
            ):
                if isinstance(step, HaloResult):
                    trials[judge] = step
                else:
                    on_progress(step.done, step.of)
    return trials


def read_questions(options: ReproduceOptions) -> HaloQuest:
    """Return HaloQuest's questions from the data that is named. Raises BadRequest."""
    with refuse(BadTable):
        return read_haloquest(Path(options.data["haloquest"]))


def _reason(source: CellSource, job: TableJob) -> str:
    """Return why nothing can be asked for a cell, "" where it can."""
    if job.options.world == "paper" and "haloquest" not in job.options.data:
        return NO_HALOQUEST
    return unavailable(source, job)


def _items(job: TableJob, folder: Path) -> list[HaloTrialItem]:
    """Return the questions with their images, which are downloaded in the paper's world."""
    services, options = job.services, job.options
    if options.world == "primer":
        return list(primer_items(options.sample or PRIMER_SAMPLE, options.seed, folder))
    rows = sample_rows(read_questions(options), options.sample or 0, options.seed)
    downloads = Downloads(services.store.folder / "downloads")
    return list(haloquest_items(rows, None, downloads, services.import_picture))


def judge_cells(job: TableJob, trials: Mapping[str, HaloResult]) -> OurCells:
    """Return the share of right replies in the slice of each cell, in the table's unit."""
    return fill_cells(job.sources, partial(_cell, job, trials))


def _cell(job: TableJob, trials: Mapping[str, HaloResult], source: CellSource) -> OurCell:
    if reason := _reason(source, job):
        return OurCell(reason=reason)
    trial = trials.get(source.roles["judge"])
    if trial is None:
        return OurCell(reason=NOTHING_STORED)
    answered = trial.answered
    slices: dict[Any, Mean] = {
        OVERALL: answered.overall,
        **answered.by_image_type,
        **answered.by_hallucination_type,
    }
    mean = slices.get(source.part)
    if mean is None or mean.value is None:
        return OurCell(reason=f"No question of the slice {source.part!r} was answered.")
    value = mean.value * job.table.scale_factor
    return OurCell(value=value, n=mean.n, trials=1, left_out=mean.unanswered)
