"""Tests `hallascope spaces check` and the names of Spaces."""

from pathlib import Path
from typing import Any

import pytest


def test_the_spaces_of_this_repository_can_be_deployed(command: Any) -> None:
    result = command("spaces", "check", "--json")
    assert (result.code, result.json["problems"]) == (0, [])
    assert {space["sdk"] for space in result.json["spaces"]} <= {"gradio", "static", "docker"}
    assert "can be deployed" in command("spaces", "check").out


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_file_with_a_fault_is_reported_and_changes_nothing(
    command: Any, tmp_path: Path, as_json: list[str]
) -> None:
    file = tmp_path / "spaces.yaml"
    file.write_text("spaces:\n  - name: demo\n    hardware: zero\n", encoding="utf-8")
    readme = tmp_path / "README.md"
    readme.write_text("words", encoding="utf-8")
    result = command("spaces", "check", file, "--write", readme, *as_json)
    assert result.code == 1
    assert "title" in result.out
    assert readme.read_text(encoding="utf-8") == "words"


def test_an_unknown_space_is_refused_with_those_that_exist(command: Any, tmp_path: Path) -> None:
    result = command("spaces", "build", "nowhere", tmp_path / "out")
    assert result.code == 2
    assert "There is no Space 'nowhere': choose of " in result.err
    assert not (tmp_path / "out").exists()
