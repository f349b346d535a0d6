"""Fills the cells of a table from stored evaluations: means, deviations over trials, correlations.

A mean is over prompts, each weighing the same, as in equation 1 of I-HallA; by composition of
interest it is over questions. The deviation is the sample standard deviation over trials.
"""

from collections.abc import Sequence
from dataclasses import replace

from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import mean_bounds
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.reproduce.cells import CellSource
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.storage.scores import ranked_model
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from hallascope.metrics.running_sums import Sums, mean
from hallascope.metrics.statistics.intervals import spread

NOTHING_STORED = "Nothing is stored of it yet: run the command with --go."
NOTHING_DRAWN = "No prompt of it is among those that ran: a larger --sample may have some."
NOT_ASKED = "No prompt that ran asks for it (n = 0)."
NO_SCORE = "It has no score: models failed, or no answer could be read. Try another --judge."


def score_cell(store: Store, table: PaperTable, source: CellSource, runs: Sequence[str]) -> OurCell:
    """Return the mean of a score over the prompts of a cell, with its deviation over trials.

    `runs` are the sweeps that count.
    """
    by: Grouping = "coi" if source.coi else "trial"
    sums = _sums_by_group(store, source, runs, by)
    query = Query(source.metric, source.score, by)
    bounds = mean_bounds(query)
    if by == "coi":
        sums = {source.coi: sums[source.coi]} if source.coi in sums else {}
    means = [mean(each, bounds, over_questions=query.is_over_items) for each in sums.values()]
    values = [each.value for each in means if each.value is not None]
    if not means:
        has_run = any(map(SweepStore(store.database).done_items, runs))
        return OurCell(reason=NOTHING_DRAWN if has_run else NOTHING_STORED)
    if not values:
        return OurCell(reason=NO_SCORE if any(each.unanswered for each in means) else NOT_ASKED)
    over = spread(values)
    factor = table.scale_factor
    return OurCell(
        value=None if over.mean is None else over.mean * factor,
        deviation=None if over.std is None else over.std * factor,
        n=max(each.n for each in means),
        trials=len(values),
        left_out=sum(each.unanswered for each in means),
    )


def cell_filters(source: CellSource, runs: Sequence[str]) -> Filters:
    """Return the filters of the evaluations that a cell counts, of all its categories."""
    models = source.models
    if source.inject:
        models = tuple(ranked_model(model, source.inject) for model in models)
    return Filters(
        models=models,
        level=source.level or None,
        domain=source.domain or None,
        prompts=source.prompts,
        runs=tuple(runs),
    )


def _sums_by_group(
    store: Store, source: CellSource, runs: Sequence[str], by: Grouping
) -> dict[str, Sums]:
    """Return the sums by trial, or by composition of interest, over the categories of a cell."""
    total: dict[str, Sums] = {}
    filters = cell_filters(source, runs)
    for category in source.categories or (None,):
        narrow = replace(filters, category=category)
        query = Query(source.metric, source.score, by, narrow)
        keys = queries.select_instruments(query, queries.read_instruments(store, query))
        sums = queries.read_sums(store, query, keys) if keys else {}
        for (_, group), own in sums.items():
            total[group] = total[group].plus(own) if group in total else own
    return total
