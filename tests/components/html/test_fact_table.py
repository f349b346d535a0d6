"""A table of facts names a value a line."""

from hallascope.components.html.fact_table import fact_table
from tests.support.tiles import EVIL, no_markup_of


def test_a_fact_has_a_line_of_its_own_with_its_name_as_head() -> None:
    html = fact_table([("rules", "2"), ("replies", "live")])
    assert html.count("<tr>") == 2
    assert '<th scope="row">rules</th><td>2</td>' in html


def test_a_judge_alone_leads_to_what_is_known_of_it() -> None:
    html = fact_table([("judge", "primer/judge"), ("writer", "primer/judge")])
    assert html.count("judge-chip") == 1


def test_names_and_values_from_elsewhere_stay_text() -> None:
    assert no_markup_of(EVIL, fact_table([(EVIL, EVIL), ("judge", EVIL)]))
