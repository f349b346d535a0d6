"""Where each metric differs from its paper: each has a table, and docs lead to it."""

import re
from pathlib import Path

import pytest

from bench.docs_site import links
from hallascope.metrics import METRICS
from hallascope.metrics.deviations import deviations_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "scores.md"
# how a difference is said that belongs into a table
PHRASES = re.compile(
    r"our\s+readings?\b|papers?\s+(?:does|do|is|are)\s+(?:not\s+(?:say|print|name)|silent)"
    r"|papers?\s+(?:gives?|prints?|leaves?)\s+(?:no\b|it\s+open|open)",
    re.IGNORECASE,
)
NAMES = (*METRICS, "haloquest")


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_says_where_it_differs(name: str) -> None:
    rows = deviations_of(name)
    assert rows
    for row in rows:
        assert all(cell.strip() for cell in (row.paper, row.ours, row.why, row.matters))


def test_the_page_on_scores_leads_to_every_table() -> None:
    files = {
        f"../{file.relative_to(ROOT)}" for file in (ROOT / "metrics").glob("*/deviations.yaml")
    }
    assert files <= set(links(DOCS))


def test_what_is_no_metric_has_no_table() -> None:
    assert deviations_of("nothing") == ()


def test_code_and_docs_say_no_difference_outside_the_tables() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for file in (*sorted((ROOT / "metrics").rglob("*.py")), DOCS)
        for match in PHRASES.finditer(file.read_text(encoding="utf-8"))
    ]
    assert found == []
