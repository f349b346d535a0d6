"""Reads the sampling frame of a labeling plan: the images that a judge judged."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlmodel import col, select

from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED
from hallascope.engine.services import Services
from hallascope.engine.storage import json_columns
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.engine.storage.scores import ranked_model
from hallascope.engine.storage.tables import EvaluationRow, Generation, SweepItemRow


class FrameImage(NamedTuple):
    """Holds an image that may be labeled.

    The fields are as in `hallascope.engine.storage.people.labeling.PlannedImage`.
    """

    image: str
    prompt: str
    model: str
    item: str
    evaluation: int


def find_main_judge(services: Services) -> str:
    """Return the judge that judged most images by I-HallA. Raises BadRequest without one."""
    count = sa.func.count(sa.distinct(col(EvaluationRow.image)))
    statement = (
        sa.select(col(EvaluationRow.judge))
        .where(col(EvaluationRow.metric) == IHALLA, col(EvaluationRow.judge) != "")
        .group_by(col(EvaluationRow.judge))
        .order_by(count.desc(), col(EvaluationRow.judge))
    )
    with services.store.database.read_transaction() as session:
        judge = session.execute(statement.limit(1)).scalar()
    if judge is None:
        raise BadRequest(
            "No judge has judged an image by I-HallA's questions here: evaluate some first"
            " (`hallascope evaluate`)."
        )
    return str(judge)


def read_frame(
    services: Services, judge: str, models: Sequence[str], run: str | None
) -> list[FrameImage]:
    """Return the images that this judge judged and that can be shown, each once a model."""
    query = (
        select(EvaluationRow, Generation.settings)
        .join(Generation, col(Generation.id) == col(EvaluationRow.generation))
        .where(
            col(EvaluationRow.metric) == IHALLA,
            col(EvaluationRow.judge) == judge,
            col(EvaluationRow.trial) == 0,
        )
        .order_by(col(EvaluationRow.id).desc())
    )
    if run:
        swept = sa.select(col(SweepItemRow.run)).where(col(SweepItemRow.sweep) == run)
        query = query.where(
            sa.or_(col(EvaluationRow.run) == run, col(EvaluationRow.run).in_(swept))
        )
    with services.store.database.read_transaction() as session:
        rows = session.exec(query).all()
    frame: dict[tuple[str, str, str], FrameImage] = {}
    for row, settings in rows:
        model = ranked_model(row.model, json_columns.injected_knowledge(settings))
        wanted = model in models if models else row.model != UPLOADED
        key = model, row.prompt, row.image
        if not wanted or key in frame or not services.store.images.path(row.image).exists():
            continue
        if json_columns.REPORT.validate_json(row.report).verdicts:
            frame[key] = FrameImage(
                image=row.image,
                prompt=row.prompt,
                model=model,
                item=f"{row.run}:{row.generation}",
                evaluation=row.id or 0,
            )
    return [frame[key] for key in sorted(frame)]
