"""Reads the judged images of a selection as one table, a row each: what every analysis starts from.

An image that was not answered has no error: it is left out of the table and counted.
"""

import math
import threading
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

import pandas as pd
import sqlalchemy as sa
from sqlmodel import SQLModel, col

from hallascope import metrics
from hallascope.engine.error_analysis.conditions import Condition, select_images
from hallascope.engine.error_analysis.features import TAG, image_features
from hallascope.engine.image_tags import TaggedImage, tagged_images
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.scores import FACETS, head_rows
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    EmbeddingRow,
    EvaluationRow,
    Generation,
    RatingRow,
    ScoreRow,
)

_LOCK = threading.Lock()
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


_TABLES: Mapping[str, type[SQLModel]] = {  # of the columns that are not in `ScoreRow`
    "image": EvaluationRow,
    "prompt": EvaluationRow,
    "settings": Generation,
}


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


def read_judged_images(store: Store, selection: ErrorSelection) -> JudgedImages:
    """Return the judged images of a selection, in the order of their evaluations.

    The score is the main one of the metric. What was read last is kept until the store changes, as
    several parts of a page ask for the same: nobody may change what is returned. Raises BadRequest
    where the metric is not known.
    """
    with _LOCK:  # the second who asks for the same waits for the first
        return _read_judged_images(store, selection, _state_of(store, selection.metric))


def _state_of(store: Store, metric: str) -> tuple[Any, ...]:
    """Return numbers that change with all that a table of judged images rests on.

    An evaluation that is written anew keeps its id.
    """
    newest = sa.cast(col(ScoreRow.newest), sa.Integer)
    sums = map(sa.func.sum, (newest, col(ScoreRow.total), col(ScoreRow.answered)))
    statements = (
        sa.select(sa.func.max(col(ScoreRow.created)), sa.func.count(), *sums).where(
            col(ScoreRow.metric) == metric, head_rows()
        ),
        sa.select(sa.func.max(col(RatingRow.created)), sa.func.count(col(RatingRow.id))),
        sa.select(sa.func.count(), sa.func.sum(col(EmbeddingRow.cluster))).where(
            col(EmbeddingRow.cluster) > 0
        ),
    )
    with store.database.read_transaction() as session:
        return tuple(tuple(session.execute(statement).one()) for statement in statements)


@lru_cache(maxsize=4)
def _read_judged_images(
    store: Store, selection: ErrorSelection, state: tuple[Any, ...]
) -> JudgedImages:
    query = Query(selection.metric, filters=selection.filters)
    judged_by = queries.select_instruments(query, queries.read_instruments(store, query))
    images = _read_images(store, query, judged_by)
    clusters = read_image_clusters(store)
    images["cluster"] = [str(clusters.get(image, "")) for image in images["image"]]
    parts = _read_parts(store, query, judged_by)
    tags = [value for feature, value in selection.conditions if feature == TAG]
    if tags or selection.tags:
        images = images[_has_tags(store, images, {*tags, *selection.tags})]
    conditions = [each for each in selection.conditions if each.feature != TAG]
    if conditions:
        features = image_features(images, parts)
        images = images[select_images(features, conditions)]
    has_score = images["weight"] > 0
    unanswered, left_out = int((~has_score).sum()), int(images["unanswered"].sum())
    images = images[has_score].reset_index(drop=True)
    images["value"] = images.pop("total") / images.pop("weight")
    images["error"] = _errors(images["value"], query, images["value"])
    parts = parts[parts["evaluation"].isin(images["evaluation"])].reset_index(drop=True)
    return JudgedImages(images, parts, unanswered, tuple(judged_by), left_out)


def _has_tags(store: Store, images: pd.DataFrame, tags: Set[str]) -> pd.Series:
    tagged = tagged_images(store)
    about = zip(images["image"], images["prompt"], strict=True)
    has_all = [tags <= set(tagged.get(TaggedImage(*each), ())) for each in about]
    return pd.Series(has_all, index=images.index, dtype=bool)


def _read_images(store: Store, query: Query, judged_by: list[str]) -> pd.DataFrame:
    names = (*IMAGE_COLUMNS, "total", "weight", "answered", "unanswered")
    statement: sa.Select[Any] = (
        sa.select(*(col(getattr(_TABLES.get(name, ScoreRow), name)) for name in names))
        .join(EvaluationRow, col(EvaluationRow.id) == col(ScoreRow.evaluation))
        .join(Generation, col(Generation.id) == col(ScoreRow.generation))
        .order_by(col(ScoreRow.evaluation))
    )
    return queries.read_frame(store, queries.select_counted(statement, query, judged_by))


def _read_parts(store: Store, query: Query, judged_by: list[str]) -> pd.DataFrame:
    statement: Any = sa.select(
        col(ScoreRow.evaluation),
        col(ScoreRow.part).label("coi"),
        (col(ScoreRow.weight) - col(ScoreRow.total)).label("wrong"),
        col(ScoreRow.answered),
    )
    by_coi = replace(query, by="coi")
    return queries.read_frame(store, queries.select_counted(statement, by_coi, judged_by))


def share_range(sides: Sequence[JudgedImages], metric: str) -> list[JudgedImages]:
    """Return judged images with the errors of all of them over one range of the score.

    Without it each has a range of its own where the score of the metric has no bounds.
    """
    among = pd.concat([side.images["value"] for side in sides])
    return [
        side._replace(
            images=side.images.assign(error=_errors(side.images["value"], Query(metric), among))
        )
        for side in sides
    ]


def _errors(values: pd.Series, query: Query, among: pd.Series) -> pd.Series:
    """Return how far scores lie from the best one, 0 to 1 over the range of the score.

    A score without bounds has the range of the scores `among`.
    """
    spec = metrics.score(query.metric, query.score)
    low, high = spec.bounds
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = among.min(), among.max()
    if not high > low:
        return values * 0.0
    share = (values - low) / (high - low)
    return 1.0 - share if spec.higher_is_better else share


def read_image_clusters(store: Store) -> Mapping[str, int]:
    """Return the cluster of each image, by the embedder that has embedded most; {} without any."""
    embedder = next(iter(store.embeddings.embedders()), None)
    return store.embeddings.clusters(embedder) if embedder else {}
