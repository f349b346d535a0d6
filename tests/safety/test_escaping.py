"""The name of a file that a visitor brings stays text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hallascope.pages.labels import page
from hallascope.pages.questions import saved_sets
from tests.support.viewer_app import EVIL


def harmless(html: str) -> bool:
    """Whether nothing of the hostile text became a tag or ended an attribute."""
    return "<script" not in html and "<img src=x" not in html and "\"'`" not in html


@pytest.mark.parametrize(
    "taken", [page.import_verdicts, lambda *said: saved_sets.import_sets(*said)[0]]
)
def test_the_name_of_a_file_that_is_brought_stays_text(
    services: Any, tmp_path: Path, taken: Callable[..., str]
) -> None:
    path = tmp_path / f"{EVIL.replace('/', '')}.csv"
    path.write_text("no,table\n1,2\n", encoding="utf-8")
    assert harmless(taken(services, str(path)))
