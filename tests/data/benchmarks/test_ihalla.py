"""The reader of an I-HallA folder: what is there is read, what is wrong is named, nothing is
shifted.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook

from hallascope.data.benchmarks.ihalla import IHallaBenchmark, read_ihalla
from hallascope.data.benchmarks.images import image_folders
from hallascope.data.files.tables import BadTable
from hallascope.data.published.numbers import select_numbers
from hallascope.data.records import COIS, NONE_OF_THE_ABOVE, Category
from tests.data.cases import cases

QUESTION_COLUMNS = ["data_index", "cois", "question", "choices", "answer"]


MODELS = ("dalle-3", "sd-v1-4", "sd-v1-5", "sd-v2-0", "sd-xl")


Rows = list[list[object]]


def published_cois(field: str) -> Iterator[str]:
    """The compositions of interest of a field, as often as table 2 of the paper counts them."""
    for number in select_numbers(paper="ihalla", table="2", domain=field):
        yield from [number.group] * int(number.value or 0)


def question_rows(field: str, prompts: int) -> Rows:
    """Five rows a prompt; choices in one cell of five lines."""
    cois = list(published_cois(field))
    choices = "A) Red\nB) Blue\nC) Four\nD) Round\nE) None of the above"
    return [
        [
            index,
            cois[(index - 1) * 5 + n].capitalize(),
            f"Question {n} of {field} {index}?",
            choices,
            "ABCD"[n % 4] + ") " + ["Red", "Blue", "Four", "Round"][n % 4],
        ]
        for index in range(1, prompts + 1)
        for n in range(5)
    ]


def write_book(path: Path, sheets: dict[str, Rows]) -> None:
    book = Workbook()
    assert book.active is not None
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def write_folder(
    root: Path,
    prompts: int = 2,
    fields: Sequence[str] = ("Science", "History"),
    change: Callable[[Rows], None] | None = None,
) -> Path:
    """A whole folder without images.

    `change` damages the rows of questions of Science, header included.
    """
    for field in fields:
        rows: Rows = [list(QUESTION_COLUMNS), *question_rows(field, prompts)]
        if change and field == "Science":
            change(rows)
        write_book(root / f"GPT4o_QA_{field.lower()}_mod_cois.xlsx", {"Sheet1": rows})
        reasonings: Rows = [["data_index", "caption", "response", "note", "reasoning"]]
        reasonings += [
            [index, f"{field} {index}", "normal", "", f"Reasoning {index}.\n\nMore."]
            for index in range(1, prompts + 1)
        ]
        write_book(root / f"LV_reasoning_{field.lower()}.xlsx", {"Sheet1": reasonings})
    captions: dict[str, Rows] = {
        field.lower(): [
            ["data_index", "caption"],
            *([index, f"Prompt {index} of {field}"] for index in range(1, prompts + 1)),
        ]
        for field in fields
    }
    write_book(root / "captions.xlsx", captions)
    return root


def write_images(root: Path, prompts: int, models: Sequence[str] = MODELS) -> None:
    """One byte a file: the reader counts images and opens none."""
    for field in ("science", "history"):
        for model in models:
            for kind in ("normal", "weird") if model == "dalle-3" else ("weird",):
                folder = root / "models" / model / field / kind
                folder.mkdir(parents=True)
                for index in range(1, prompts + 1):
                    (folder / f"{index}.jpg").write_bytes(b"x")


def said(benchmark: IHallaBenchmark) -> list[str]:
    return [str(complaint) for complaint in benchmark.complaints]


PROMPTS = 20  # of each field; the benchmark has 100


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> IHallaBenchmark:
    root = write_folder(tmp_path_factory.mktemp("ihalla"), prompts=PROMPTS)
    write_images(root, prompts=PROMPTS)
    return read_ihalla(root)


def test_a_full_folder_gives_every_prompt_and_question_with_their_counts(
    full: IHallaBenchmark,
) -> None:
    summary = full.summary()
    assert said(full) == []
    assert (summary["prompts"], summary["questions"]) == (2 * PROMPTS, 10 * PROMPTS)
    assert summary["by_field"] == dict.fromkeys(("Science", "History"), PROMPTS)
    assert summary["by_category"] == {"not given": 2 * PROMPTS}
    asked = Counter(
        coi for field in ("Science", "History") for coi in [*published_cois(field)][: 5 * PROMPTS]
    )
    assert len(asked) > 2
    assert summary["by_coi"] == {coi: asked[coi] for coi in COIS if asked[coi]}
    assert json.loads(json.dumps(summary)) == summary


def test_a_prompt_carries_its_own_questions_caption_and_reasoning(full: IHallaBenchmark) -> None:
    prompt = next(
        prompt for prompt in full.prompts if (prompt.field, prompt.index) == ("History", 7)
    )
    assert prompt.prompt == "Prompt 7 of History"
    assert prompt.reasoning == "Reasoning 7.\n\nMore."
    assert [question.text for question in prompt.questions] == [
        f"Question {n} of History 7?" for n in range(5)
    ]
    assert [question.gold for question in prompt.questions] == ["A", "B", "C", "D", "A"]
    assert prompt.questions[0].choices == ("Red", "Blue", "Four", "Round", NONE_OF_THE_ABOVE)
    assert prompt.question_set.source == "ihalla-v1.0"


def cell(row: int, column: str, value: object) -> Callable[[Rows], None]:
    """Damages one cell; `row` as Excel counts it."""

    def change(rows: Rows) -> None:
        rows[row - 1][QUESTION_COLUMNS.index(column)] = value

    return change


@pytest.mark.parametrize(
    "column, value, problem",
    cases("ihalla", "a_damaged_cell_leaves_out_its_question_alone_and_names_file_sheet_and_row"),
)
def test_a_damaged_cell_leaves_out_its_question_alone_and_names_file_sheet_and_row(
    tmp_path: Path, column: str, value: object, problem: str
) -> None:
    found = read_ihalla(write_folder(tmp_path, change=cell(4, column, value)))
    (complaint,) = said(found)
    assert complaint.startswith(f"GPT4o_QA_science_mod_cois.xlsx, sheet Sheet1, row 4: {problem}")
    assert complaint.endswith("the question is left out")
    assert [question.text for question in found.prompts[0].questions] == [
        f"Question {n} of Science 1?" for n in (0, 1, 3, 4)
    ]
    assert all(len(prompt.questions) == 5 for prompt in found.prompts[1:])


def test_too_few_too_many_and_doubled_questions_are_named(tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows.append(list(rows[1]))
        del rows[8]

    assert said(read_ihalla(write_folder(tmp_path, change=change))) == [
        (
            "GPT4o_QA_science_mod_cois.xlsx, sheet Sheet1, row 11: the question of prompt 1"
            " appears twice; the second is left out"
        ),
        (
            "GPT4o_QA_science_mod_cois.xlsx, sheet Sheet1, row 11: prompt 1 has 6 questions and not"
            " 5; this is its last"
        ),
        (
            "GPT4o_QA_science_mod_cois.xlsx, sheet Sheet1, row 10: prompt 2 has 4 questions and not"
            " 5; this is its last"
        ),
    ]


def test_a_category_is_read_where_a_column_offers_one(tmp_path: Path) -> None:
    write_folder(tmp_path)
    rows: Rows = [
        ["data_index", "caption", "Category"],
        [1, "one", "western & africa / ancient"],
        [2, "two", "Chemistry"],
    ]
    write_book(
        tmp_path / "captions.xlsx",
        {"science": [["data_index", "caption"], [1, "one"], [2, "two"]], "history": rows},
    )
    found = read_ihalla(tmp_path)
    assert [prompt.category for prompt in found.prompts] == [
        None,
        None,
        Category.WESTERN_AFRICAN_ANCIENT,
        None,
    ]
    assert found.summary()["by_category"] == {"Western & African Ancient": 1, "not given": 3}
    assert (
        "captions.xlsx, sheet history, row 3: the category 'Chemistry' is none of Physics"
        in said(found)[0]
    )


def test_captions_without_questions_and_questions_without_captions_are_named(
    tmp_path: Path,
) -> None:
    write_folder(tmp_path, fields=("Science",))
    write_book(
        tmp_path / "captions.xlsx",
        {"science": [["data_index", "caption"], [1, "one"], [1, "again"], [9, "nine"], [2, None]]},
    )
    found = read_ihalla(tmp_path)
    assert [prompt.index for prompt in found.prompts] == [1]
    assert said(found) == [
        (
            "captions.xlsx, sheet science, row 3: the data_index 1 appears twice; the row is"
            " left out"
        ),
        "captions.xlsx, sheet science, row 5: the cell 'caption' is empty; the row is left out",
        "captions.xlsx, sheet science: has no caption for data_index 2; its questions are left out",
        (
            "captions.xlsx, sheet science: no question was read for data_index 9; the prompt is"
            " left out"
        ),
        "GPT4o_QA_history_mod_cois.xlsx: is missing, so no question of History was read",
        "captions.xlsx: has no sheet 'history'; its sheets are 'science'",
    ]


def test_no_folder_and_a_folder_without_the_benchmark_are_refused_in_a_sentence(
    tmp_path: Path,
) -> None:
    with pytest.raises(BadTable, match="there is no folder"):
        read_ihalla(tmp_path / "nowhere")
    with pytest.raises(BadTable, match="holds no question file of I-HallA"):
        read_ihalla(tmp_path)


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


def write_image_folder(root: Path, *names: str) -> None:
    folder = root / "models" / "dalle-3" / "science" / "weird"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(b"" if name.startswith("9") else b"x")


def test_what_is_missing_unknown_empty_or_odd_is_one_complaint_a_kind(tmp_path: Path) -> None:
    write_image_folder(tmp_path, "1.jpg", "1.png", "7.jpg", "9.jpg", "cat.jpg")
    [folder] = image_folders(tmp_path / "models")
    assert [complaint.problem for complaint in folder.complaints([1, 2])] == [
        "1 of 2 images are missing: 2",
        "1 images belong to no prompt: 7",
        "1 files are empty and left out: 9.jpg",
        "2 files are left out, as their names are no number or appear twice: 1.png, cat.jpg",
    ]
