"""Keeps the tables of judged images that were read last, as several parts of a page ask for one."""

import threading
from collections import OrderedDict
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImages,
    read_judged_images,
)
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EmbeddingRow, EvaluationRow, RatingRow

MOST_KEPT = 4


class JudgedImagesCache:
    """Reads judged images, and reads a selection again only once the store has changed.

    What it returns is shared: nobody may change it. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Any, ...], JudgedImages] = OrderedDict()

    def read(self, store: Store, selection: ErrorSelection) -> JudgedImages:
        """Return the judged images of a selection, as `read_judged_images` does."""
        key = (id(store), selection, _state_of(store))
        with self._lock:  # the second who asks for the same waits for the first
            judged = self._kept.get(key)
            if judged is None:
                judged = read_judged_images(store, selection)
                self._kept[key] = judged
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return judged


def _state_of(store: Store) -> tuple[Any, ...]:
    """Return numbers that change with all that a table of judged images rests on."""
    statements = (
        sa.select(sa.func.max(col(EvaluationRow.id)), sa.func.count(col(EvaluationRow.id))),
        sa.select(sa.func.max(col(RatingRow.created)), sa.func.count(col(RatingRow.id))),
        sa.select(sa.func.count()).where(col(EmbeddingRow.cluster) > 0),
    )
    with store.database.read_transaction() as session:
        return tuple(tuple(session.execute(statement).one()) for statement in statements)
