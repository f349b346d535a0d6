"""Fills the table of F1 by type of error, in the Primer world alone, where every error is known."""

from collections.abc import Mapping
from functools import cache, partial

from hallascope.data.requests import Role
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.judge_eval.matching.errors import ErrorRowKind
from hallascope.engine.judge_eval.metrics import MetricTrial, try_metric
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.reproduce.cells import CellSources
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.sweeps import PRIMER_SAMPLE, ReproduceOptions
from hallascope.engine.services import Services
from hallascope.primer.benchmark.composition_sampler import compositions

# our kind of error by the paper's name of it
KINDS: Mapping[str, ErrorRowKind] = {
    "attribute": "color",
    "omission": "object",
    "relation": "position",
    "extraneous": "extraneous",
}
Lineup = tuple[tuple[Role, str], ...]


def error_type_cells(
    sources: CellSources,
    columns: Mapping[int, str],
    services: Services,
    options: ReproduceOptions,
    on_progress: ReportProgress,
) -> dict[tuple[int, int], OurCell]:
    """Return F1 in [0, 1] of each type of error, on Primer images in which every error is known.

    `columns` names the type of each column.
    """
    try_lineup = cache(partial(_try, services, options, on_progress))
    return {
        place: OurCell(reason=source.reason)
        if source.reason
        else _cell(
            try_lineup(source.metric, tuple(sorted(source.roles.items()))), columns[place[1]]
        )
        for place, source in sources.items()
    }


def _try(
    services: Services,
    options: ReproduceOptions,
    on_progress: ReportProgress,
    metric: str,
    lineup: Lineup,
) -> MetricTrial:
    models: dict[Role, BoundModel | None] = {
        role: services.registry.bind(name) for role, name in lineup
    }
    drawn = list(compositions(options.sample or PRIMER_SAMPLE, options.seed))
    return try_metric(services.metric(metric), models, drawn, on_progress)


def _cell(trial: MetricTrial, column: str) -> OurCell:
    kind = KINDS[column]
    outcome = next(each for each in trial.outcomes if each.aim.kind == kind)
    if outcome.tally.f1 is None:
        return OurCell(n=trial.pictures, reason="No error of this type is in the images.")
    return OurCell(
        value=outcome.tally.f1, n=trial.pictures, trials=1, left_out=outcome.tally.left_out
    )


def unmade_cells(sources: CellSources, reason: str) -> dict[tuple[int, int], OurCell]:
    """Return cells without a number: each with its own reason, else with this one."""
    return {place: OurCell(reason=source.reason or reason) for place, source in sources.items()}
