"""A row that cannot be used is named by file, row, column and remedy, and the others are read."""

from collections.abc import Callable, Sized
from pathlib import Path

import pytest

from hallascope.data.benchmarks.ihalla_difficulty import read_difficulties
from hallascope.data.files.label_folder import read_labels, read_typed
from hallascope.data.files.preferences import read_preferences
from hallascope.data.files.question_answers import read_answers
from hallascope.data.files.ratings import Scale, read_ratings
from hallascope.data.files.tables import Complaint
from tests.data.cases import read_cases
from tests.support import label_folder

Outcome = tuple[Sized, list[str]]
CASES = read_cases()["bad_rows"]


def _said(found: Sized, complaints: tuple[Complaint, ...] | list[Complaint]) -> Outcome:
    return found, list(map(str, complaints))


def _ratings(path: Path) -> Outcome:
    table = read_ratings(path, Scale(1, 5))
    return _said(table.numbers, table.complaints)


def _preferences(path: Path) -> Outcome:
    table = read_preferences(path)
    return _said(table.preferences, table.complaints)


def _answers(path: Path) -> Outcome:
    table = read_answers(path)
    return _said(table.answers, table.complaints)


def _labels(path: Path) -> Outcome:
    by_labeler, complaints = read_labels(path.parent, label_folder.write(path.parent))
    return _said([label for own in by_labeler.values() for label in own.values()], complaints)


def _difficulty(path: Path) -> Outcome:
    complaints: list[Complaint] = []
    return _said(read_difficulties(path, complaints), complaints)


READERS: dict[str, tuple[str, Callable[[Path], Outcome]]] = {
    "ratings": ("r.csv", _ratings),
    "preferences": ("p.csv", _preferences),
    "answers": ("a.csv", _answers),
    "difficulty": ("difficulty.csv", _difficulty),
    "labels": ("labels.jsonl", _labels),
    "typed labels": (
        "typed.txt",
        lambda path: _said(*read_typed(path, label_folder.write(path.parent), "ada")),
    ),
}


@pytest.mark.parametrize(
    "name, row, problem",
    [(name, *case) for name in READERS for case in CASES[name]["rows"]],
)
def test_a_row_that_cannot_be_used_is_named_and_the_others_are_read(
    tmp_path: Path, name: str, row: str, problem: str
) -> None:
    file, read = READERS[name]
    good = CASES[name]["good"].rstrip("\n") + "\n"
    (tmp_path / file).write_text(good, encoding="utf-8")
    found, complaints = read(tmp_path / file)
    assert (len(found), complaints) == (1, [])
    (tmp_path / file).write_text(f"{good}{row}\n", encoding="utf-8")
    found, (complaint,) = read(tmp_path / file)
    assert len(found) == 1
    assert complaint.startswith(f"{file}, row {good.count(chr(10)) + 1}: ")
    assert problem in complaint
