"""Fills the cells of a table from stored evaluations: means, deviations over trials, correlations.

A mean is over prompts, each weighing the same, as in equation 1 of I-HallA; by composition of
interest it is over questions. The deviation is the sample standard deviation over trials. A
correlation with people is over images: an image is named by its model and its prompt; several
images of them (seeds, trials) are averaged first. In the Primer world what is known of each drawing
stands in place of what people say.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hallascope.data.files.tables import BadTable, Complaint, read_rows
from hallascope.data.records import CANNOT_TELL
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.errors import refuse
from hallascope.engine.images.true_answers import stored_drawing
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import mean_bounds
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.reproduce.tables import HUMAN, NOTHING_STORED, CellSource, OurCell
from hallascope.engine.run.validation import plain_prompt
from hallascope.engine.storage.scores import prompt_key, ranked_model
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from hallascope.metrics.factualbench.replies import CONCEPT
from hallascope.metrics.running_sums import Sums, mean
from hallascope.metrics.statistics.correlation import MIN_ITEMS, draw_statistics
from hallascope.metrics.statistics.intervals import spread
from hallascope.primer.benchmark.pair_criteria import ShownConcept, compare
from hallascope.primer.scenes import own_values

NOTHING_DRAWN = "No prompt of it is among those that ran: a larger --sample may have some."
NOT_ASKED = "No prompt that ran asks for it (n = 0)."
NO_SCORE = "It has no score: models failed, or no answer could be read. Try another --judge."
NO_RATINGS = (
    "What people say of the images is missing: name a table `model, prompt, value` with --ratings."
)
Ratings = Mapping[tuple[str, str], float]  # by model and the hash of a prompt, in [0, 1]
RatingsByDimension = Mapping[str, Ratings]  # "" where a table has only one


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


# --- beside people ---


def read_image_ratings(path: Path, table: PaperTable) -> tuple[RatingsByDimension, list[Complaint]]:
    """Return the mean rating of each image, brought to [0, 1], and the rows that were left out.

    The table has the columns ``model, prompt, value``; several rows of an image are several raters.
    A column ``dimension`` names what is rated, such as "concept"; without it there is one, whose
    name is "". Raises BadRequest where it cannot be read.
    """
    complaints: list[Complaint] = []
    values: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    lowest, highest = table.scale
    with refuse(BadTable):
        lines = read_rows(path, ("model", "prompt", "value"), complaints, optional=("dimension",))
    for line in lines:
        try:
            value = float(line.cells["value"])
        except ValueError:
            value = float("nan")
        if not lowest <= value <= highest:
            complaints.append(
                line.complaint(
                    f"{line.cells['value']!r} is no rating from {lowest:g} to {highest:g};"
                    " the row is left out"
                )
            )
            continue
        key = line.cells["model"].strip(), prompt_key(plain_prompt(line.cells["prompt"]))
        dimension = line.cells.get("dimension", "").strip()
        values[dimension][key].append((value - lowest) / (highest - lowest))
    return _means(values), complaints


def _means(
    values: Mapping[str, Mapping[tuple[str, str], Sequence[float]]],
) -> RatingsByDimension:
    return {
        dimension: {key: sum(several) / len(several) for key, several in of_images.items()}
        for dimension, of_images in values.items()
    }


def primer_ratings(store: Store, sweeps: Sequence[str]) -> RatingsByDimension:
    """Return what people who know each drawing of the sweeps would say of it.

    A concept is rated by the share of FactualBench's criteria that it meets, all else by the share
    of what the prompt states that holds.
    """
    values: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    images = {
        (evaluation.model, evaluation.report.prompt, evaluation.report.image)
        for sweep in sweeps
        for run in SweepStore(store.database).runs(sweep)
        for evaluation in store.evaluations(run)
    }
    for model, prompt, image in sorted(images):
        if drawn := stored_drawing(store, image):
            key = model, prompt_key(prompt)
            right = drawn.scene.truths()
            holds = [drawn.values.get(name) == right.get(name) for name in drawn.scene.stated]
            values[""][key].append(sum(holds) / len(holds))
            for i, group in enumerate(drawn.scene.groups):
                shown, wanted = (
                    ShownConcept(group.concept, own_values(drawn.scene, i, each))
                    for each in (drawn.values, right)
                )
                alike = compare(shown, wanted)
                known = [alike[each] == "Yes" for each in CONCEPT if alike[each] != CANNOT_TELL]
                values["concept"][key].append(sum(known) / len(known))
    return _means(values)


def correlation_cell(
    store: Store, table: PaperTable, source: CellSource, runs: Sequence[str], ratings: Ratings
) -> OurCell:
    """Return the correlation of a metric with people over images, or a mean where that is asked.

    The statistics are Pearson's r, Spearman's rho and Kendall's tau-b.
    """
    is_human = source.metric == HUMAN
    if not ratings and (is_human or source.statistic != "mean"):
        return OurCell(reason=NO_RATINGS)
    scores = ratings
    if not is_human:
        query = Query(source.metric, source.score, "model", cell_filters(source, runs))
        by_model = queries.read_model_scores(store, query, tuple(source.models))
        scores = {
            (model, prompt): total / weight
            for model, pairs in by_model.items()
            for prompt, (total, weight) in pairs.items()
        }
    if not scores:
        has_run = any(map(SweepStore(store.database).items, runs))
        return OurCell(reason=NO_SCORE if has_run else NOTHING_STORED)
    if source.statistic == "mean":
        own = [value for (model, _), value in scores.items() if model in source.models]
        if not own:
            return OurCell(reason="No image of this model has a rating.")
        return OurCell(value=sum(own) / len(own) * table.scale_factor, n=len(own))
    both = sorted(set(scores) & set(ratings))
    if len(both) < MIN_ITEMS:
        return OurCell(n=len(both), reason=f"Only {len(both)} images have a score and a rating.")
    sides = [scores[key] for key in both], [ratings[key] for key in both]
    value = draw_statistics(*sides, resamples=0).estimate(source.statistic).value
    if value is None:
        reason = "All scores or all ratings are equal, so nothing correlates."
        return OurCell(n=len(both), reason=reason)
    return OurCell(value=value, n=len(both))
