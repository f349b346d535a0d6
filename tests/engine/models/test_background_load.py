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
        assert self.gate.wait(20)
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
    load_in_background(models, names, warn=warnings.append).join(20)
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


def test_a_call_during_the_load_waits_for_the_same_load(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = counted(monkeypatch)
    models = ModelRegistry(offered("primer/judge"))
    ended = threading.Event()
    background = load_in_background(models, ["primer/judge"], then=ended.set)
    assert background.daemon, "the end of the process does not wait for it"
    assert loads.begun.wait(20)
    answers: list[object] = []
    click = threading.Thread(target=lambda: answers.append(models.backend("primer/judge")))
    click.start()
    assert not answers
    assert not ended.is_set()
    loads.gate.set()
    click.join(20)
    background.join(20)
    assert ended.is_set()
    assert loads.names == ["primer/judge"]
    assert answers == [models.backend("primer/judge")]


def test_a_load_that_failed_is_told_in_one_sentence_and_the_call_loads_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loads = counted(monkeypatch, failures=1)
    loads.gate.set()
    models = ModelRegistry(offered("primer/judge", "primer/segmenter"))
    (warning,) = load_all(models, ("primer/judge", "primer/segmenter"))
    assert "Primer judge could not be loaded" in warning
    assert "The file is cut off" in warning
    assert loads.names == ["primer/judge", "primer/segmenter"]
    assert models.backend("primer/judge").spec.id == "primer/judge"
    assert loads.names[2:] == ["primer/judge"]


def test_only_what_ships_and_is_offered_is_loaded_and_nothing_where_a_gpu_is_lent_by_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loads = counted(monkeypatch)
    loads.gate.set()
    models = ModelRegistry(offered("sdxl-turbo", "primer/exact", "primer/jury", "primer/segmenter"))
    load_all(models, (*FIRST_MODELS, "sdxl-turbo", "primer/jury"))
    assert loads.names == ["primer/segmenter"]
    monkeypatch.setattr("hallascope.backends.zero_gpu.is_zero_gpu", lambda: True)
    load_all(ModelRegistry(read_models()), FIRST_MODELS)
    assert loads.names == ["primer/segmenter"]
