"""Tables of scores, ratings, choices and answers are recognized and become studies; a row that is
left out is named.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.comparison import (
    EXAMPLES,
    TABLE_KINDS,
    AgreementOptions,
    AnswerStudies,
    RatingStudies,
    TableKind,
    compare_preferences,
    read_answer_table,
    read_preference_tables,
    read_tables,
    recognize_table,
    study_answers,
    study_tables,
)

DIMENSIONS = "item,rater,fidelity,beauty\na,ann,1,2\nb,ann,2,1\nc,ann,3,3\nd,ann,4,\n"


def studies(folder: Path, ratings: str, options: AgreementOptions) -> RatingStudies:
    (folder / "s.csv").write_text("item,x,y\na,1,1\nb,2,3\nc,3,2\nd,4,4\nlone,1,1\n")
    (folder / "r.csv").write_text(ratings)
    return study_tables(read_tables(folder / "s.csv", folder / "r.csv", options), options)


@pytest.mark.parametrize(
    "options, problem",
    [
        (AgreementOptions(dimension="taste"), "dimensions are 'fidelity', 'beauty': choose one"),
        (AgreementOptions(against="z"), "'z' has no scores"),
        (AgreementOptions(scale="good"), "The scale 'good' is none"),
    ],
)
def test_a_name_that_is_not_there_is_one_sentence(
    tmp_path: Path, options: AgreementOptions, problem: str
) -> None:
    with pytest.raises(BadRequest, match=problem):
        studies(tmp_path, DIMENSIONS, options)


HEADER = "item,group,question,depends_on,rater,metric,answer"


def study(folder: Path, *rows: str, against: str = "") -> AnswerStudies:
    (folder / "a.csv").write_text("\n".join([HEADER, *rows]))
    options = AgreementOptions(against=against)
    return study_answers(read_answer_table(folder / "a.csv", options), options)


@pytest.mark.parametrize(
    "rows, problem",
    [
        (("i,p,1,,ann,,yes",), "no usable answer of a metric"),
        (("i,p,1,,,vqa,yes",), "no usable answer of a rater"),
        (("i,p,1,,ann,,yes", "i,q,1,,,vqa,yes"), "row 3: the item 'i' has the group 'q'"),
        (("i,p,1,2,ann,,yes",), "depends on '2', which is not asked"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    tmp_path: Path, rows: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(BadRequest, match=problem):
        study(tmp_path, *rows)


@pytest.mark.parametrize(
    "header, kind, columns",
    [
        ("item,rater,value", "ratings", ()),
        ("item,value", "ratings", ()),
        ("item,rater,fidelity,beauty", "ratings", ()),
        ("item,question,answer", "answers", ("item", "question", "answer")),
        ("item,question,metric,answer", "answers", ("item", "question", "answer")),
        ("Item;Question;Rater;Answer;depends_on", "answers", ("Item", "Question", "Answer")),
        ("item_a,item_b,rater,choice", "preferences", ("item_a", "item_b")),
        ("Item A\tItem B\tChoice", "preferences", ("Item A", "Item B")),
        ("choice;item_b;item_a", "preferences", ("item_a", "item_b")),
    ],
)
def test_a_table_is_known_by_its_columns(
    tmp_path: Path, header: str, kind: TableKind, columns: tuple[str, ...]
) -> None:
    file = tmp_path / "people.csv"
    file.write_text(f"{header}\n", encoding="utf-8")
    assert recognize_table(file) == (kind, columns)


@given(st.binary(max_size=200))
def test_any_file_has_a_kind_or_is_refused_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("tables") / "people.csv"
    file.write_bytes(content)
    problem = ""
    try:
        assert recognize_table(file).kind in TABLE_KINDS
    except BadRequest as error:
        problem = str(error)
    assert not problem or "people.csv" in problem
    assert "\n" not in problem


OPTIONS = AgreementOptions()


def test_no_row_is_left_out() -> None:
    ratings, preferences, answers = (
        EXAMPLES["ratings"],
        EXAMPLES["preferences"],
        EXAMPLES["answers"],
    )
    assert ratings.scores
    assert preferences.scores
    assert not answers.scores
    assert not read_tables(ratings.scores, ratings.people, OPTIONS).left_out
    preferred = read_preference_tables(preferences.scores, preferences.people, OPTIONS)
    assert not compare_preferences(preferred, OPTIONS).left_out
    assert not study_answers(read_answer_table(answers.people, OPTIONS), OPTIONS).left_out
