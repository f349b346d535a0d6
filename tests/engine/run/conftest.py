"""The fixtures of runs that compare pictures with references."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.support import pair_judge


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = pair_judge.build(tmp_path / "home")
    yield found
    found.store.close()


@pytest.fixture
def red(tmp_path: Path) -> Path:
    path = tmp_path / "red.png"
    Image.new("RGB", (32, 32), "red").save(path)
    return path
