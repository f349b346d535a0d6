"""Sets of questions as files: what was saved is what is read, and everything that is wrong is named
with its place.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from hallascope.data.files.question_files import (
    CELL,
    read_question_file,
    write,
    write_jsonl,
    write_xlsx,
)
from hallascope.data.files.tidy import tidy_set
from hallascope.data.records import (
    Provenance,
    QuestionSet,
)
from tests.support.question_sets import (
    ATOMS,
    METHANE,
    SHAPE,
    WATER,
    sets,
    stands,
)

Write = Callable[[list[QuestionSet], Path], None]
WRITERS: dict[str, Write] = {".xlsx": write_xlsx, ".jsonl": write_jsonl}


# --- round trip
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", WRITERS)
@given(st.lists(sets.filter(stands).map(tidy_set), min_size=1, max_size=3))
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@example([METHANE, WATER])
@example(
    [
        QuestionSet(
            prompt="=1+1",
            questions=(ATOMS,),
            source="made",
            provenance=Provenance(judge="", writer="", reasoning="a" * (2 * CELL + 5)),
        )
    ]
)
def test_a_tidy_set_saved_and_read_is_the_same_set(
    tmp_path: Path, ending: str, saved: list[QuestionSet]
) -> None:
    path = tmp_path / f"sets{ending}"
    write(saved, path)
    assert read_question_file(path) == (saved, [])


def test_a_file_of_another_name_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'sets.csv' is neither \.xlsx nor \.jsonl"):
        write([WATER], tmp_path / "sets.csv")


@pytest.mark.parametrize("write", WRITERS.values())
def test_a_set_that_cannot_stand_is_not_written(tmp_path: Path, write: Write) -> None:
    with pytest.raises(ValueError, match="no question for the prompt 'x'"):
        write([QuestionSet(prompt="x", questions=())], tmp_path / "x.file")
    assert not (tmp_path / "x.file").exists()


# --- the spreadsheet
# -----------------------------------------------------------------------------------------------


def written(tmp_path: Path, *saved: QuestionSet) -> Path:
    write_xlsx(list(saved), tmp_path / "sets.xlsx")
    return tmp_path / "sets.xlsx"


def test_the_sheet_is_in_the_authors_form_with_ours_behind_it(tmp_path: Path) -> None:
    book = load_workbook(written(tmp_path, METHANE))
    assert book.sheetnames == ["Sheet1", "captions"]
    header, first, _ = book["Sheet1"].iter_rows(values_only=True)
    assert header == ("data_index", "cois", "question", "choices", "answer", "origin", "regions")
    assert first[:3] == (1, "counting", ATOMS.text)
    assert first[3] == "A) Two\nB) Three\nC) Four\nD) Five\nE) None of the above"
    assert first[4] == "C"


def test_a_text_that_looks_like_a_formula_stays_a_text(tmp_path: Path) -> None:
    book = load_workbook(written(tmp_path, QuestionSet(prompt="=HYPERLINK(1)", questions=(ATOMS,))))
    cell = book["captions"]["B2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == ("=HYPERLINK(1)", "s", True)


def test_a_long_reasoning_goes_on_in_further_columns_and_no_cell_is_too_long_for_excel(
    tmp_path: Path,
) -> None:
    long = "🦋 word " * 9000
    path = written(
        tmp_path,
        WATER,
        QuestionSet(
            prompt="b",
            questions=(SHAPE,),
            provenance=Provenance(judge="", writer="", reasoning=long),
        ),
    )
    rows = list(load_workbook(path)["captions"].iter_rows(values_only=True))
    assert [name for name in rows[0] if str(name).startswith("reasoning")] == [
        "reasoning",
        "reasoning 2",
        "reasoning 3",
        "reasoning 4",
    ]
    assert max(len(str(cell).encode("utf-16-le")) // 2 for cell in rows[2]) <= 32_767
    provenance = read_question_file(path)[0][1].provenance
    assert provenance is not None
    assert provenance.reasoning == long.strip()


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
    ("sheet", "cell", "value", "problem", "left"),
    [
        ("Sheet1", "E2", "F", "row 2: the answer 'F' is neither a letter A to E", [1, 1]),
        ("Sheet1", "D2", "A) x", "row 2: the choices are A and not A to D", [1, 1]),
        ("Sheet1", "C3", None, "row 3: the cell 'question' is empty", [1, 1]),
        ("Sheet1", "A4", "seven", "row 4: the data_index 'seven' is not a whole number", [2]),
        ("captions", "B2", None, "row 2: the questions have no prompt", [1]),
        ("captions", "A2", 9, "row 2: no question was read for data_index 9", [1]),
        ("captions", "A3", 1, "row 3: the data_index 1 stands there twice", [2]),
        ("captions", "C2", "Chemistry", "row 2: the category 'Chemistry' is none of", [2, 1]),
        ("captions", "D2", "Art", "row 2: the field 'Art' is none of", [2, 1]),
        ("captions", "E2", "awful", "row 2: the difficulty 'awful' is none of", [2, 1]),
        ("captions", "F2", "fish", "row 2: the domain 'fish' is none of", [2, 1]),
        ("captions", "K2", "{", "row 2: '{' is no JSON object of texts", [2, 1]),
        ("captions", "L2", '{"a": "awful"}', "row 2: the difficulty 'awful' is none of", [2, 1]),
        ("captions", "B1", "title", "sheet captions: has no column 'caption'", []),
        ("Sheet1", "E1", "gold", "sheet Sheet1: has no column 'answer'", []),
    ],
)
def test_a_damaged_cell_is_named_with_file_sheet_and_row(
    tmp_path: Path, sheet: str, cell: str, value: object, problem: str, left: list[int]
) -> None:
    path = written(tmp_path, METHANE, WATER)
    said = change(path, sheet, cell, value)
    assert said[0].startswith(f"sets.xlsx, sheet {sheet}")
    assert any(problem in each for each in said)
    assert [len(found.questions) for found in read_question_file(path)[0]] == left


@given(
    st.integers(0, 10**6),
    st.binary(min_size=1, max_size=40),
    st.booleans(),
    st.sampled_from(list(WRITERS)),
)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_a_damaged_file_never_stops_the_reader(
    tmp_path: Path, place: int, noise: bytes, cut: bool, ending: str
) -> None:
    path = tmp_path / f"sets{ending}"
    WRITERS[ending]([METHANE, WATER], path)
    content = path.read_bytes()
    place %= len(content)
    path.write_bytes(
        content[:place] if cut else content[:place] + noise + content[place + len(noise) :]
    )
    for found in read_question_file(path)[0]:
        assert not found.prompt or tidy_set(found) == found


# --- JSON lines
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("sets.csv", b"a,b", "sets.csv: is neither .xlsx nor .jsonl"),
        ("sets.jsonl", b"\xff\xfe", "sets.jsonl: is no UTF-8 text"),
        ("sets.jsonl", b"\n", "sets.jsonl: holds no set of questions"),
        ("sets.jsonl", None, "sets.jsonl: cannot be opened"),
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
