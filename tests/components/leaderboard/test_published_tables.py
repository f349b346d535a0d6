"""Published tables show each number with its note, and escape what they print."""

import re

from hallascope.components.leaderboard.published_tables import published_tables_html
from hallascope.data.published.module_tables import (
    PublishedNumber,
    PublishedTable,
    PublishedTableRow,
    tables_of_metric,
)


def test_a_doubtful_number_has_the_sign_of_its_note() -> None:
    html = published_tables_html(tables_of_metric("fig"))
    assert html.count("<table") == 3
    assert re.search(r"<td>10\.23<sup>(\d)</sup></td>", html)
    sign = re.search(r"<td>20\.83<sup>(\d)</sup></td>", html)
    assert sign
    assert f"<li><sup>{sign[1]}</sup> 20.83 on DrawBench: table 3 prints 10.23" in html


def test_a_missing_number_is_a_dash() -> None:
    html = published_tables_html(tables_of_metric("fig"))
    assert html.count("<td>–</td>") == 9  # MSCOCO has no text


def test_what_a_paper_prints_is_escaped() -> None:
    evil = "<script>"
    row = PublishedTableRow(evil, evil, (PublishedNumber(evil, evil),))
    table = PublishedTable(
        metric="fig",
        title=evil,
        source=evil,
        unit=evil,
        rows_are=evil,
        columns=(evil,),
        rows=(row,),
    )
    assert evil not in published_tables_html([table])


def test_without_tables_there_is_nothing() -> None:
    assert published_tables_html(tables_of_metric("ihalla")) == ""
