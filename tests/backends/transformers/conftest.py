"""A picture, and tiny vision models that are loaded as their entries say."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.data.records import Picture
from tests.support.chat_entries import Load, chat_spec
from tests.support.tiny_models import vision
from tests.support.vision_entries import Tiny, vision_spec


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    return vision.picture(tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def load_vision(tiny: Tiny) -> Callable[..., Any]:
    return lambda kind, **settings: registry.load(vision_spec(kind, tiny(kind), **settings))


@pytest.fixture(scope="module")
def load_chat(tiny: Tiny) -> Load:
    return cache(lambda kind: registry.load(chat_spec(kind, tiny(kind))))


@pytest.fixture(scope="module")
def two_pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    folder = tmp_path_factory.mktemp("pictures")
    return [vision.picture(folder), vision.picture(folder, "tall", (40, 90))]
