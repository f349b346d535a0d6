"""A layout is that of the principal components, the same each time, and computed once."""

import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hallascope.engine.error_analysis.error_map.layout import (
    map_layout,
    parse_method,
    principal_components,
    umap_layout,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.store import Store


def random_vectors(rows: int, columns: int) -> NDArray[np.float32]:
    stretched = np.random.default_rng(0).normal(size=(rows, columns)) * np.arange(1, columns + 1)
    return stretched.astype(np.float32)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path)
    yield opened
    opened.close()


def test_principal_components_are_those_of_the_singular_value_decomposition() -> None:
    vectors = random_vectors(60, 8)
    centered = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centered, full_matrices=False)
    expected = left[:, :2] * sizes[:2]
    assert np.allclose(np.abs(principal_components(vectors)), np.abs(expected), atol=1e-3)


def test_the_order_of_the_images_does_not_turn_the_map() -> None:
    vectors = random_vectors(40, 5)
    turned = principal_components(vectors[::-1].copy())[::-1]
    assert np.allclose(principal_components(vectors), turned, atol=1e-4)


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_images_have_a_place_each(rows: int) -> None:
    assert principal_components(random_vectors(rows, 4)).shape == (rows, 2)


def test_a_layout_is_computed_once_and_follows_the_order_asked_for(store: Store) -> None:
    vectors = {f"image-{number}": row for number, row in enumerate(random_vectors(6, 4))}
    store.embeddings.add("embedder@1", vectors)
    images = [*vectors, "image-0"]
    first = map_layout(store, "embedder@1", images, "pca")
    assert (first[0] == first[-1]).all()
    # without the vectors it could not be computed again
    store.embeddings.read = None  # type: ignore[assignment,method-assign]
    assert (map_layout(store, "embedder@1", images[::-1], "pca") == first[::-1]).all()


def test_umap_is_given_a_fixed_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {}

    class Reducer:
        def __init__(self, **given: Any) -> None:
            options.update(given)

        def fit_transform(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
            return vectors[:, :2]

    package = types.ModuleType("umap")
    package.UMAP = Reducer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "umap", package)
    assert umap_layout(random_vectors(12, 4)).shape == (12, 2)
    assert options["random_state"] == 0
    assert options["n_neighbors"] == 11


def test_without_the_package_umap_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(BadRequest, match=r"hallascope\[map\]"):
        umap_layout(random_vectors(12, 4))


def test_umap_of_too_few_images_and_an_unknown_layout_are_named() -> None:
    with pytest.raises(BadRequest, match="at least 10 images"):
        umap_layout(random_vectors(3, 4))
    with pytest.raises(BadRequest, match="pca or umap"):
        parse_method("tsne")
