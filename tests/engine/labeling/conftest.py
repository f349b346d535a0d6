"""Services whose store has 12 prompts by two models, judged and ready to be labeled."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.labeling_store import build


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    opened = build(tmp_path / "home")
    yield opened
    opened.store.close()
