"""The chip of a judge leads to the Judges tab."""

import pytest

from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.judge_chip import judge_chip
from tests.support.tiles import EVIL, no_markup_of


@pytest.mark.parametrize("nobody", [None, "", "none"])
def test_where_nobody_judged_there_is_no_chip(nobody: str | None) -> None:
    assert judge_chip(nobody) == "none"


def test_the_chip_leads_to_the_judge_by_an_address_of_its_own() -> None:
    html = fact_table([("judge", "primer/judge"), ("rules", "2")])
    assert 'href="?tab=judges&amp;judge=primer%2Fjudge"' in html
    assert html.count("judge-chip") == 1


def test_the_name_of_a_judge_stays_text() -> None:
    html = judge_chip(EVIL)
    assert no_markup_of(EVIL, html)
    assert "&lt;img" in html
