"""Fills the cells that compare a metric with people: correlations over images, and their means.

An image is named by its model and its prompt; several images of them (seeds, trials) are averaged
first. In the Primer world what is known of each drawing stands in place of what people say.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from hallascope.data.files.tables import BadTable, Complaint, read_rows
from hallascope.data.records import CANNOT_TELL
from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.errors import refuse
from hallascope.engine.images.true_answers import stored_drawing
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.reproduce.cells import HUMAN, CellSource
from hallascope.engine.reproduce.results import OurCell
from hallascope.engine.reproduce.scores import NO_SCORE, NOTHING_STORED, cell_filters
from hallascope.engine.storage.scores import prompt_key
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.store import SweepStore
from hallascope.metrics.factualbench.replies import CONCEPT
from hallascope.primer.benchmark.pair_criteria import ShownConcept, compare
from hallascope.primer.scenes import own_values

NO_RATINGS = (
    "What people say of the images is missing: name a table `model, prompt, value` with --ratings."
)
FEWEST = 3  # images under which no correlation is computed
Ratings = Mapping[tuple[str, str], float]  # by model and the hash of a prompt, in [0, 1]
RatingsByDimension = Mapping[str, Ratings]  # "" where a table has only one


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
        key = line.cells["model"].strip(), prompt_key(line.cells["prompt"].strip())
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
    scores = ratings if is_human else _scores(store, source, runs)
    if not scores:
        has_run = any(map(SweepStore(store.database).items, runs))
        return OurCell(reason=NO_SCORE if has_run else NOTHING_STORED)
    if source.statistic == "mean":
        own = [value for (model, _), value in scores.items() if model in source.models]
        if not own:
            return OurCell(reason="No image of this model has a rating.")
        return OurCell(value=sum(own) / len(own) * table.scale_factor, n=len(own))
    both = sorted(set(scores) & set(ratings))
    return _correlation(
        [scores[key] for key in both], [ratings[key] for key in both], source.statistic
    )


def _scores(store: Store, source: CellSource, runs: Sequence[str]) -> Ratings:
    """Return the score of each image, by model and the hash of its prompt."""
    filters: Filters = cell_filters(source, runs)
    query = Query(source.metric, source.score, "model", filters)
    scores = queries.read_model_scores(store, query, tuple(source.models))
    return {
        (model, prompt): total / weight
        for model, pairs in scores.items()
        for prompt, (total, weight) in pairs.items()
    }


def _correlation(scores: Sequence[float], ratings: Sequence[float], statistic: str) -> OurCell:
    from hallascope.metrics.statistics.correlation import draw_statistics

    if len(scores) < FEWEST:
        return OurCell(
            n=len(scores), reason=f"Only {len(scores)} images have a score and a rating."
        )
    value = draw_statistics(scores, ratings, resamples=0).estimate(statistic).value
    if value is None:
        return OurCell(
            n=len(scores), reason="All scores or all ratings are equal, so nothing correlates."
        )
    return OurCell(value=value, n=len(scores))
