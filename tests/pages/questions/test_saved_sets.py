"""Saved sets go out as files, come in again, and can be removed and brought back."""

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import QuestionSet
from hallascope.pages.questions import page, saved_sets
from tests.pages.questions.conftest import PROMPT, drafted


def accepted(services: Any, prompt: str = PROMPT) -> QuestionSet:
    sheet = drafted(services, prompt=prompt)[-1].sheet
    page.save(services, sheet, prompt)
    return saved_sets.of_prompts(services, [prompt])[0]


@pytest.mark.parametrize("form", ["xlsx", "jsonl"])
def test_a_set_written_to_a_file_and_taken_in_again_is_the_same(
    services: Any, tmp_path: Path, form: str
) -> None:
    kept = accepted(services)
    file = saved_sets.exporter(services)({"prompt": PROMPT, "form": form})
    assert file["name"] == f"a-molecule-of-methane.{form}"
    (tmp_path / file["name"]).write_bytes(base64.b64decode(file["base64"]))
    line, earlier = saved_sets.remove_set(services, PROMPT)
    assert (services.sets.all(), earlier) == ([], (kept,))
    assert "are removed" in line
    line, _ = saved_sets.import_sets(services, str(tmp_path / file["name"]))
    assert "1 set saved" in line
    assert services.sets.all() == [kept]


def test_a_file_replaces_what_was_there_and_that_can_be_brought_back(
    services: Any, tmp_path: Path
) -> None:
    kept = accepted(services)
    services.sets.export(tmp_path / "q.jsonl")
    services.sets.save(replace(kept, questions=kept.questions[:1]))
    line, earlier = saved_sets.import_sets(services, str(tmp_path / "q.jsonl"))
    assert "1 in place of what was there" in line
    assert [len(one.questions) for one in earlier] == [1]


def test_a_damaged_file_gives_its_complaints_as_text(services: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text(
        '{"prompt": "a cat", "questions": [{"question": "<b>?", "choices": []}]}\nno json\n'
    )
    line, _ = saved_sets.import_sets(services, str(tmp_path / "bad.jsonl"))
    assert "0 sets saved from bad.jsonl" in line
    assert "bad.jsonl, row 2: is no JSON object" in line
    (tmp_path / "bad.xlsx").write_bytes(b"PK no workbook")
    line, _ = saved_sets.import_sets(services, str(tmp_path / "bad.xlsx"))
    assert "bad.xlsx" in line


def test_what_is_not_there_any_more_gives_one_sentence(services: Any) -> None:
    assert "There are no saved questions" in saved_sets.remove_set(services, PROMPT)[0]
    assert (
        "There are no saved questions"
        in saved_sets.exporter(services)({"prompt": None, "form": "xlsx"})["wrong"]
    )


@pytest.mark.parametrize(
    ("prompt", "name"),
    [("a cat / ../dog", "a-cat-dog"), ("メタンの分子", "メタンの分子"), ("???", "questions")],
)
def test_a_prompt_becomes_the_name_of_a_file(prompt: str, name: str) -> None:
    assert saved_sets.file_name(prompt) == name
