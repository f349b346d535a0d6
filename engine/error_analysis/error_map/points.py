"""Makes the points of a map: where each judged image lies, and by what it can be colored."""

from dataclasses import dataclass, replace

import pandas as pd
import sqlalchemy as sa
from sqlmodel import col

from hallascope import metrics
from hallascope.engine.error_analysis.error_map.embeddings import (
    DEFAULT_EMBEDDER,
    bind_embedder,
    embedder_key,
)
from hallascope.engine.error_analysis.error_map.layout import LayoutMethod, map_layout
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImages,
    read_judged_images,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.images.true_answers import drawn_answers
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import ScoreRow
from hallascope.metrics.true_answers import judge_outcome

POINT_COLUMNS = (
    "evaluation",
    "generation",
    "image",
    "x",
    "y",
    "model",
    "value",
    "error",
    "wrong",
    "cluster",
    "disagreement",
)
NOTHING_WRONG = "nothing"
MOST_TRUTHS = 2_000  # images whose truth is compared at once: each report is read for it
_TOLERANCE = 1e-9  # of sums of weights


@dataclass(frozen=True, kw_only=True)
class ErrorMap:
    """Holds a map: a point for each judged image that has a vector.

    `points` is a table with the columns `POINT_COLUMNS`, of an image of several trials the mean of
    its scores and the first evaluation. `x` and `y` have no unit. `error` is as in `JudgedImages`.
    `wrong` names the composition of interest of which most is wrong, "nothing" where nothing is, ""
    for metrics without questions. `cluster` is "" where none is known. `disagreement`: how far the
    scores of several ways of judging lie apart, 0 to 1 over the range of the score; NaN where only
    one judged the image. `missing` are the images of the choice without a vector (SHA-256).
    """

    points: pd.DataFrame
    missing: tuple[str, ...]
    embedder: str
    method: LayoutMethod
    judged: JudgedImages


def error_map(
    services: Services,
    selection: ErrorSelection,
    embedder: str = DEFAULT_EMBEDDER,
    method: LayoutMethod = "pca",
) -> ErrorMap:
    """Return the map of a selection, of those of its images that have vectors already.

    Raises BadRequest where the metric is not known, the embedder cannot be used here, or UMAP is
    asked for and not installed.
    """
    store = services.store
    key = embedder_key(bind_embedder(services, embedder))
    judged = read_judged_images(store, selection)
    missing = store.embeddings.find_missing(key, judged.images["image"])
    points = _one_row_per_image(judged)
    points = points[~points["image"].isin(missing)].reset_index(drop=True)
    coordinates = map_layout(store, key, list(points["image"]), method)
    points["x"] = coordinates[:, 0]
    points["y"] = coordinates[:, 1]
    points["disagreement"] = points["generation"].map(judge_disagreement(store, selection))
    return ErrorMap(
        points=points[list(POINT_COLUMNS)],
        missing=tuple(missing),
        embedder=embedder,
        method=method,
        judged=judged,
    )


def _one_row_per_image(judged: JudgedImages) -> pd.DataFrame:
    images = judged.images.merge(_most_wrong(judged), on="evaluation", how="left")
    rest = "" if judged.parts.empty else NOTHING_WRONG
    images["wrong"] = images["wrong"].fillna(rest)
    return images.groupby("generation", sort=False, as_index=False).agg(
        evaluation=("evaluation", "first"),
        image=("image", "first"),
        model=("model", "first"),
        value=("value", "mean"),
        error=("error", "mean"),
        wrong=("wrong", "first"),
        cluster=("cluster", "first"),
    )


def _most_wrong(judged: JudgedImages) -> pd.DataFrame:
    """Return by evaluation the composition of interest of which most is wrong."""
    parts = judged.parts[judged.parts["wrong"] > _TOLERANCE]
    parts = parts.sort_values("wrong", ascending=False, kind="stable")
    return parts.drop_duplicates("evaluation")[["evaluation", "coi"]].rename(
        columns={"coi": "wrong"}
    )


def judge_disagreement(store: Store, selection: ErrorSelection) -> pd.Series:
    """Return by generation how far the scores of several ways of judging lie apart.

    It is the highest mean score of a way of judging less the lowest, over the range of the score.
    Generations that only one way judged are not in it.
    """
    filters = replace(selection.filters, instrument=None, judge=None)
    query = Query(selection.metric, filters=filters)
    judged_by = [row.key for row in queries.read_instruments(store, query)]
    if len(judged_by) < 2:
        return pd.Series(dtype=float)
    score = sa.func.avg(col(ScoreRow.total) / sa.func.nullif(col(ScoreRow.weight), 0.0))
    statement = sa.select(col(ScoreRow.generation), col(ScoreRow.instrument), score.label("score"))
    statement = queries.select_counted(statement, query, judged_by)
    statement = statement.group_by(col(ScoreRow.generation), col(ScoreRow.instrument))
    scores = queries.read_frame(store, statement)
    of_images = scores.dropna().groupby("generation")["score"]
    apart = (of_images.max() - of_images.min())[of_images.count() > 1]
    low, high = metrics.score(query.metric, query.score).bounds
    span = high - low
    if not 0 < span < float("inf"):
        span = max(float(apart.max()), _TOLERANCE) if len(apart) else 1.0
    return apart.astype(float) / span


def truth_distances(store: Store, evaluations: list[int]) -> pd.Series:
    """Return by evaluation the share of answered questions on which the judge is wrong, 0 to 1.

    It is wrong where it accepts a fact that the image violates, or flags one that holds. The truth
    is what a simulated model drew; images of other models are not in it. Raises BadRequest for more
    than 2,000 evaluations.
    """
    if len(evaluations) > MOST_TRUTHS:
        raise BadRequest(
            f"The truth of {len(evaluations):,} images would take too long to compare: choose at"
            f" most {MOST_TRUTHS:,}, by a model, a run or a condition."
        )
    distances: dict[int, float] = {}
    for number, evaluation in store.evaluations_by_id(evaluations).items():
        verdicts = evaluation.report.verdicts
        questions = [verdict.question for verdict in verdicts]
        truths = drawn_answers(store, evaluation.report.image, questions)
        pairs = zip(verdicts, truths, strict=True)
        outcomes = [outcome for pair in pairs if (outcome := judge_outcome(*pair))]
        if outcomes:
            wrong = sum(outcome in ("missed", "false alarm") for outcome in outcomes)
            distances[number] = wrong / len(outcomes)
    return pd.Series(distances, dtype=float)
