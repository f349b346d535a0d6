"""The fixture of sweeps: worlds on a store that is quick to make."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.sweep_services import World


@pytest.fixture
def begin(empty: Path, tmp_path: Path) -> Iterator[Callable[..., World]]:
    opened: list[World] = []

    def make(name: str = "home", **options: Any) -> World:
        folder = tmp_path / name
        opened.append(
            World(folder if folder.exists() else shutil.copytree(empty, folder), **options)
        )
        return opened[-1]

    yield make
    for world in opened:
        world.close()
