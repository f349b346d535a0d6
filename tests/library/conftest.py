"""Provides results of the library: two prompts, a model that draws, one in red, one that fails."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import hallascope
from hallascope.backends import registry
from hallascope.backends.base import Backend
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ModelSpec
from tests.support.drawing_functions import PENGUIN, broken, plain_red


@pytest.fixture(scope="package", autouse=True)
def loaded_once() -> Iterator[None]:
    """The judge that ships is loaded once, not for every call of the library."""
    load, loaded = registry.load, dict[str, Backend]()

    def load_once(spec: ModelSpec, keys: ApiKeys = registry.NO_KEYS) -> Backend:
        if spec.id != "primer/judge":
            return load(spec, keys)
        if spec.id not in loaded:
            loaded[spec.id] = load(spec, keys)
        return loaded[spec.id]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "load", load_once)
        yield


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def results(home: Path) -> hallascope.Results:
    models = ["primer/exact", plain_red, broken]
    return hallascope.evaluate([PENGUIN, "a red circle"], models=models, count=2, home=home)
