"""Vectors are kept once for each image and embedder, and go with the image."""

import numpy as np
import pytest
from sqlmodel import select

from hallascope.engine.storage.embeddings import delete_embeddings
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EmbeddingRow


def test_vectors_come_back_in_the_order_asked_for(store: Store) -> None:
    store.embeddings.add("one@1", {"a": [0.5, -1.0], "b": [0.25, 2.0]})
    read = store.embeddings.read("one@1", ["b", "a", "b"])
    assert read.tolist() == [[0.25, 2.0], [0.5, -1.0], [0.25, 2.0]]
    assert store.embeddings.find_missing("one@1", ["c", "a", "c"]) == ["c"]
    assert store.embeddings.find_missing("two@1", ["a"]) == ["a"]
    with pytest.raises(KeyError):
        store.embeddings.read("one@1", ["c"])


def test_an_image_keeps_its_first_vector_and_its_cluster(store: Store) -> None:
    store.embeddings.add("one@1", {"a": [1.0], "b": [2.0]})
    store.embeddings.set_clusters("one@1", {"a": 3})
    store.embeddings.add("one@1", {"a": [9.0]})
    assert store.embeddings.read("one@1", ["a"]).tolist() == [[1.0]]
    assert store.embeddings.clusters("one@1") == {"a": 3}


def test_a_layout_comes_back_as_it_was_kept(store: Store) -> None:
    assert store.embeddings.layout("key") is None
    coordinates = np.asarray([[0.5, 1.0], [2.0, -3.0]], np.float32)
    store.embeddings.keep_layout("key", coordinates)
    store.embeddings.keep_layout("key", coordinates * 2)
    kept = store.embeddings.layout("key")
    assert kept is not None
    assert kept.tolist() == coordinates.tolist()


def test_the_vectors_of_an_image_are_deleted_by_all_embedders(store: Store) -> None:
    for embedder in ("one@1", "two@1"):
        store.embeddings.add(embedder, {"a": [1.0], "b": [2.0]})
    with store.database.write_transaction() as session:
        delete_embeddings(session, ["a"])
        assert {row.image for row in session.exec(select(EmbeddingRow)).all()} == {"b"}


def test_the_embedder_of_most_images_comes_first(store: Store) -> None:
    store.embeddings.add("few@1", {"a": [1.0]})
    store.embeddings.add("many@1", {"a": [1.0], "b": [2.0]})
    assert list(store.embeddings.embedders().items()) == [("many@1", 2), ("few@1", 1)]
