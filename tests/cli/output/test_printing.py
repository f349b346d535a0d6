"""Tests how commands format numbers, tables and questions."""

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.data.records import Question


def test_what_is_missing_is_a_dash() -> None:
    assert (printing.number(None), printing.number(0.5)) == ("-", "0.500")
    assert printing.interval(None, None) == "-"
    assert printing.interval(0.25, 1.0) == "0.250 to 1.000"


def test_columns_are_as_wide_as_their_widest_cell_and_no_line_ends_with_spaces() -> None:
    columns = (TextColumn("name", lambda row: row[0]), TextColumn("n", lambda row: row[1]))
    printed = printing.table(columns, [("a", "1"), ("longer", "22")])
    assert printed.splitlines() == ["name    n", "a       1", "longer  22"]


def test_the_right_answer_of_a_question_is_marked() -> None:
    question = Question(coi="counting", text="How many?", choices=("One", "Two"), gold="B")
    assert printing.questions_lines([question]).splitlines() == [
        "1. How many? [counting]",
        "     A) One",
        "   * B) Two",
    ]
