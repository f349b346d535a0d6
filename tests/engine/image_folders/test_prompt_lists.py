"""Prompts keep their places in the list, whatever its form."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.prompt_lists import find_prompt_file, read_numbered_prompts
from tests.support.image_folders import write


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "prompts\na cat\na dog\n"),
        ("a.tsv", "id\tprompt\n1\ta cat\n2\ta dog\n"),
        ("a.txt", "a cat\na dog\n"),
        ("a.json", '["a cat", "a dog"]'),
        ("a.jsonl", '{"prompt": "a cat"}\n{"prompt": "a dog"}\n'),
    ],
)
def test_every_form_counts_from_0(name: str, text: str, tmp_path: Path) -> None:
    listed = read_numbered_prompts(write(tmp_path / name, text))
    assert (listed.file, listed.prompts, listed.problems) == (name, {0: "a cat", 1: "a dog"}, ())


def test_a_line_that_is_empty_keeps_the_places_of_the_others(tmp_path: Path) -> None:
    listed = read_numbered_prompts(write(tmp_path / "a.txt", "a cat\n\na dog\n"))
    assert listed.prompts == {0: "a cat", 2: "a dog"}


def test_a_file_that_is_no_list_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="has no column"):
        read_numbered_prompts(write(tmp_path / "a.csv", "id,image\n1,2\n"))


def test_the_only_list_of_a_folder_is_taken(tmp_path: Path) -> None:
    assert find_prompt_file(tmp_path) is None
    path = write(tmp_path / "a.txt", "a cat")
    assert find_prompt_file(tmp_path) == path
    write(tmp_path / "b.json", "[]")
    with pytest.raises(BadRequest, match=r"a\.txt, b\.json"):
        find_prompt_file(tmp_path)
