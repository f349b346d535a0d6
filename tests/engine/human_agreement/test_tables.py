"""Tables of scores, ratings, choices and answers are recognized and become studies; a row that is
left out is named.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.examples import EXAMPLES, FOLDER
from hallascope.engine.human_agreement.preferences import (
    PreferenceResult,
    compare_preferences,
    preference_document,
)
from hallascope.engine.human_agreement.question_answers import (
    AnswerStudies,
    answer_document,
    study_answers,
)
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    RatingStudies,
    agreement_document,
    read_tables,
    study_tables,
)
from hallascope.engine.human_agreement.table_kinds import (
    TABLE_KINDS,
    TableKind,
    recognize_table,
)
from tests.support.agreement_examples import example_tables

DIMENSIONS = "item,rater,fidelity,beauty\na,ann,1,2\nb,ann,2,1\nc,ann,3,3\nd,ann,4,\n"


def studies(folder: Path, ratings: str, options: AgreementOptions) -> RatingStudies:
    (folder / "s.csv").write_text("item,x,y\na,1,1\nb,2,3\nc,3,2\nd,4,4\nlone,1,1\n")
    (folder / "r.csv").write_text(ratings)
    return study_tables(read_tables(folder / "s.csv", folder / "r.csv", options), options)


def test_every_dimension_is_a_study_and_progress_counts_them_all(tmp_path: Path) -> None:
    found = studies(tmp_path, DIMENSIONS, AgreementOptions())
    assert list(found.studies) == ["fidelity", "beauty"]
    assert list(found.draw()) == [(done, 4) for done in range(1, 5)]
    document = agreement_document(found)
    assert document["dimensions"]["fidelity"]["metrics"]["x"]["n"] == 4
    assert document["dimensions"]["beauty"]["metrics"]["x"]["n"] == 3
    assert [row["line"] for row in document["rejected"]] == [6, 6]
    assert "metrics" not in document


def test_a_table_of_unusable_ratings_gives_no_number_and_no_fault(tmp_path: Path) -> None:
    found = studies(tmp_path, "item,value\na,x\n", AgreementOptions())
    document = agreement_document(found)
    assert document["metrics"]["x"]["n"] == 0
    assert document["raters"]["krippendorff_alpha"]["ordinal"] is None


@pytest.mark.parametrize(
    ("options", "problem"),
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


def compare(folder: Path, scores: str, options: AgreementOptions | None = None) -> PreferenceResult:
    rows = [f"{n}-x,{n}-y,{'a' if n % 2 else 'tie'}" for n in range(12)]
    (folder / "p.csv").write_text("\n".join(["item_a,item_b,choice", *rows, "0-x,gone,b"]))
    (folder / "s.csv").write_text(scores)
    return compare_preferences(folder / "s.csv", folder / "p.csv", options or AgreementOptions())


def table(*metrics: str) -> str:
    lines = [
        f"{n}-{side},p{n},{metric},{(n % 2) * (side == 'x') * (metric != 'zero')}"
        for n in range(12)
        for side in "xy"
        for metric in metrics
    ]
    return "\n".join(["item,group,metric,value", *lines, "stray,p,zero,1"])


def test_metrics_are_compared_with_choices_and_with_each_other(tmp_path: Path) -> None:
    found = compare(tmp_path, table("good", "zero", "again"))
    assert found.metrics["good"].accuracy.value == 1.0
    assert found.metrics["zero"].accuracy.value == 0.5
    assert [(pair.one, pair.other) for pair in found.differences] == [
        ("good", "zero"),
        ("good", "again"),
        ("zero", "again"),
    ]
    assert found.people.clusters == 12
    assert [complaint.problem.split(" is ")[0] for complaint in found.left_out] == [
        "the item 'stray'",
        "the item 'gone'",
    ]
    document = preference_document(found)
    assert document["compared"][0]["accuracy"]["value"] == 0.5
    assert document["people"]["shares"]["tie"]["value"] == 0.5


def test_one_metric_may_be_the_only_one_that_others_are_compared_with(tmp_path: Path) -> None:
    options = AgreementOptions(against="zero")
    found = compare(tmp_path, table("good", "zero", "again"), options)
    assert [(pair.one, pair.other) for pair in found.differences] == [
        ("good", "zero"),
        ("zero", "again"),
    ]
    with pytest.raises(BadRequest, match="'none' has no scores: compare with one of 'good'"):
        compare(tmp_path, table("good"), AgreementOptions(against="none"))


HEADER = "item,group,question,depends_on,rater,metric,answer"


def study(folder: Path, *rows: str, against: str = "") -> AnswerStudies:
    (folder / "a.csv").write_text("\n".join([HEADER, *rows]))
    return study_answers(folder / "a.csv", AgreementOptions(against=against))


def test_items_are_scored_with_dependencies_and_compared_by_group(tmp_path: Path) -> None:
    rows = []
    for n in range(6):
        there = "yes" if n % 2 else "no"
        for by in ("ann,", ",vqa", ",other"):
            rows.append(f"i{n},p{n // 2},1,,{by},{there}")
            rows.append(f"i{n},p{n // 2},2,1,{by},yes")
    found = study(tmp_path, *rows, "i0,p0,3,,,vqa,no", against="other")
    (items,) = found.items.studies.values()
    assert items.people == {f"i{n}": float(n % 2) for n in range(6)}
    document = answer_document(found)
    assert document["items"]["metrics"]["vqa"]["resampled_by"] == "group"
    assert [pair["one"] for pair in document["items"]["compared"]] == ["vqa"]
    assert document["questions"]["metrics"]["vqa"]["accuracy"]["value"] == 1.0
    assert document["questions"]["people"]["most_frequent"] == 0.75
    assert "is not answered by a person" in document["rejected"][0]["problem"]


@pytest.mark.parametrize(
    ("rows", "problem"),
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
    ("header", "kind", "columns"),
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


def test_the_examples_are_of_the_kind_that_they_show() -> None:
    assert set(EXAMPLES) == set(TABLE_KINDS)
    for kind, tables in EXAMPLES.items():
        assert recognize_table(tables.people).kind == kind


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
    assert not compare_preferences(preferences.scores, preferences.people, OPTIONS).left_out
    assert not study_answers(answers.people, OPTIONS).left_out


def test_the_files_are_what_the_seed_gives() -> None:
    files = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.csv")}
    assert files == example_tables()
