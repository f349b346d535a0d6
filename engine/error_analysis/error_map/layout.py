"""Lays images out in a plane by their vectors: by principal components, or by UMAP."""

import hashlib
import json
import logging
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store

LayoutMethod = Literal["pca", "umap"]
METHODS: tuple[LayoutMethod, ...] = get_args(LayoutMethod)
UMAP_LEAST = 10  # images
_NEIGHBORS = 15  # umap-learn's default
_SEED = 0
_LOG = logging.getLogger(__name__)


def map_layout(
    store: Store, embedder: str, images: Sequence[str], method: LayoutMethod
) -> NDArray[np.float32]:
    """Return where images (SHA-256) lie, of shape (images, 2); all of them have vectors.

    Principal components are computed at once; a layout by UMAP, which takes long, is kept for each
    set of images. Raises BadRequest where UMAP is not installed or there are too few images for it.
    """
    distinct = sorted(set(images))
    place = {image: number for number, image in enumerate(distinct)}
    key = hashlib.sha256(json.dumps([embedder, method, distinct]).encode()).hexdigest()
    coordinates = store.embeddings.layout(key) if method == "umap" else None
    if coordinates is None:
        vectors = store.embeddings.read(embedder, distinct)
        coordinates = principal_components(vectors) if method == "pca" else umap_layout(vectors)
        if method == "umap":
            store.embeddings.keep_layout(key, coordinates)
    return coordinates[[place[image] for image in images]]


def principal_components(vectors: NDArray[np.float32], number: int = 2) -> NDArray[np.float32]:
    """Return the first principal components, of shape (images, number).

    The sign of a component is such that its largest loading is positive, so that the same vectors
    give the same map everywhere. Components that the vectors do not have are 0.
    """
    components = np.zeros((len(vectors), number), np.float32)
    if len(vectors) < 2:
        return components
    centered = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centered.T @ centered)  # in ascending order
    directions = directions[:, ::-1][:, :number]
    largest = np.abs(directions).argmax(axis=0)
    directions = directions * np.sign(directions[largest, range(directions.shape[1])])
    components[:, : directions.shape[1]] = centered @ directions
    return components


def umap_layout(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the layout by UMAP (McInnes et al. 2018, arXiv:1802.03426) with a fixed seed.

    Raises BadRequest where umap-learn is not installed or there are too few images.
    """
    if len(vectors) < UMAP_LEAST:
        raise BadRequest(
            f"UMAP needs at least {UMAP_LEAST} images, and here are {len(vectors)}: choose the"
            " layout pca, or more images."
        )
    umap = import_umap()
    neighbors = min(_NEIGHBORS, len(vectors) - 1)
    reducer = umap.UMAP(n_neighbors=neighbors, metric="cosine", random_state=_SEED, n_jobs=1)
    return np.asarray(reducer.fit_transform(vectors), np.float32)


def import_umap() -> Any:
    """Return the package umap. Raises BadRequest where it is not installed."""
    try:
        import umap
    except ImportError as error:
        _LOG.debug("umap-learn cannot be imported", exc_info=error)
        raise BadRequest(
            "The layout umap needs the package umap-learn: run `pip install 'hallascope[map]'`, or"
            " choose the layout pca."
        ) from error
    return umap
