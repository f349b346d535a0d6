"""Answers of one table become a study of questions and one of items."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.question_answers import (
    AnswerStudies,
    answer_document,
    study_answers,
)
from hallascope.engine.human_agreement.ratings import AgreementOptions

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


def test_a_metric_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="'x' has no scores"):
        study(tmp_path, "i,p,1,,ann,,yes", "i,p,1,,,vqa,yes", against="x")
