"""Clusters are groups of near vectors, and an image keeps its own."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.engine.error_analysis.error_map.clusters import cluster_images, k_means
from hallascope.engine.error_analysis.image_clusters import read_image_clusters
from hallascope.engine.storage.store import Store

KEY = "embedder@1"


def near(middle: float, number: int, seed: int) -> NDArray[np.float32]:
    noise = np.random.default_rng(seed).normal(scale=0.01, size=(number, 6))
    return (noise + middle).astype(np.float32)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path)
    yield opened
    opened.close()


def test_far_groups_are_never_in_one_cluster() -> None:
    vectors = np.concatenate([near(0, 30, 0), near(5, 20, 1)])
    clusters = k_means(vectors)
    assert not set(clusters[:30]) & set(clusters[30:])
    sizes = np.bincount(clusters)[1:]
    assert list(sizes) == sorted(sizes, reverse=True)


def test_an_image_keeps_its_cluster_and_new_ones_join_the_nearest(store: Store) -> None:
    groups = {"left": near(0, 20, 0), "right": near(5, 20, 1)}
    for name, vectors in groups.items():
        store.embeddings.add(KEY, {f"{name}-{i}": row for i, row in enumerate(vectors)})
    cluster_images(store, KEY)
    before = dict(read_image_clusters(store))
    assert len(before) == 40
    store.embeddings.add(KEY, {"new": near(5, 1, 2)[0]})
    cluster_images(store, KEY)
    after = read_image_clusters(store)
    assert {image: after[image] for image in before} == before
    assert after["new"] in {before[image] for image in before if image.startswith("right")}


def test_a_few_images_are_in_no_cluster(store: Store) -> None:
    store.embeddings.add(KEY, {"one": near(0, 1, 0)[0]})
    cluster_images(store, KEY)
    assert read_image_clusters(store) == {}
