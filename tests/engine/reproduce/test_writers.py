"""Every format holds the same numbers, and no text of a table becomes a command of the format."""

import csv
import io
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.reproduce.paper_tables import PaperLine, PaperTable, PublishedCell
from hallascope.engine.reproduce.cells import ReproducedWorld
from hallascope.engine.reproduce.results import OurCell, ReproducedCell, ReproducedTable
from hallascope.engine.reproduce.writers import write_table


def small_table(
    row: str = "SD v1.4",
    column: str = "Science",
    note: str = "A note.",
    ours: float | None = 0.401,
    world: ReproducedWorld = "paper",
) -> ReproducedTable:
    """Return a table of one row and two columns, of which the second has no number of ours."""
    spec = PaperTable(
        name="3",
        title="Scores",
        section="Results",
        fill="scores",
        rows=(PaperLine(name=row),),
        columns=(
            PaperLine(name=column, group="I-HallA Score"),
            PaperLine(name="History", group="I-HallA Score"),
        ),
    )
    published = PublishedCell(0.353, 0.002) if world == "paper" else PublishedCell()
    first = OurCell(value=ours, deviation=None if ours is None else 0.01, n=100, trials=3)
    return ReproducedTable(
        paper="I-HallA",
        table=spec,
        world=world,
        cells={
            (0, 0): ReproducedCell(ours=first, published=published),
            (0, 1): ReproducedCell(ours=OurCell(reason="No key."), published=PublishedCell(0.535)),
        },
        notes=(note,),
    )


HOSTILE = "<script>alert(1)</script> & 100 % _of_ $them$ \\input{x}"
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)


def test_text_has_ours_the_published_number_and_the_difference_in_three_lines() -> None:
    lines = write_table(small_table(), "text").splitlines()
    assert lines == [
        "I-HallA, table 3: Scores (from 0 to 1; mean ± standard deviation over trials)",
        "",
        "                     I-HallA Score",
        "                     Science        History",
        "SD v1.4  ours        0.401 ± 0.010  -",
        "         published   0.353 ± 0.002  0.535",
        "         difference  +0.048         -",
        "",
        "A note.",
    ]


def test_csv_has_one_line_a_cell_with_the_reason_of_an_empty_one() -> None:
    rows = list(csv.DictReader(io.StringIO(write_table(small_table(), "csv"))))
    assert [row["column"] for row in rows] == ["Science", "History"]
    assert float(rows[0]["difference"]) == pytest.approx(0.048)
    assert (rows[0]["n"], rows[0]["trials"], rows[0]["published_deviation"]) == (
        "100",
        "3",
        "0.002",
    )
    assert (rows[1]["ours"], rows[1]["published"], rows[1]["reason"]) == ("", "0.535", "No key.")


@given(row=LINE, column=LINE, ours=st.none() | st.floats(-1e6, 1e6))
def test_csv_is_read_as_it_was_written(row: str, column: str, ours: float | None) -> None:
    text = write_table(small_table(row=row, column=column, ours=ours), "csv")
    read = next(csv.DictReader(io.StringIO(text, newline="")))
    assert (read["row"], read["column"]) == (row, column)
    if ours is None:
        assert read["ours"] == ""
    else:
        assert math.isclose(float(read["ours"]), ours, rel_tol=1e-9)


class _Texts(HTMLParser):
    """Gathers the texts of a page and the names of its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(row=LINE, note=LINE)
def test_html_shows_every_text_as_it_stands(row: str, note: str) -> None:
    page = _Texts()
    page.feed(write_table(small_table(row=row, note=note), "html"))
    page.close()
    everything = "".join(page.texts)
    assert row in everything
    assert note in everything
    assert "script" not in page.names


def test_latex_escapes_a_hostile_name_and_keeps_numbers_in_math() -> None:
    text = write_table(small_table(row=HOSTILE, note=HOSTILE), "latex")
    assert "\\input" not in text
    assert r"100 \% \_of\_ \$them\$" in text
    assert r"$0.401 \pm 0.010$" in text
    assert r"\multicolumn{2}{c}{I-HallA Score}" in text
    tabular = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    rows = [line for line in tabular.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [3, 3, 3]
