"""Of a long list of rows the page shows the first, and the download has all."""

from pathlib import Path

from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from tests.pages.agreement.conftest import given, tables, write


def test_of_many_rows_that_are_left_out_the_first_are_listed(
    services: Services, tmp_path: Path
) -> None:
    scores, _ = tables(tmp_path)
    lines = [f"i{n},{n % 5}" for n in range(20)] + [f"stray{n},1" for n in range(130)]
    shown = state.compare(services, given(scores, write(tmp_path / "r.csv", "item,value", *lines)))
    assert shown.tables.count("stray") == 100
    assert "and 30 more" in shown.tables
    assert len(shown.document["rejected"]) == 130
