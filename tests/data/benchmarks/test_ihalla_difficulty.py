"""The table of difficulties is read row by row; what cannot be read is named with its line."""

from pathlib import Path

import pytest

from hallascope.data.benchmarks.ihalla import read_ihalla
from hallascope.data.benchmarks.ihalla_difficulty import read_difficulty
from hallascope.data.files.sheets import Complaint
from tests.data.benchmarks.test_ihalla import write_folder

HEAD = "field,data_index,type,difficulty"


def test_a_prompt_of_the_benchmark_is_as_difficult_as_its_harder_image(tmp_path: Path) -> None:
    write_folder(tmp_path, prompts=2)
    lines = [HEAD, "Science,1,Factual,easy", "Science,1,Hallucinated,medium"]
    (tmp_path / "difficulty.csv").write_text("\n".join(lines), encoding="utf-8")
    benchmark = read_ihalla(tmp_path)
    assert benchmark.prompts[0].difficulty == {"Factual": "easy", "Hallucinated": "medium"}
    sets = [prompt.question_set for prompt in benchmark.prompts]
    assert [known.difficulty for known in sets] == ["medium", None, None, None]
    assert [known.known_field for known in sets] == ["Science", "Science", "History", "History"]
    assert benchmark.summary()["by_difficulty"] == {"medium": 1, "not given": 3}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("Art,1,Factual,easy", "the field 'Art' is none of Science, History"),
        ("Science,one,Factual,easy", "the data_index 'one' is not a whole number"),
        ("Science,1,Right,easy", "the type 'Right' is none of Factual, Hallucinated"),
        ("Science,1,Factual,awful", "the difficulty 'awful' is none of easy, medium, hard"),
        ("History,7,factual,hard", "its image has a difficulty in a row above"),
    ],
)
def test_a_row_that_cannot_be_read_is_left_out_and_named(
    tmp_path: Path, row: str, problem: str
) -> None:
    path = tmp_path / "difficulty.csv"
    path.write_text(f"{HEAD}\nHistory,7,Factual,easy\n{row}\n", encoding="utf-8")
    complaints: list[Complaint] = []
    assert read_difficulty(path, complaints) == {("History", 7): {"Factual": "easy"}}
    (complaint,) = complaints
    assert (complaint.row, complaint.problem) == (3, f"{problem}; the row is left out")


def test_a_file_that_is_no_such_table_is_named_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "difficulty.csv"
    path.write_text("prompt,level\na,b\n", encoding="utf-8")
    complaints: list[Complaint] = []
    assert read_difficulty(path, complaints) == {}
    assert len(complaints) == 1
