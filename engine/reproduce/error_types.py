"""Fills the table of F1 by type of error, in the Primer world alone, where every error is known."""

from collections.abc import Mapping
from functools import cache, partial

from hallascope.data.requests import Role
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.judge_eval.matching.errors import ErrorRowKind
from hallascope.engine.judge_eval.metrics import MetricTrial, try_metric
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.reproduce.results import OurCell, OurCells, fill_cells
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, TableJob
from hallascope.primer.benchmark.composition_sampler import compositions

# our kind of error by the paper's name of it
KINDS: Mapping[str, ErrorRowKind] = {
    "attribute": "color",
    "omission": "object",
    "relation": "position",
    "extraneous": "extraneous",
}
Lineup = tuple[tuple[Role, str], ...]


def error_type_cells(job: TableJob, on_progress: ReportProgress) -> OurCells:
    """Return F1 in [0, 1] of each type of error, on Primer images in which every error is known."""
    try_lineup = cache(partial(_try, job, on_progress))
    return fill_cells(
        job.sources,
        lambda source: _cell(
            try_lineup(source.metric, tuple(sorted(source.roles.items()))), source.part
        ),
    )


def _try(job: TableJob, on_progress: ReportProgress, metric: str, lineup: Lineup) -> MetricTrial:
    services, options = job.services, job.options
    models: dict[Role, BoundModel | None] = {
        role: services.registry.bind(name) for role, name in lineup
    }
    drawn = list(compositions(options.sample or PRIMER_SAMPLE, options.seed))
    return try_metric(services.metric(metric, options.wording), models, drawn, on_progress)


def _cell(trial: MetricTrial, part: str) -> OurCell:
    outcome = next(each for each in trial.outcomes if each.aim.kind == KINDS[part])
    if outcome.tally.f1 is None:
        return OurCell(n=trial.pictures, reason="No error of this type is in the images.")
    return OurCell(
        value=outcome.tally.f1, n=trial.pictures, trials=1, left_out=outcome.tally.left_out
    )
