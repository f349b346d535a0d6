"""Tests what all commands share."""

from pathlib import Path

import pytest

from hallascope.cli.terminal import rewrite, split_names
from hallascope.engine.errors import BadRequest


def test_names_with_commas_between_are_trimmed_and_stand_once_in_their_order() -> None:
    assert split_names(" b, a,,b , c") == ("b", "a", "c")
    assert split_names(" , ") == ()


def test_a_file_that_cannot_be_changed_stays_as_it_is(tmp_path: Path) -> None:
    def refuse(text: str) -> str:
        raise ValueError("no marks")

    file = tmp_path / "README.md"
    file.write_text("text", encoding="utf-8")
    with pytest.raises(BadRequest, match=r"table cannot be written into .*no marks.*add the marks"):
        rewrite(file, refuse, "table", "add the marks")
    assert file.read_text(encoding="utf-8") == "text"
