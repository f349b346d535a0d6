"""A set of exercises is read from a teacher's YAML, and a faulty file says what to do."""

from pathlib import Path

import pytest

from hallascope.data.teaching.lesson import (
    BadLesson,
    DrawnItem,
    Lesson,
    RunItem,
)
from hallascope.primer.teaching.set_files import read_lesson
from tests.data.cases import cases


def read(tmp_path: Path, said: str) -> Lesson:
    path = tmp_path / "set.yaml"
    path.write_text(said, encoding="utf-8")
    return read_lesson(path)


def test_a_file_names_faults_in_words_or_leaves_them_to_chance(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        """
title: Molecules
exercises:
  - {prompt: a molecule of methane, wrong: hydrogens, shown: five, seed: 6}
  - {prompt: a spider}
  - {prompt: a red circle, wrong: color, shown: orange}
  - {number: 3, level: 3, coi: counting, category: Biology, seed: 1}
  - {run: 0a1b, picture: 2c3d, question: "How many legs?"}
""",
    )
    assert found.items[0] == DrawnItem("a molecule of methane", "hydrogens", 5, 6)
    assert found.items[1] == DrawnItem("a spider", "legs", 6, 0)
    assert found.items[2] == DrawnItem("a red circle", "colour", "orange", 0)
    assert len(found.items) == 7
    assert found.items[-1] == RunItem("0a1b", "2c3d", "How many legs?")


@pytest.mark.parametrize(
    "said, sentence",
    cases("set_files", "a_faulty_file_says_where_and_what_to_do", "primer"),
)
def test_a_faulty_file_says_where_and_what_to_do(said: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadLesson) as found:
        read(tmp_path, said)
    assert sentence in str(found.value)
    assert "set.yaml" in str(found.value)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadLesson, match="cannot be read"):
        read_lesson(tmp_path / "none.yaml")
