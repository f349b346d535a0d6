"""Names of files and prompts of lists are read as they were written, and nothing leads out of the
folder.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.file_names import (
    LARGEST_SEED,
    NumberedName,
    PromptedName,
    parse_numbered_name,
    parse_prompted_name,
    parse_seed,
    prompt_key,
)
from hallascope.engine.image_folders.folder_files import LeavesFolder, find_within, walk_files
from hallascope.engine.image_folders.prompt_lists import read_numbered_prompts
from hallascope.engine.image_folders.records import UnmatchedFile
from tests.support.image_folders import write
from tests.support.images import png


def test_images_are_listed_by_name_and_others_are_left_aside(tmp_path: Path) -> None:
    for name in ("b/2.png", "b/1.JPG", "a.webp", "notes.txt", ".hidden/3.png", "__MACOSX/4.png"):
        write(tmp_path / name, png())
    listed = [file for file in walk_files(tmp_path) if isinstance(file, Path)]
    assert [file.relative_to(tmp_path).as_posix() for file in listed] == [
        "a.webp",
        "b/1.JPG",
        "b/2.png",
    ]


def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.png", png())
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "image.png").symlink_to(outside)
    (inside / "folder").symlink_to(outside.parent)
    listed = list(walk_files(inside))
    assert all(isinstance(entry, UnmatchedFile) for entry in listed)
    assert {entry.name for entry in listed if isinstance(entry, UnmatchedFile)} == {
        "image.png",
        "folder",
    }


@pytest.mark.parametrize(
    "named",
    ["../secret.png", "/etc/passwd", "C:\\secret.png", "a/../../secret.png", "..\\secret.png", ""],
)
def test_a_path_that_leads_out_of_the_folder_is_refused(named: str, tmp_path: Path) -> None:
    write(tmp_path / "secret.png", png())
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(LeavesFolder):
        find_within(folder, named)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(named=st.text(alphabet=st.sampled_from("ab./\\ :\0~\n"), max_size=12))
def test_no_path_leads_out_of_the_folder(named: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write(folder / "a" / "b", b"")
    write(tmp_path / "ab", b"")
    try:
        found = find_within(folder, named)
    except LeavesFolder:
        return
    assert found.resolve().is_relative_to(folder.resolve())


PROMPTS = st.text(min_size=1, max_size=80).filter(lambda text: bool(text.split()))


@given(PROMPTS, st.integers(0, 999_999_999))
def test_a_prompt_with_its_number_is_read_as_it_was_written(prompt: str, number: int) -> None:
    expected = PromptedName(" ".join(prompt.split()), number)
    assert parse_prompted_name(f"{prompt}_{number:06d}") == expected


@pytest.mark.parametrize("stem", ["", "_000001", "   _000001", "a cat", "a cat-000001", "000001"])
def test_a_name_without_a_prompt_or_a_number_is_refused(stem: str) -> None:
    assert parse_prompted_name(stem) is None


@given(st.integers(0, 999_999_999), st.integers(0, 999), st.sampled_from("_-"))
def test_a_row_and_a_sample_are_read_as_they_were_written(row: int, sample: int, sign: str) -> None:
    assert parse_numbered_name(f"{row}") == NumberedName(row, 0)
    assert parse_numbered_name(f"{row:09d}{sign}{sample}") == NumberedName(row, sample)


@pytest.mark.parametrize("text", ["", "-1", "1.0", "1e3", "²", "٣", "one", str(LARGEST_SEED + 1)])
def test_what_is_no_seed_is_none(text: str) -> None:
    assert parse_seed(text) is None


@given(st.text(alphabet=st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1))
def test_signs_that_names_of_files_lack_do_not_matter(word: str) -> None:
    assert prompt_key(f"A {word}: red/blue?") == prompt_key(f"a_{word}  red blue.")


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
