"""Tests `hallascope self-match`: its figures, its files, its bounds and refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.engine.judge_eval.parsers import self_match


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    file = tmp_path / "prompts.txt"
    file.write_text("a red car\n\ntwo dogs on the grass\n", encoding="utf-8")
    return file


def test_the_prompts_of_all_files_are_held_against_themselves(
    command: Any, prompts: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "more.json"
    listed.write_text(json.dumps([{"id": "1", "caption": "a cat"}]), encoding="utf-8")
    result = command("self-match", prompts, listed, "--json")
    assert result.code == 0
    assert result.json["prompts"] == 3
    assert result.json["perfect"]["fig"]["part"] == result.json["perfect"]["fig"]["of"] == 3
    assert result.json["faults"] == result.json["unreadable"] == []


def test_a_share_below_its_bound_fails_and_its_prompts_are_listed(
    command: Any, prompts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def misread(prompt: str, describing: frozenset[str] = frozenset()) -> PromptReading:
        return PromptReading(prompt=prompt, objects=(AskedObject(id="o1", name="car"),))

    monkeypatch.setattr(self_match, "read_prompt", misread)
    assert command("self-match", prompts, "--at-least", "fig=0.5").code == 0
    result = command("self-match", prompts, "--at-least", "fig=0.6")
    assert result.code == 1
    assert "two dogs on the grass\n  FiG: object: car" in result.out
    assert "a red car" not in result.out


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("absent.txt", None, "cannot be opened"),
        ("prompts.md", "a dog", "The file 'prompts.md' is none of .csv"),
        ("empty.txt", " \n", "There is no prompt in"),
        ("long.txt", "a dog " * 3_000, "is not parsed"),
        ("numbers.json", '[{"prompt": 3}]', "Numbers.json, row 1: the field 'prompt' is 3"),
    ],
)
def test_a_file_without_prompts_is_refused_in_one_sentence(
    command: Any, tmp_path: Path, name: str, text: str | None, words: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = command("self-match", tmp_path / name)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert words in result.err
