"""A map has a point for each embedded image; its layout and its clusters stay as they were."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.engine.error_analysis.error_map import layout
from hallascope.engine.error_analysis.error_map.clusters import cluster_images
from hallascope.engine.error_analysis.error_map.embeddings import (
    EmbeddingProgress,
    bind_embedder,
    embed_images,
)
from hallascope.engine.error_analysis.error_map.layout import (
    METHODS,
    map_layout,
    principal_components,
    umap_layout,
)
from hallascope.engine.error_analysis.error_map.points import (
    NOTHING_WRONG,
    POINT_COLUMNS,
    error_map,
    truth_distances,
)
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    read_image_clusters,
    read_judged_images,
)
from hallascope.engine.errors import BadRequest, require_name
from hallascope.engine.storage.store import Store
from tests.engine.error_analysis.test_selection import evaluate


def embed(services: Any, stop: threading.Event | None = None) -> list[EmbeddingProgress]:
    images = list(read_judged_images(services.store, ErrorSelection()).images["image"])
    return list(embed_images(services, bind_embedder(services), images, stop))


@pytest.fixture
def judged(make_services: Callable[..., Any]) -> Any:
    services = make_services()
    for prompt in ("a gentoo penguin", "a ladybug", "a zebra"):
        evaluate(services, prompt)
    return services


def test_a_point_stands_for_each_embedded_image(judged: Any) -> None:
    before = error_map(judged, ErrorSelection())
    assert before.points.empty
    assert len(before.missing) == 12
    embed(judged)
    drawn = error_map(judged, ErrorSelection())
    assert tuple(drawn.points.columns) == POINT_COLUMNS
    assert not drawn.missing
    assert len(drawn.points) == 12
    errors = drawn.judged.images.set_index("evaluation")["error"]
    expected = errors[drawn.points["evaluation"]].tolist()
    assert drawn.points["error"].tolist() == pytest.approx(expected)
    is_right = drawn.points["error"] == 0
    assert ((drawn.points["wrong"] == NOTHING_WRONG) == is_right).all()
    assert drawn.points["disagreement"].isna().all()
    assert (drawn.points["cluster"] != "").all()
    evaluations = list(drawn.judged.images["evaluation"])
    distances = truth_distances(judged.store, evaluations)
    assert set(distances.index) == set(evaluations)
    assert distances.between(0, 1).all()
    with pytest.raises(BadRequest, match="at most 2,000"):
        truth_distances(judged.store, list(range(2_001)))


def random_vectors(rows: int, columns: int) -> NDArray[np.float32]:
    stretched = np.random.default_rng(0).normal(size=(rows, columns)) * np.arange(1, columns + 1)
    return stretched.astype(np.float32)


def test_principal_components_are_those_of_the_singular_value_decomposition() -> None:
    vectors = random_vectors(60, 8)
    centered = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centered, full_matrices=False)
    expected = left[:, :2] * sizes[:2]
    found = principal_components(vectors)
    assert np.allclose(np.abs(found), np.abs(expected), atol=1e-3)
    turned = principal_components(vectors[::-1].copy())[::-1]
    assert np.allclose(found, turned, atol=1e-4), "the order of the images does not turn the map"


def test_a_layout_by_umap_is_computed_once_and_follows_the_order_asked_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "umap_layout", principal_components)
    vectors = {f"image-{number}": row for number, row in enumerate(random_vectors(6, 4))}
    store.embeddings.add("embedder@1", vectors)
    images = [*vectors, "image-0"]
    first = map_layout(store, "embedder@1", images, "umap")
    assert (first[0] == first[-1]).all()
    # without the vectors it could not be computed again
    store.embeddings.read = None  # type: ignore[assignment,method-assign]
    assert (map_layout(store, "embedder@1", images[::-1], "umap") == first[::-1]).all()


def test_umap_of_too_few_images_and_an_unknown_layout_are_named() -> None:
    with pytest.raises(BadRequest, match="at least 10 images"):
        umap_layout(random_vectors(3, 4))
    with pytest.raises(BadRequest, match="choose one of pca, umap"):
        require_name("layout", "tsne", METHODS)


KEY = "embedder@1"


def near(middle: float, number: int, seed: int) -> NDArray[np.float32]:
    noise = np.random.default_rng(seed).normal(scale=0.01, size=(number, 6))
    return (noise + middle).astype(np.float32)


def test_an_image_keeps_its_cluster_and_new_ones_join_the_nearest(store: Store) -> None:
    groups = {"left": near(0, 20, 0), "right": near(5, 20, 1)}
    for name, vectors in groups.items():
        store.embeddings.add(KEY, {f"{name}-{i}": row for i, row in enumerate(vectors)})
    cluster_images(store, KEY)
    before = dict(read_image_clusters(store))
    left, right = (
        {cluster for image, cluster in before.items() if image.startswith(name)} for name in groups
    )
    assert len(before) == 40
    assert not left & right
    store.embeddings.add(KEY, {"new": near(5, 1, 2)[0]})
    cluster_images(store, KEY)
    after = read_image_clusters(store)
    assert {image: after[image] for image in before} == before
    assert after["new"] in right
