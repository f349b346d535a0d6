"""Groups images that look alike to an embedder, by k-means over all that it has embedded.

A cluster is a number that stays with its image, so that a condition on it keeps its meaning: images
that come later join the nearest cluster, until there are more new ones than old ones.
"""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hallascope.engine.error_analysis.error_map.layout import principal_components
from hallascope.engine.storage.store import Store

LEAST = 10  # images, to be grouped at all
MOST_CLUSTERS = 12
_COMPONENTS = 16
_SEED = 0


def cluster_images(store: Store, embedder: str) -> None:
    """Put all images of an embedder into clusters, as far as they are in none."""
    images = store.embeddings.images(embedder)
    known = store.embeddings.clusters(embedder)
    fresh = [image for image in images if image not in known]
    if not fresh or len(images) < LEAST:
        return
    vectors = store.embeddings.read(embedder, images)
    if len(fresh) > len(known):
        numbers = k_means(vectors)
    else:
        numbers = _nearest_clusters(vectors, [known.get(image, 0) for image in images])
    clusters = {image: int(number) for image, number in zip(images, numbers, strict=True)}
    changed = {image: number for image, number in clusters.items() if known.get(image) != number}
    store.embeddings.set_clusters(embedder, changed)


def k_means(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the cluster of each row, counted from 1, the largest first.

    There are at most 12 clusters, and about the root of half as many as there are rows. They are of
    the first 16 principal components, from a fixed seed (k-means++).
    """
    from scipy.cluster.vq import kmeans2

    number = min(MOST_CLUSTERS, max(2, round((len(vectors) / 2) ** 0.5)))
    components = principal_components(vectors, min(_COMPONENTS, vectors.shape[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # one of the clusters may be empty
        _, labels = kmeans2(components.astype(np.float64), number, minit="++", rng=_SEED)
    found, sizes = np.unique(labels, return_counts=True)
    order = found[np.argsort(-sizes, kind="stable")]
    rank = {label: place for place, label in enumerate(order, 1)}
    return np.asarray([rank[label] for label in labels], np.int64)


def _nearest_clusters(vectors: NDArray[np.float32], known: Sequence[int]) -> NDArray[np.int64]:
    """Return the clusters that are known, and for the others (0) the one with the nearest mean."""
    clusters = np.asarray(known, np.int64)
    numbers = np.unique(clusters[clusters > 0])
    means = np.asarray([vectors[clusters == number].mean(axis=0) for number in numbers])
    fresh = np.flatnonzero(clusters == 0)
    # the squared distance, without the part that is the same for all means
    apart = (means**2).sum(axis=1) - 2 * (vectors[fresh] @ means.T)
    clusters[fresh] = numbers[apart.argmin(axis=1)]
    return clusters
