"""The map answers its script with points or with one sentence, and embeds what is missing."""

import threading
from typing import Any

import pytest

from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.pages.error_analysis import error_map
from hallascope.pages.error_analysis.error_map import (
    MapHandlers,
    embedding_updates,
    map_value,
    server_functions,
)
from tests.engine.error_analysis.test_selection import evaluate

REQUEST: dict[str, Any] = {"choice": {}, "layout": "pca", "embedder": ""}


@pytest.fixture
def judged(services: Any) -> Any:
    evaluate(services, "a ladybug")
    return services


def embed(services: Any, stop: threading.Event | None = None) -> list[tuple[Any, Any]]:
    signal = stop or threading.Event()
    return list(embedding_updates(services, signal, ErrorSelection(), {"computed": 1}))


def test_what_is_missing_is_named_then_embedded_then_drawn(judged: Any) -> None:
    read_map, read_truth, describe = server_functions(MapHandlers(judged))
    before = read_map(REQUEST)
    assert (before["missing"], before["embed"]) == (4, True)
    assert "Compute embeddings" in before["note"]
    line, value = embed(judged)[-1]
    assert "4 of 4 images embedded" in line
    assert value == map_value(ErrorSelection(), 2, "primer/embedder")
    after = read_map({**REQUEST, "choice": value["choice"]})
    assert (after["missing"], after["embed"], after["note"]) == (0, False, "")
    assert read_truth(REQUEST)["groups"]
    shown = describe({"evaluation": 1})
    assert "a ladybug" in shown["words"]
    assert shown["src"].startswith("gradio_api/file=")


def test_a_stop_says_how_to_go_on(judged: Any) -> None:
    stop = threading.Event()
    stop.set()
    line, _ = embed(judged, stop)[-1]
    assert "goes on from here" in line


def test_a_public_app_embeds_only_when_asked(judged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_map, "public", lambda: True)
    monkeypatch.setattr(error_map, "MOST_PUBLIC", 3)
    read_map, _, _ = server_functions(MapHandlers(judged))
    assert not read_map(REQUEST)["embed"]
    assert "3 of 3 images" in embed(judged)[-1][0]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"choice": {}}, "reload the page"),
        ({**REQUEST, "layout": "tsne"}, "pca or umap"),
        ({**REQUEST, "embedder": "nobody"}, "nobody"),
        ({**REQUEST, "choice": {"slice": ["nothing"]}}, "no condition"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(judged: Any, sent: Any, words: str) -> None:
    read_map, _, _ = server_functions(MapHandlers(judged))
    assert words in read_map(sent)["wrong"]
