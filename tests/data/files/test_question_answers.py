"""Answers to questions about items from tables, with what each question depends on."""

from pathlib import Path

import pytest

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.question_answers import (
    AnswerTable,
    AskedQuestion,
    ItemQuestion,
    read_answers,
)

HEADER = "item,question,rater,metric,answer,depends_on,expected\n"


def answers(folder: Path, text: str, missing: tuple[str, ...] = ()) -> AnswerTable:
    (folder / "a.csv").write_text(text, encoding="utf-8")
    return read_answers(folder / "a.csv", missing)


def test_answers_of_people_and_metrics_are_kept_apart_with_what_questions_depend_on(
    tmp_path: Path,
) -> None:
    found = answers(
        tmp_path,
        HEADER
        + "i,1,ann,,Yes.,0,\ni,2,ann,,no,1,no\ni,3,ann,,NA,,\n"
        + 'i,1,,vqa,yes,,\ni,2,,vqa,red,1,\ni,3,,vqa,yes,"1, 2",\n',
        missing=("NA",),
    )
    assert found.complaints == ()
    one, two, three = (ItemQuestion("i", name) for name in "123")
    assert found.by_name(metrics=False) == {"ann": {one: "yes", two: "no"}}
    assert found.by_name(metrics=True) == {"vqa": {one: "yes", two: "red", three: "yes"}}
    assert found.questions == {
        one: AskedQuestion("yes", ()),
        two: AskedQuestion("no", ("1",)),
        three: AskedQuestion("yes", ("1", "2")),
    }


def test_a_question_named_0_and_one_with_a_comma_can_be_depended_on(tmp_path: Path) -> None:
    found = answers(
        tmp_path,
        'item,question,rater,answer,depends_on\ni,0,ann,yes,\ni,b,ann,yes,0\ni,"a, b",ann,yes,\n'
        'i,c,ann,yes,"a, b"\n',
    )
    parents = {asked.question: value.parents for asked, value in found.questions.items()}
    assert parents == {"0": (), "b": ("0",), "a, b": (), "c": ("a, b",)}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("i,2,ann,vqa,yes,,", "the row names a rater and a metric: name one"),
        ("i,2,,,yes,,", "names neither a rater nor a metric"),
        ("i,2,ann,,,,", "the answer is empty"),
        (",2,ann,,yes,,", "the item is empty"),
        ("i,1,ann,,yes,,", "'ann' has an answer to '1' about 'i' at line 2 already"),
        ("i,1,bo,,yes,,no", "is 'no' and before it 'yes'"),
        ("i,1,bo,,yes,1,", "is '1' and before it '0'"),
    ],
)
def test_a_row_that_says_nothing_or_contradicts_another_is_left_out(
    tmp_path: Path, row: str, problem: str
) -> None:
    found = answers(tmp_path, f"{HEADER}i,1,ann,,yes,0,yes\n{row}\n")
    assert len(found.answers) == 1
    assert str(found.complaints[0]).startswith("a.csv, row 3: ")
    assert problem in found.complaints[0].problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item,question,answer\ni,1,yes\n", "neither a column 'rater' nor a column 'metric'"),
        (HEADER, "holds no row"),
        (HEADER + "i,1,ann,,yes,2,\n", "row 2: the question '1' depends on '2', which is not ask"),
        (HEADER + "i,1,ann,,yes,1,\n", "row 2: the question '1' about 'i' depends on itself"),
        (
            HEADER + "i,1,ann,,yes,,\ni,2,ann,,yes,3,\ni,3,ann,,yes,2,\n",
            "row 3: the question '2' about 'i' depends on itself",
        ),
    ],
)
def test_a_table_that_cannot_be_scored_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadTable, match=problem):
        answers(tmp_path, text)
