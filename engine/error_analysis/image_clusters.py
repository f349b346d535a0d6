"""Reads the clusters of images that look alike, which `error_map.clusters` makes."""

from collections.abc import Mapping

from hallascope.engine.storage.store import Store


def read_image_clusters(store: Store) -> Mapping[str, int]:
    """Return the cluster of each image, by the embedder that has embedded most; {} without any."""
    for embedder in store.embeddings.embedders():
        return store.embeddings.clusters(embedder)
    return {}
