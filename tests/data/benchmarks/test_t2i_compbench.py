"""T2I-CompBench's text files are read as they are: category and split by the name of the file,
every prompt once.
"""

from pathlib import Path

import pytest

from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.benchmarks.prompt_lists import ListedPrompt
from hallascope.data.benchmarks.t2i_compbench import read_t2i_compbench

SHARED = Path(__file__).parents[4] / "shared" / "benchmarks" / "t2i-compbench"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "color_val.txt": (
            "a green bench and a blue bowl\n\n a red  car \na green bench and a blue bowl\n"
        ),
        "3d_spatial_train.txt": "a cat in front of a dog\r\n",
        "non_spatial_val.txt": "a man is reading\n",
        "complex_val_action.txt": "The dog chased the small cat.\n",
        "README.md": "no prompts",
        "notes.txt": "no prompts",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return tmp_path


def test_a_folder_is_read_with_category_and_split_of_every_prompt(folder: Path) -> None:
    found = read_t2i_compbench(folder)
    assert found.prompts == (
        ListedPrompt("a cat in front of a dog", "3d_spatial_train/1", "3d_spatial", "train"),
        ListedPrompt("a green bench and a blue bowl", "color_val/1", "color", "val"),
        ListedPrompt("a red car", "color_val/3", "color", "val"),
        ListedPrompt(
            "The dog chased the small cat.", "complex_val_action/1", "complex: action", "val"
        ),
        ListedPrompt("a man is reading", "non_spatial_val/1", "non_spatial", "val"),
    )
    assert found.summary()["by_split"] == {"train": 1, "val": 4}


def test_a_prompt_that_stands_there_twice_is_named_and_left_out(folder: Path) -> None:
    (complaint,) = read_t2i_compbench(folder).complaints
    assert (complaint.file, complaint.row) == ("color_val.txt", 4)
    assert "first in line 1" in complaint.problem


def test_one_file_or_one_split_can_be_read_alone(folder: Path) -> None:
    assert [
        prompt.category for prompt in read_t2i_compbench(folder / "3d_spatial_train.txt").prompts
    ] == ["3d_spatial"]
    assert len(read_t2i_compbench(folder, "train").prompts) == 1


@pytest.mark.parametrize(
    ("name", "split", "says"),
    [
        ("notes.txt", None, "does not say its category"),
        ("color_train.txt", None, "cannot be opened"),
        ("", "test", "nothing in .* is of the split 'test'"),
        ("nowhere", None, "does not say its category"),
    ],
)
def test_what_is_no_file_of_it_is_said(
    folder: Path, name: str, split: str | None, says: str
) -> None:
    with pytest.raises(NotABenchmark, match=says):
        read_t2i_compbench(folder / name, split)


def test_a_folder_without_its_files_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotABenchmark, match="color_val"):
        read_t2i_compbench(tmp_path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the public files are not here")
def test_the_public_files_are_read_without_a_complaint() -> None:
    found = read_t2i_compbench(SHARED)
    assert found.complaints == ()
    assert found.summary()["by_category"] == dict.fromkeys(
        ("color", "complex", "numeracy", "spatial"), 300
    )
