"""Rows become questions by prompt; what cannot be read is left out whole and named."""

from hallascope.data.files import question_tables
from hallascope.data.files.sheets import Complaint, SheetRow
from hallascope.data.records import Category

CHOICES = "A) Red\nB) Blue\nC) Green\nD) White"


def _row(number: int, **cells: str) -> SheetRow:
    usual = {
        "data_index": "1",
        "cois": "color",
        "question": f"What color is part {number}?",
        "choices": CHOICES,
        "answer": "B",
    }
    return SheetRow("a.xlsx", "Sheet1", number, usual | cells)


def test_questions_stand_by_prompt_in_their_order() -> None:
    complaints: list[Complaint] = []
    rows = [_row(2), _row(3, data_index="0"), _row(4)]
    found = question_tables.questions(rows, complaints, expected=None)
    assert complaints == []
    assert {index: [one.text for one in questions] for index, questions in found.items()} == {
        1: ["What color is part 2?", "What color is part 4?"],
        0: ["What color is part 3?"],
    }
    assert found[0][0].gold == "B"


def test_what_is_wrong_is_named_by_row_and_the_rest_is_read() -> None:
    complaints: list[Complaint] = []
    rows = [
        _row(2),
        _row(3, question=""),
        _row(4, answer="#N/A"),
        _row(5, question="What color is part 2?"),
    ]
    found = question_tables.questions(rows, complaints, expected=None)
    assert [question.text for question in found[1]] == ["What color is part 2?"]
    assert [(complaint.row, complaint.problem) for complaint in complaints] == [
        (3, "the cell 'question' is empty; the question is left out"),
        (4, "the cell 'answer' holds the Excel error #N/A; the question is left out"),
        (5, "the question of prompt 1 stands there twice; the second is left out"),
    ]


def test_a_prompt_with_too_few_questions_is_named_at_its_last() -> None:
    complaints: list[Complaint] = []
    question_tables.questions([_row(2), _row(3)], complaints)
    assert [str(complaint) for complaint in complaints] == [
        "a.xlsx, sheet Sheet1, row 3: prompt 1 has 2 questions and not 5; this is its last"
    ]


def test_the_first_text_and_category_of_a_prompt_stay() -> None:
    complaints: list[Complaint] = []
    rows = [_row(2, caption="One", category="physics"), _row(3, caption="Two", category="odd")]
    assert question_tables.by_index(rows, "caption", complaints) == {1: "One"}
    assert question_tables.categories(rows, complaints) == {1: Category.PHYSICS}
    assert [complaint.row for complaint in complaints] == [3, 3]
