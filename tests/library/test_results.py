"""Tests the tables and pages of results."""

from pathlib import Path

import pytest

import hallascope
from hallascope.engine.errors import BadRequest
from tests.support.drawing_functions import PENGUIN


def test_results_are_a_table_and_html_in_which_text_is_escaped(results: hallascope.Results) -> None:
    table = results.to_pandas()
    assert len(table) == len(results)
    assert table[table.model == "broken"].value.isna().all()
    assert "no &lt;b&gt;paint" in results._repr_html_()
    assert "<b>paint" not in results._repr_html_()


def test_the_pages_of_results_show_their_evidence(
    results: hallascope.Results, tmp_path: Path
) -> None:
    page = results.show(tmp_path / "site", open_browser=False)
    assert page == tmp_path / "site" / "index.html"
    assert PENGUIN in page.read_text("utf-8")
    with pytest.raises(BadRequest, match="holds something"):
        results.show(tmp_path / "site", open_browser=False)
