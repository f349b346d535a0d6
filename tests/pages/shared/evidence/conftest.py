"""Services with scripted vision models, for tests of evidence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import fake_vision as eyes


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = eyes.build(tmp_path)
    yield found
    found.store.close()
