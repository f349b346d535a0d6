"""Sets of questions as files: what was saved is what is read, and each fault is named with its
place.
"""

import contextlib
import json
from dataclasses import replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from hallascope.data.files.question_files import CELL, read_question_file, write
from hallascope.data.files.questions import (
    read_answer,
    read_category,
    read_choices,
    read_coi,
    read_index,
    tidy_set,
)
from hallascope.data.files.tables import (
    MOST_PARTS,
    MOST_UNPACKED,
    BadTable,
    UnreadableCell,
    read_sheets,
)
from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.records import (
    LETTERS,
    NONE_OF_THE_ABOVE,
    Provenance,
    QuestionSet,
)
from tests.data.cases import cases
from tests.support.question_sets import (
    ATOMS,
    METHANE,
    SHAPE,
    WATER,
    sets,
    stands,
)

ENDINGS = (".xlsx", ".jsonl")


ODD = replace(
    METHANE,
    prompt="=1+1 _x000D_",
    questions=(
        replace(
            ATOMS,
            text="-3 _x005F_x000D_ ?",
            choices=("+49", "@here", "'quoted", "🦋 a", NONE_OF_THE_ABOVE),
            regions=("A) Red", "a\nb"),
            origin="tab\there",
        ),
    ),
    provenance=Provenance(judge="", writer="\x00", reasoning="a" * (2 * CELL + 5)),
)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_tidy_set_saved_and_read_is_the_same_set(tmp_path: Path, ending: str) -> None:
    saved = [METHANE, WATER, tidy_set(ODD)]
    write(saved, tmp_path / f"sets{ending}")
    assert read_question_file(tmp_path / f"sets{ending}") == (saved, [])


def written(tmp_path: Path, *saved: QuestionSet) -> Path:
    write(list(saved), tmp_path / "sets.xlsx")
    return tmp_path / "sets.xlsx"


def test_the_sheet_is_in_the_authors_form_with_ours_behind_it(tmp_path: Path) -> None:
    book = load_workbook(written(tmp_path, replace(METHANE, prompt="=HYPERLINK(1)")))
    assert book.sheetnames == ["Sheet1", "captions"]
    header, first, _ = book["Sheet1"].iter_rows(values_only=True)
    assert header == ("data_index", "cois", "question", "choices", "answer", "origin", "regions")
    assert first[:3] == (1, "counting", ATOMS.text)
    assert first[3] == "A) Two\nB) Three\nC) Four\nD) Five\nE) None of the above"
    assert first[4] == "C"
    caption = book["captions"]["B2"]
    assert (caption.value, caption.data_type, caption.quotePrefix) == ("=HYPERLINK(1)", "s", True)


def test_the_authors_own_file_is_read_and_said_to_have_no_prompts(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Sheet1"
    sheet.append(["data_index", "cois", "question", "choices", "answer"])
    for number in range(5):
        sheet.append(
            [
                7,
                "Color",
                f"Question {number}?",
                "A) Red\nB) Blue\nC) Pink\nD) Grey\nE) None of the above",
                "B) Blue",
            ]
        )
    book.save(tmp_path / "GPT4o_QA_science_mod_cois.xlsx")
    found, complaints = read_question_file(tmp_path / "GPT4o_QA_science_mod_cois.xlsx")
    assert [(one.prompt, len(one.questions), one.source) for one in found] == [("", 5, "file")]
    assert [str(complaint) for complaint in complaints] == [
        "GPT4o_QA_science_mod_cois.xlsx, sheet Sheet1: there is no sheet 'captions' beside it, so"
        " no question has a prompt; add it with the columns 'data_index' and 'caption'"
    ]


def change(path: Path, sheet: str, cell: str, value: Any) -> list[str]:
    """What is wrong once a cell was changed."""
    book = load_workbook(path)
    book[sheet][cell] = value
    book.save(path)
    return [str(complaint) for complaint in read_question_file(path)[1]]


@pytest.mark.parametrize(
    "sheet, cell, value, problem, left",
    cases("question_files", "a_damaged_cell_is_named_with_file_sheet_and_row"),
)
def test_a_damaged_cell_is_named_with_file_sheet_and_row(
    tmp_path: Path, sheet: str, cell: str, value: object, problem: str, left: list[int]
) -> None:
    path = written(tmp_path, METHANE, WATER)
    said = change(path, sheet, cell, value)
    assert said[0].startswith(f"sets.xlsx, sheet {sheet}")
    assert any(problem in each for each in said)
    assert [len(found.questions) for found in read_question_file(path)[0]] == left


@pytest.mark.parametrize(
    "name, content, problem",
    [
        ("sets.csv", b"a,b", "sets.csv: has no column 'prompt'"),
        ("sets.jsonl", b"\xff", "sets.jsonl: is no UTF-8 text"),
        ("sets.jsonl", b"\n", "sets.jsonl: holds no set of questions"),
        ("sets.jsonl", None, "sets.jsonl: the file"),
        ("sets.xlsx", b"PK", "sets.xlsx: is no readable Excel file"),
        ("sets.xlsx", None, "sets.xlsx: cannot be opened"),
    ],
)
def test_a_file_that_is_none_is_one_sentence(
    tmp_path: Path, name: str, content: bytes | None, problem: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    found, complaints = read_question_file(tmp_path / name)
    assert found == []
    assert [str(complaint).startswith(problem) for complaint in complaints] == [True]


@pytest.mark.parametrize(
    "place, value, problem, left",
    cases("question_files", "a_damaged_field_is_named_with_its_line"),
)
def test_a_damaged_field_is_named_with_its_line(
    tmp_path: Path, place: list[str | int], value: object, problem: str, left: list[int]
) -> None:
    path = tmp_path / "sets.jsonl"
    write([METHANE, WATER], path)
    changed, other = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    *steps, last = place
    reduce(getitem, steps, changed)[last] = value
    path.write_text(f"{json.dumps(changed)}\n\n{json.dumps(other)}", encoding="utf-8")
    found, complaints = read_question_file(path)
    assert problem in str(complaints[0])
    assert [len(one.questions) for one in found] == left


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_question_keeps_its_parent_where_one_before_it_is_left_out(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"sets{ending}"
    three = (SHAPE, replace(ATOMS, text="Is it?"), replace(ATOMS, text="Is it so?", parents=(2,)))
    write([replace(METHANE, questions=three)], path)
    if ending == ".xlsx":
        change(path, "Sheet1", "E2", "F")
    else:
        path.write_text(path.read_text("utf-8").replace('"answer": "B"', '"answer": "F"'), "utf-8")
    (found,), complaints = read_question_file(path)
    assert [own.parents for own in found.questions] == [(), (1,)]
    assert len(complaints) == 1


def test_a_line_that_is_no_json_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "sets.jsonl"
    write([WATER], path)
    path.write_text(
        "{\n[1]\n" + "[" * 100_000 + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8"
    )
    found, complaints = read_question_file(path)
    assert found == [WATER]
    assert [(each.row, each.problem) for each in complaints] == [
        (n, "is no JSON object; the line is left out") for n in (1, 2, 3)
    ]


FIVE = ("Red", "Blue", "Green", "White", NONE_OF_THE_ABOVE)


@pytest.mark.parametrize(
    "cell",
    [
        "A) Red\nB) Blue\nC) Green\nD) White\nE) None of the above",
        "A) Red\nB) Blue\nC) Green\nD) White",
        "a. Red\n(b) Blue\nC: Green\nD) White\nE) none of the above.",
        "A) Red B) Blue C) Green D) White E) None of the above",
    ],
)
def test_choices_are_read_whatever_their_letters_and_lines(cell: str) -> None:
    assert read_choices(cell) == FIVE


@pytest.mark.parametrize(
    "cell, problem",
    cases("question_files", "choices_that_cannot_be_used_are_refused"),
)
def test_choices_that_cannot_be_used_are_refused(cell: str, problem: str) -> None:
    with pytest.raises(UnreadableCell, match=problem):
        read_choices(cell)


@pytest.mark.parametrize("cell", ["B", "b)", "B) Blue", "Blue", " blue. ".strip()])
def test_an_answer_is_a_letter_or_the_text_of_a_choice(cell: str) -> None:
    assert read_answer(cell, FIVE) == "B"


@pytest.mark.parametrize("cell", ["F", "Black", "B) Red"])
def test_an_answer_that_is_none_or_contradicts_its_choice_is_refused(cell: str) -> None:
    with pytest.raises(UnreadableCell, match="the answer"):
        read_answer(cell, FIVE)


def test_an_answer_that_was_not_chosen_is_asked_for() -> None:
    with pytest.raises(UnreadableCell, match="the right answer is missing"):
        read_answer(" ", FIVE)


@pytest.mark.parametrize(
    "parts, content, problem",
    [
        (1, b" " * (MOST_UNPACKED + 2**20), "unpacks to 33 MB and at most 32 MB are read; split"),
        (MOST_PARTS + 1, b"", "has 5,001 files and at most 5,000 are taken; split it, or save"),
    ],
)
def test_a_workbook_of_too_much_is_refused_before_it_is_read(
    tmp_path: Path, parts: int, content: bytes, problem: str
) -> None:
    path = tmp_path / "bomb.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for number in range(parts):
            archive.writestr(f"xl/{number}.xml", content)
    with pytest.raises(BadTable, match=problem):
        read_sheets(path)


PUBLISHED = Path(__file__).parent / "published_questions"


@pytest.mark.parametrize(
    "name, prompt, expected",
    cases("question_files", "published_questions_come_in_as_they_are"),
)
def test_published_questions_come_in_as_they_are(
    tmp_path: Path, name: str, prompt: str, expected: list[list[object]]
) -> None:
    (found,), complaints = read_question_file(PUBLISHED / name)
    read = [[own.choice(own.gold), own.coi, list(own.parents)] for own in found.questions]
    assert (found.prompt, read) == (prompt, expected)
    assert ["weights" in str(one) for one in complaints] == [True] * (name == "weighted.json")
    for ending in ENDINGS:
        write([found], tmp_path / f"again{ending}")
        (again,), _ = read_question_file(tmp_path / f"again{ending}")
        assert again.questions == found.questions


def test_questions_about_images_are_refused_with_the_command_that_reads_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "h.csv").write_text("image name,question,groundtruth responses\na,b,c\n")
    _, (complaint,) = read_question_file(tmp_path / "h.csv")
    assert "benchmark load haloquest" in complaint.problem


@given(
    st.integers(0, 10**6),
    st.binary(min_size=1, max_size=40),
    st.booleans(),
    st.sampled_from(ENDINGS),
)
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
def test_a_damaged_file_never_stops_the_reader(
    tmp_path: Path, place: int, noise: bytes, cut: bool, ending: str
) -> None:
    path = tmp_path / f"sets{ending}"
    write([METHANE, WATER], path)
    content = path.read_bytes()
    place %= len(content)
    path.write_bytes(
        content[:place] if cut else content[:place] + noise + content[place + len(noise) :]
    )
    for found in read_question_file(path)[0]:
        assert not found.prompt or tidy_set(found) == found


@settings(max_examples=20)
@given(sets.filter(stands))
def test_what_is_tidy_stays_as_it_is(found: QuestionSet) -> None:
    once = tidy_set(found)
    assert tidy_set(once) == once
    assert paragraphs(paragraphs(found.prompt)) == paragraphs(found.prompt)
    assert line(paragraphs(found.prompt)) == line(found.prompt)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for read in (read_index, read_coi, read_choices, read_category):
        with contextlib.suppress(UnreadableCell):
            read(text)
    with contextlib.suppress(UnreadableCell):
        assert read_answer(text, FIVE) in LETTERS
