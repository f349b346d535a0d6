"""Keeps the vectors of images, the clusters they form, and where images lie on a map."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlmodel import col, select

from hallascope.engine.storage.database import Database
from hallascope.engine.storage.tables import EmbeddingRow, MapLayoutRow

_VECTOR = np.dtype("<f2")
_COORDINATE = np.dtype("<f4")


class EmbeddingStore:
    """Keeps one vector of an image (its SHA-256) by each embedder, named with its revision.

    Every method raises StoreError as the store does.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, embedder: str, vectors: Mapping[str, Sequence[float]]) -> None:
        """Keep vectors by image, as float16; an image that has one keeps it."""
        rows = [
            EmbeddingRow(
                embedder=embedder, image=image, vector=np.asarray(vector, _VECTOR).tobytes()
            )
            for image, vector in vectors.items()
        ]
        with self._database.write_transaction() as session:
            self._database.upsert(session, *rows)

    def find_missing(self, embedder: str, images: Iterable[str]) -> list[str]:
        """Return which of these images have no vector by the embedder, each once, in order."""
        known = self._known(embedder)
        return [image for image in dict.fromkeys(images) if image not in known]

    def read(self, embedder: str, images: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of these images, a row each. Raises KeyError where one is missing."""
        if not images:
            return np.zeros((0, 0), np.float32)
        statement = sa.select(col(EmbeddingRow.image), col(EmbeddingRow.vector)).where(
            col(EmbeddingRow.embedder) == embedder
        )
        distinct = dict.fromkeys(images)
        vectors = dict(self._database.read(statement, col(EmbeddingRow.image), distinct))
        rows = [np.frombuffer(vectors[image], _VECTOR) for image in images]
        return np.asarray(rows, np.float32)

    def embedders(self) -> dict[str, int]:
        """Return how many images each embedder has embedded, the one of most images first."""
        number = sa.func.count()
        statement = sa.select(col(EmbeddingRow.embedder), number)
        statement = statement.group_by(col(EmbeddingRow.embedder)).order_by(
            number.desc(), col(EmbeddingRow.embedder)
        )
        return {name: int(count) for name, count in self._database.read(statement)}

    def images(self, embedder: str) -> list[str]:
        """Return the images that the embedder has embedded, by their names."""
        return sorted(self._known(embedder))

    def clusters(self, embedder: str) -> dict[str, int]:
        """Return the cluster of each image that is in one, counted from 1."""
        statement = sa.select(col(EmbeddingRow.image), col(EmbeddingRow.cluster)).where(
            col(EmbeddingRow.embedder) == embedder, col(EmbeddingRow.cluster) > 0
        )
        return dict(self._database.read(statement))

    def set_clusters(self, embedder: str, clusters: Mapping[str, int]) -> None:
        """Put images into clusters, counted from 1."""
        statement = (
            sa.update(EmbeddingRow)
            .where(
                col(EmbeddingRow.embedder) == embedder,
                col(EmbeddingRow.image) == sa.bindparam("of_image"),
            )
            .values(cluster=sa.bindparam("to_cluster"))
        )
        rows = [{"of_image": image, "to_cluster": clusters[image]} for image in sorted(clusters)]
        if not rows:
            return
        with self._database.write_transaction() as session:
            session.connection().execute(statement, rows)

    def layout(self, key: str) -> NDArray[np.float32] | None:
        """Return a kept layout, of shape (images, 2); None where there is none."""
        with self._database.read_transaction() as session:
            row = session.get(MapLayoutRow, key)
        if row is None:
            return None
        return np.frombuffer(row.coordinates, _COORDINATE).reshape(-1, 2).astype(np.float32)

    def keep_layout(self, key: str, coordinates: NDArray[np.float32]) -> None:
        """Keep a layout of shape (images, 2); an earlier one of the same key stays."""
        row = MapLayoutRow(id=key, coordinates=np.asarray(coordinates, _COORDINATE).tobytes())
        with self._database.write_transaction() as session:
            self._database.upsert(session, row)

    def _known(self, embedder: str) -> set[str]:
        return set(
            self._database.read(select(EmbeddingRow.image).where(EmbeddingRow.embedder == embedder))
        )
