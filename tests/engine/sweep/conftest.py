"""The fixture of sweeps: worlds on a store of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.sweep_services import World


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., World]]:
    opened: list[World] = []

    def make(name: str = "home", **options: Any) -> World:
        opened.append(World(tmp_path / name, **options))
        return opened[-1]

    yield make
    for world in opened:
        world.close()
