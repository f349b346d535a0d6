"""Vectors are kept once for each image and embedder, and go with the image."""

import numpy as np
import pytest

from hallascope.engine.storage.store import Store


def test_an_image_keeps_its_first_vector_and_its_cluster(store: Store) -> None:
    kept = store.embeddings
    kept.add("few@1", {"a": [1.0]})
    kept.add("one@1", {"a": [0.5, -1.0], "b": [0.25, 2.0]})
    kept.set_clusters("one@1", {"a": 3})
    kept.add("one@1", {"a": [9.0, 9.0]})
    assert kept.read("one@1", ["b", "a", "b"]).tolist() == [[0.25, 2.0], [0.5, -1.0], [0.25, 2.0]]
    assert kept.clusters("one@1") == {"a": 3}
    assert kept.find_missing("one@1", ["c", "a", "c"]) == ["c"]
    with pytest.raises(KeyError):
        kept.read("one@1", ["c"])
    assert list(kept.embedders().items()) == [("one@1", 2), ("few@1", 1)], "of most images first"


def test_a_layout_stays_as_it_was_first_kept(store: Store) -> None:
    assert store.embeddings.layout("key") is None
    coordinates = np.asarray([[0.5, 1.0], [2.0, -3.0]], np.float32)
    for scale in (1, 2):
        store.embeddings.keep_layout("key", coordinates * scale)
    kept = store.embeddings.layout("key")
    assert kept is not None
    assert kept.tolist() == coordinates.tolist()
