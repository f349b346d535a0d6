"""A picture whose file carries its prompt."""

from pathlib import Path

import pytest

from hallascope.data.records import Picture
from tests.support.service_requests import png_with_texts


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    (tmp_path / "one.png").write_bytes(png_with_texts())
    return Picture("aa", tmp_path / "one.png")
