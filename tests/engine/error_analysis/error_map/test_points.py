"""A map has a point for each image that is embedded, with what it can be colored by."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from hallascope.engine.error_analysis.conditions import Condition
from hallascope.engine.error_analysis.error_map import embeddings
from hallascope.engine.error_analysis.error_map.embeddings import (
    EmbeddingProgress,
    bind_embedder,
    embed_images,
    usable_embedders,
)
from hallascope.engine.error_analysis.error_map.points import (
    NOTHING_WRONG,
    POINT_COLUMNS,
    error_map,
    truth_distances,
)
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import BadRequest
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


def test_the_cluster_is_a_condition(judged: Any) -> None:
    embed(judged)
    drawn = error_map(judged, ErrorSelection())
    cluster = drawn.points["cluster"][0]
    chosen = ErrorSelection(conditions=(Condition("cluster", cluster),))
    narrowed = error_map(judged, chosen)
    assert set(narrowed.points["cluster"]) == {cluster}
    assert len(narrowed.points) == (drawn.points["cluster"] == cluster).sum()


def test_embedding_goes_on_where_it_was_stopped(
    judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "BATCH", 5)
    stop = threading.Event()
    images = list(read_judged_images(judged.store, ErrorSelection()).images["image"])
    for progress in embed_images(judged, bind_embedder(judged), images, stop):
        if progress.done:
            stop.set()
    assert progress == EmbeddingProgress(5, 12)
    assert embed(judged)[-1] == EmbeddingProgress(7, 7)
    assert embed(judged) == [EmbeddingProgress(0, 0)]


def test_an_image_without_its_file_is_counted_and_not_drawn(judged: Any) -> None:
    image = read_judged_images(judged.store, ErrorSelection()).images["image"][0]
    judged.store.images.path(image).unlink()
    last = embed(judged)[-1]
    assert (last.done, last.failed) == (12, 1)
    assert "not in the store" in last.sentence
    assert error_map(judged, ErrorSelection()).missing == (image,)


def test_the_distance_from_truth_is_a_share_of_the_questions(judged: Any) -> None:
    evaluations = list(read_judged_images(judged.store, ErrorSelection()).images["evaluation"])
    distances = truth_distances(judged.store, evaluations)
    assert set(distances.index) == set(evaluations)
    assert distances.between(0, 1).all()
    with pytest.raises(BadRequest, match="at most 2,000"):
        truth_distances(judged.store, list(range(2_001)))


def test_only_embedders_that_run_here_are_offered(judged: Any) -> None:
    assert usable_embedders(judged)[0] == "primer/embedder"
    with pytest.raises(BadRequest):
        bind_embedder(judged, "primer/judge")
