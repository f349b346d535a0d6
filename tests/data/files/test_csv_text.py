"""A table as CSV has no formula, and every text in it is read as it was."""

import csv
import io
import re

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.csv_text import csv_text, unescape_formula

_FORMULAS = "=+-@\t\r\n＝＋－＠"  # what spreadsheets take for the beginning of a formula


@given(st.text() | st.tuples(st.sampled_from(_FORMULAS), st.text()).map("".join))
def test_no_text_is_a_formula_and_every_text_is_read_as_it_was(text: str) -> None:
    written = csv_text(pd.DataFrame([[text, "next"]]), header=False)
    first, last = next(csv.reader(io.StringIO(written, newline="")))
    assert last == "next"
    assert not first.startswith(tuple(_FORMULAS))
    assert unescape_formula(first) == re.sub("\r(?!\n)", "\n", text)


def test_truth_is_in_small_letters_and_what_is_missing_is_empty() -> None:
    frame = pd.DataFrame(
        {"truth": [True, None], "whole": [3, None], "number": [0.1, None], "text": ["a", None]}
    ).astype({"truth": "boolean", "whole": "Int64"})
    assert csv_text(frame) == "truth,whole,number,text\ntrue,3,0.1,a\n,,,\n"
