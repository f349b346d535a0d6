"""Tables of scores and ratings become a study for each dimension, and a document."""

from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    RatingStudies,
    agreement_document,
    read_tables,
    study_tables,
)

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


def test_ratings_without_a_dimension_have_their_numbers_at_the_top(tmp_path: Path) -> None:
    options = AgreementOptions(against="y", scale="interval 1..3", missing=("-",))
    found = studies(tmp_path, "item,value\na,1\nb,2\nc,3\nd,4\na,-\n", options)
    document = agreement_document(found)
    assert [(pair["one"], pair["other"]) for pair in document["compared"]] == [("x", "y")]
    assert (document["raters"]["level"], document["raters"]["level_guessed"]) == ("interval", None)
    assert "outside of the scale 1..3" in document["rejected"][0]["problem"]


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


def test_a_dimension_of_ratings_that_have_none_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="their dimensions are none"):
        studies(tmp_path, "item,value\na,1\n", AgreementOptions(dimension="taste"))
