"""What the first click needs is loaded once, whoever comes first, and a failure is a sentence."""

import threading
from collections.abc import Mapping

import pytest

from hallascope.backends import registry
from hallascope.backends.base import BadWeights
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import DEFAULTS, ModelSpec, read_models
from hallascope.engine.models.background_load import load_in_background
from hallascope.engine.models.registry import ModelRegistry
from hallascope.pages.explore.page import FIRST_MODELS

SHIPPED = ("primer/judge", "primer/diffusion-small", "primer/segmenter", "primer/embedder")


class CountedLoads:
    """Loads scripted models in the place of those that ship; `gate` holds the loads back."""

    def __init__(self, failures: int = 0) -> None:
        self.names: list[str] = []
        self.gate = threading.Event()
        self.begun = threading.Event()
        self._failures = failures

    def load(self, spec: ModelSpec) -> Scripted:
        self.names.append(spec.id)
        self.begun.set()
        assert self.gate.wait(60)
        if self._failures:
            self._failures -= 1
            raise BadWeights("the file is cut off")
        return Scripted(spec)


def counted(monkeypatch: pytest.MonkeyPatch, failures: int = 0) -> CountedLoads:
    loads = CountedLoads(failures)
    monkeypatch.setattr(registry, "load", loads.load)
    return loads


def offered(*names: str) -> Mapping[str, ModelSpec]:
    models = read_models()
    return {name: models[name] for name in names}


def load_all(models: ModelRegistry, names: tuple[str, ...]) -> list[str]:
    """The warnings, once everything was loaded."""
    warnings: list[str] = []
    load_in_background(models, names, warn=warnings.append).join(60)
    return warnings


def test_the_models_of_the_first_page_are_loaded_once_with_the_judge_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loads = counted(monkeypatch)
    loads.gate.set()
    models = ModelRegistry(read_models())
    assert load_all(models, FIRST_MODELS) == []
    assert loads.names == list(SHIPPED)
    assert set(DEFAULTS.values()) <= set(loads.names)
    for name in SHIPPED:
        assert models.backend(name).spec.id == name
    assert len(loads.names) == len(SHIPPED)


@pytest.mark.parametrize("failures", [0, 1])
def test_what_comes_after_the_loads_is_called_once_all_have_ended(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = counted(monkeypatch, failures)
    models = ModelRegistry(read_models())
    ended = threading.Event()
    thread = load_in_background(models, SHIPPED, warn=lambda _: None, then=ended.set)
    assert loads.begun.wait(60)
    assert not ended.is_set()
    loads.gate.set()
    thread.join(60)
    assert ended.is_set()
    assert loads.names == list(SHIPPED)


def test_a_call_during_the_load_waits_for_the_same_load(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = counted(monkeypatch)
    models = ModelRegistry(offered("primer/judge"))
    background = load_in_background(models, ["primer/judge"])
    assert loads.begun.wait(60)
    answers: list[object] = []
    click = threading.Thread(target=lambda: answers.append(models.backend("primer/judge")))
    click.start()
    assert not answers
    loads.gate.set()
    click.join(60)
    background.join(60)
    assert loads.names == ["primer/judge"]
    assert answers == [models.backend("primer/judge")]


def test_a_load_that_failed_is_told_in_one_sentence_and_the_call_loads_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loads = counted(monkeypatch, failures=1)
    loads.gate.set()
    models = ModelRegistry(offered("primer/judge", "primer/segmenter"))
    assert load_all(models, ("primer/judge", "primer/segmenter")) == [
        "Primer judge could not be loaded before it is needed; its first call tries again: The file"
        " is cut off."
    ]
    assert loads.names == ["primer/judge", "primer/segmenter"]
    assert models.backend("primer/judge").spec.id == "primer/judge"
    assert loads.names[2:] == ["primer/judge"]


def test_only_models_are_loaded_that_ship_and_that_the_app_offers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loads = counted(monkeypatch)
    loads.gate.set()
    models = ModelRegistry(offered("sdxl-turbo", "primer/exact", "primer/jury", "primer/segmenter"))
    load_all(models, (*FIRST_MODELS, "sdxl-turbo", "primer/jury"))
    assert loads.names == ["primer/segmenter"]


def test_nothing_is_loaded_where_a_gpu_is_lent_by_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = counted(monkeypatch)
    loads.gate.set()
    monkeypatch.setattr("hallascope.backends.zero_gpu.is_zero_gpu", lambda: True)
    load_all(ModelRegistry(read_models()), FIRST_MODELS)
    assert loads.names == []


def test_the_end_of_the_process_does_not_wait_for_the_load(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = counted(monkeypatch)
    thread = load_in_background(ModelRegistry(read_models()), FIRST_MODELS)
    assert thread.daemon
    loads.gate.set()
    thread.join(60)
