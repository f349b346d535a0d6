"""Tables have a row for every verdict, evaluation and rating, in CSV and in Parquet."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files import human_verdicts
from hallascope.engine import ratings
from hallascope.engine.export.columns import EVALUATIONS, VERDICTS
from hallascope.engine.export.tables import cell
from hallascope.engine.storage.store import Store
from tests.support.exports import Send, read_table
from tests.support.shared_runs import keep, rate


def test_a_picture_of_two_runs_brings_what_people_said_of_it_once(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    keep(store, "run2")
    rate(store)
    assert send(store, "csv", runs="run1,run2").ratings == 4
    assert len(read_table(tmp_path / "out" / "people.csv")) == 4


def test_people_have_a_table_of_their_own_which_the_people_tab_reads_and_stand_in_no_other(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    send(store, "csv", "before")
    rate(store, rater="=Ann")
    send(store, "csv", "after")
    found, complaints = human_verdicts.read_verdicts(tmp_path / "after" / "people.csv")
    assert complaints == []
    assert [replace(one, when=0.0) for one in found] == [
        replace(ratings.person_verdict(one), when=0.0) for one in store.ratings.all()
    ]
    for name in ("verdicts.csv", "evaluations.csv"):
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()


def test_the_table_of_evaluations_has_a_row_for_each_with_what_it_counted(
    home: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "csv")
    rows = read_table(tmp_path / "out" / "evaluations.csv")
    assert list(rows[0]) == [column.name for column in EVALUATIONS]
    assert [
        (row["score"], row["counted"], row["left_out"]) for row in rows if row["metric"] == "ihalla"
    ] == [
        ("1.0", "1", "1"),
        ("0.0", "1", "1"),
    ]
    assert json.loads(rows[0]["scores"])["chair_i"] == {"value": None, "counted": 0, "left_out": 0}


@pytest.mark.parametrize("said", ["=1+1", "+1", "-1", "@x", "\tx", "a\r\nb", 'a "b", c', "'x", "-"])
def test_a_text_that_a_spreadsheet_would_run_is_kept_as_a_text(said: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(
        [cell(said), cell(None), cell(True), cell(0.1), cell(3)]
    )
    found, *others = next(csv.reader(io.StringIO(stream.getvalue(), newline="")))
    assert others == ["", "true", "0.1", "3"]
    assert not found.startswith(("=", "+", "-", "@", "\t"))
    assert found in (said, f"'{said}")


def test_the_same_rows_stand_in_parquet(home: Store, send: Send, tmp_path: Path) -> None:
    import pandas as pd

    send(home, "parquet")
    send(home, "parquet", "alone.parquet")
    found = pd.read_parquet(tmp_path / "out" / "verdicts.parquet")
    assert list(found.columns) == [column.name for column in VERDICTS]
    assert (len(found), found["value"].sum(), found["value"].count()) == (10, 3, 8)
    pd.testing.assert_frame_equal(found, pd.read_parquet(tmp_path / "alone.parquet"))


_FORMULAS = "=+-@\t\r\n＝＋－＠"  # what spreadsheets take for the beginning of a formula


@given(st.text() | st.tuples(st.sampled_from(_FORMULAS), st.text()).map("".join))
def test_no_text_is_a_formula_and_every_text_is_read_as_it_was(text: str) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerow([cell(text), "next"])
    stream.seek(0)
    first, last = next(csv.reader(stream))
    assert last == "next"
    assert not first.startswith(tuple(_FORMULAS))
    lines = re.sub("\r(?!\n)", "\n", text)
    assert first in (lines, f"'{lines}")
