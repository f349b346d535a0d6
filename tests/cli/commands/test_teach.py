"""Tests the links that `hallascope teach` prints, and its refusals."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.teaching.odd_one_out import OddOneOutSet, read_rounds, write_rounds
from hallascope.engine.teaching import odd_one_out

ROOT = Path(__file__).parents[3]


def test_the_link_of_a_link_is_the_link(command: Any) -> None:
    example = next((ROOT / "examples").rglob("*exercise*.yaml"))
    link = command("teach", "link", example)
    assert link.out.startswith("?tab=teach&set=")
    assert command("teach", "link", link.out.strip()).out == link.out


def test_no_set_was_made_yet(command: Any) -> None:
    assert command("teach", "sets", "--json").json == []
    assert command("teach", "sets").out.split() == ["id", "title", "answers"]


def test_a_page_needs_a_name_that_browsers_open(command: Any, tmp_path: Path) -> None:
    result = command("teach", "page", "any", tmp_path / "page.txt")
    assert result.code == 2
    assert "give a name that ends in .html" in result.err


def test_a_set_that_does_not_exist_is_one_sentence(command: Any) -> None:
    result = command("teach", "link", "nothing")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_the_rounds_of_the_first_page_are_made_and_their_size_is_said(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(services: Any, folder: Path) -> OddOneOutSet:
        rounds = read_rounds()
        write_rounds(rounds, folder)
        return rounds

    monkeypatch.setattr(odd_one_out, "make_rounds", make)
    made = command("teach", "odd-one-out", tmp_path)
    assert made.code == 0
    assert made.out.startswith("12 rounds and an example, ")
    assert "primer/judge finds the odd image in 9 of 12 rounds." in made.out
    assert read_rounds(tmp_path) == read_rounds()
