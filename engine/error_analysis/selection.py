"""Reads the judged images of a selection as one table, a row each: what every analysis starts from.

An image that was not answered has no error: it is left out of the table and counted.
"""

import math
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd
import sqlalchemy as sa
from sqlmodel import col

from hallascope import metrics
from hallascope.engine.error_analysis.conditions import Condition, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.image_clusters import read_image_clusters
from hallascope.engine.image_tags import TaggedImage, tagged_images
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.scores import FACETS
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, ScoreRow

TAG_FEATURE = "tag"  # the feature of a condition that names a tag
IMAGE_COLUMNS = (
    "evaluation",
    "generation",
    "image",
    "run",
    "model",
    "seed",
    "trial",
    "judge",
    "prompt",
    "settings",
    *FACETS,
)


@dataclass(frozen=True, kw_only=True)
class ErrorSelection:
    """Names the judged images that are analyzed.

    `filters` are those of a leaderboard. Of several ways of judging the one that judged most
    prompts is taken, as on a leaderboard: numbers of two judges are never mixed. `conditions` are
    on the features of images, all of which hold, and so are `tags`: those that people gave an image
    or a question of it. A condition on the feature `tag` is a tag, too.
    """

    metric: str = "ihalla"
    filters: Filters = field(default_factory=Filters)
    conditions: tuple[Condition, ...] = ()
    tags: tuple[str, ...] = ()


class JudgedImages(NamedTuple):
    """Holds the judged images of a selection.

    `images` has a row for each judged image, with the columns `IMAGE_COLUMNS` and

    - `value`: the score as the metric gives it;
    - `error`: 0 to 1, how far the score lies from the best one, over the range of the score;
    - `answered`, `unanswered`: how many questions were;
    - `cluster`: the group of images that look alike, counted from 1; "" where none is known.

    `parts` has a row for each image and composition of interest, with the columns `evaluation`,
    `coi`, `wrong` and `answered`; it is empty for metrics without questions. `unanswered`: how many
    images have no score, since nothing about them was answered. `judged_by`: the ways of judging
    that the table holds (`ScoreRow.instrument`). `left_out`: how many questions, or images of
    metrics without questions, have no answer.
    """

    images: pd.DataFrame
    parts: pd.DataFrame
    unanswered: int
    judged_by: tuple[str, ...]
    left_out: int = 0


JudgedImagesReader = Callable[[Store, ErrorSelection], JudgedImages]


def read_judged_images(store: Store, selection: ErrorSelection) -> JudgedImages:
    """Return the judged images of a selection, in the order of their evaluations.

    The score is the main one of the metric. Raises BadRequest where the metric is not known.
    """
    query = Query(selection.metric, filters=selection.filters)
    judged_by = queries.select_instruments(query, queries.read_instruments(store, query))
    rows = _read_images(store, query, judged_by)
    names = (*IMAGE_COLUMNS, "total", "weight", "answered", "unanswered")
    images = pd.DataFrame.from_records(rows, columns=list(names))
    clusters = read_image_clusters(store)
    images["cluster"] = [str(clusters.get(image, "")) for image in images["image"]]
    parts = _read_parts(store, query, judged_by)
    tags = [value for feature, value in selection.conditions if feature == TAG_FEATURE]
    if tags or selection.tags:
        images = images[_has_tags(store, images, {*tags, *selection.tags})]
    conditions = [each for each in selection.conditions if each.feature != TAG_FEATURE]
    if conditions:
        features = image_features(images, parts)
        images = images[select_images(features, conditions)]
    has_score = images["weight"] > 0
    unanswered, left_out = int((~has_score).sum()), int(images["unanswered"].sum())
    images = images[has_score].reset_index(drop=True)
    images["value"] = images.pop("total") / images.pop("weight")
    images["error"] = _errors(images["value"], query)
    parts = parts[parts["evaluation"].isin(images["evaluation"])].reset_index(drop=True)
    return JudgedImages(images, parts, unanswered, tuple(judged_by), left_out)


def _has_tags(store: Store, images: pd.DataFrame, tags: Set[str]) -> pd.Series:
    tagged = tagged_images(store)
    about = zip(images["image"], images["prompt"], strict=True)
    has_all = [tags <= set(tagged.get(TaggedImage(*each), ())) for each in about]
    return pd.Series(has_all, index=images.index, dtype=bool)


def _read_images(store: Store, query: Query, judged_by: list[str]) -> list[Any]:
    columns = [
        col(ScoreRow.evaluation),
        col(ScoreRow.generation),
        col(EvaluationRow.image),
        col(ScoreRow.run),
        col(ScoreRow.model),
        col(ScoreRow.seed),
        col(ScoreRow.trial),
        col(ScoreRow.judge),
        col(EvaluationRow.prompt),
        col(Generation.settings),
        *(col(getattr(ScoreRow, name)) for name in FACETS),
        col(ScoreRow.total),
        col(ScoreRow.weight),
        col(ScoreRow.answered),
        col(ScoreRow.unanswered),
    ]
    statement = (
        sa.select(*columns)
        .join(EvaluationRow, col(EvaluationRow.id) == col(ScoreRow.evaluation))
        .join(Generation, col(Generation.id) == col(ScoreRow.generation))
        .order_by(col(ScoreRow.evaluation))
    )
    statement = queries.select_counted(statement, query, judged_by)
    with store.database.read_transaction() as session:
        return [tuple(row) for row in session.execute(statement)]


def _read_parts(store: Store, query: Query, judged_by: list[str]) -> pd.DataFrame:
    by_coi = Query(query.metric, by="coi", filters=query.filters)
    statement = sa.select(
        col(ScoreRow.evaluation),
        col(ScoreRow.part),
        col(ScoreRow.weight) - col(ScoreRow.total),
        col(ScoreRow.answered),
    )
    statement = queries.select_counted(statement, by_coi, judged_by)
    with store.database.read_transaction() as session:
        rows = [tuple(row) for row in session.execute(statement)]
    return pd.DataFrame.from_records(rows, columns=["evaluation", "coi", "wrong", "answered"])


def _errors(values: pd.Series, query: Query) -> pd.Series:
    """Return how far scores lie from the best one, 0 to 1 over the range of the score."""
    spec = metrics.score(query.metric, query.score)
    low, high = spec.bounds
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = values.min(), values.max()
    if not high > low:
        return values * 0.0
    share = (values - low) / (high - low)
    return 1.0 - share if spec.higher_is_better else share
