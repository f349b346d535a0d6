"""`hallascope interval-coverage` prints its tables, for people and for programs."""

from typing import Any


def test_the_tables_are_printed_for_people(command: Any) -> None:
    result = command("interval-coverage", "--draws", "10", "--boards", "10")
    assert result.code == 0
    first, *_ = result.out.splitlines()
    assert "10 draws a cell, of 10 boards a cell" in first
    heads = [line.split() for line in result.out.splitlines() if "correlation " in line]
    assert heads[0][-5:] == ["3", "5", "10", "50", "200"]
    assert len(heads) == 4
    assert result.out.count("lowest:") == 4
    assert result.out.count("highest") == 2


def test_every_cell_is_in_the_document(command: Any) -> None:
    document = command("interval-coverage", "--draws", "10", "--boards", "10", "--json").json
    assert (document["draws"], document["boards"]) == (10, 10)
    assert set(document["means"][0]) == {
        "mean",
        "correlation",
        "prompts",
        "covered",
        "width",
        "other",
    }
    assert all(0 <= cell["corrected"] <= cell["uncorrected"] for cell in document["equal_boards"])
