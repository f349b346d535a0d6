"""Two images, and tiny models that are loaded as their entries say."""

from functools import cache
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.data.records import Picture
from tests.support.tiny_entries import Load, Tiny, tiny_spec
from tests.support.tiny_models import vision


@pytest.fixture(scope="package")
def two_pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    """A wide and a tall one."""
    folder = tmp_path_factory.mktemp("pictures")
    return [vision.picture(folder), vision.picture(folder, "tall", (40, 90))]


@pytest.fixture(scope="package")
def picture(two_pictures: list[Picture]) -> Picture:
    return two_pictures[0]


@pytest.fixture
def load_anew(tiny: Tiny) -> Load:
    """Loads a model that the test may change."""

    def load(kind: str, **settings: Any) -> Any:
        return registry.load(tiny_spec(kind, tiny(kind), **settings))

    return load


@pytest.fixture(scope="package")
def load(tiny: Tiny) -> Load:
    """Loads a model once for all tests, which change nothing of it."""

    @cache
    def load_once(kind: str, **settings: Any) -> Any:
        return registry.load(tiny_spec(kind, tiny(kind), **settings))

    return load_once
