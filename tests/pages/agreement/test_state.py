"""The same numbers as the command's, from tables or from what people said here, with what was
left out.
"""

from pathlib import Path
from typing import Any

import pytest
import scipy.stats

from hallascope.data.requests import Answer
from hallascope.engine import ratings as people
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.human_agreement.examples import EXAMPLES
from hallascope.engine.human_agreement.ratings import AgreementOptions
from hallascope.engine.human_agreement.table_kinds import TableKind
from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from hallascope.pages.agreement.agreement_view import AgreementView
from hallascope.pages.agreement.state import ComparisonInput
from tests.pages.agreement.conftest import given, tables, write

PROMPT = "a molecule of methane"


def test_tables_give_every_statistic_with_its_name_metric_against_metric_and_the_figure(
    services: Services, tmp_path: Path
) -> None:
    shown = state.compare(services, given(*tables(tmp_path)), AgreementOptions(scale="1..5"))
    for words in (
        "Pearson r",
        "Spearman rho",
        "Kendall tau-b",
        "pairwise accuracy",
        "near less far",
        "Krippendorff",
        "On ten images only",
    ):
        assert words in shown.tables
    assert shown.words == "Ratings: 2 metrics, 20 rated items."
    assert shown.figure is not None
    near = shown.figure.data[0]
    assert f"{scipy.stats.kendalltau(near.x, near.y).statistic:.3f} (" in shown.tables


def test_rows_that_cannot_be_used_are_listed_with_file_and_line(
    services: Services, tmp_path: Path
) -> None:
    shown = state.compare(
        services, given(*tables(tmp_path, "<b>lone")), AgreementOptions(scale="2..5")
    )
    assert "s.csv, row 42" in shown.tables
    assert "&lt;b&gt;lone" in shown.tables
    assert "outside of the scale 2..5" in shown.tables
    assert "rows left out" in shown.words


def test_a_public_app_gives_a_comparison_so_many_seconds_and_ones_own_machine_all_it_takes(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compare() -> list[object]:
        hours = iter(range(0, 36_000, 3_600))
        return list(
            state.steps(services, given(*tables(tmp_path)), clock=lambda: float(next(hours)))
        )

    monkeypatch.delenv("HALLASCOPE_PUBLIC", raising=False)
    assert isinstance(compare()[-1], AgreementView)
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    with pytest.raises(BadRequest, match=r"took longer than the 60 seconds .* bring fewer items"):
        compare()


@pytest.mark.parametrize("source", ["ihalla", "grade"])
def test_what_nobody_said_yet_is_a_sentence_that_leads_to_the_people_tab(
    services: Services, source: str
) -> None:
    with pytest.raises(BadRequest, match="Labels tab"):
        state.compare(services, ComparisonInput(source))


def test_grades_given_here_are_set_beside_the_metrics_of_the_store_with_the_picture(
    make_services: Any,
) -> None:
    services = make_services(lambda ask: Answer("A"))
    list(
        services.evaluate(
            EvaluateRequest(
                prompt=PROMPT, models=("primer/exact", "primer/hasty", "primer/careless")
            )
        )
    )
    for grade, item in zip("753", people.rateable_pictures(services, None, "ann"), strict=True):
        people.keep_grade(services, item, [grade], "ann")
        people.keep_grade(services, item, [str(int(grade) - 1)], "bo")
    shown = state.compare(services, ComparisonInput("grade"))
    assert "ihalla, judged by primer/judge" in shown.tables
    assert "3 items with several ratings, 6 ratings" in shown.tables
    assert shown.figure is not None
    assert sorted(shown.figure.data[0].y) == [2.5, 4.5, 6.5]
    assert all(picture.endswith(".webp") for _, picture in shown.figure.data[0].customdata)


def test_every_dimension_has_its_tables_and_one_may_be_chosen(
    services: Services, tmp_path: Path
) -> None:
    scores, _ = tables(tmp_path)
    ratings = tmp_path / "two.csv"
    lines = [f"i{n},ann,{n % 5},{n % 3}" for n in range(20)]
    ratings.write_text("\n".join(["item,rater,<b>fidelity,beauty", *lines]), encoding="utf-8")
    both = state.compare(services, given(scores, str(ratings)))
    assert "Metrics vs. people: &lt;b&gt;fidelity" in both.tables
    assert "Krippendorff’s alpha among the raters: beauty" in both.tables
    assert "Read the ordinal one: the scale is guessed" in both.tables
    assert both.words == "Ratings: 2 metrics, 20 rated items."
    options = AgreementOptions(dimension="beauty", against="near", missing=("0",))
    one = state.compare(services, given(scores, str(ratings)), options)
    assert "fidelity" not in one.tables
    assert "far less near" in one.tables
    assert one.words == "Ratings: 2 metrics, 13 rated items; 4 rows left out."  # of two items


def test_a_chosen_kind_is_taken_before_the_columns_and_a_wrong_one_says_what_they_show(
    services: Services, tmp_path: Path
) -> None:
    scores, _ = tables(tmp_path)
    lines = [f"i{n},ann,{n % 5},{n % 3}" for n in range(20)]
    ratings = write(tmp_path / "r.csv", "item,rater,question,answer", *lines)
    shown = state.compare(services, given(scores, ratings, "ratings"))
    assert "Metrics vs. people: question" in shown.tables
    with pytest.raises(BadRequest, match=r"no column 'item a'.*; the columns are those of answers"):
        state.compare(services, given(scores, ratings, "preferences"))


@pytest.mark.parametrize("kind", ["preferences", "answers"])
def test_a_public_app_compares_tables_of_every_kind_up_to_a_size(
    services: Services, monkeypatch: pytest.MonkeyPatch, kind: TableKind
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    monkeypatch.setattr(state, "MAX_METRICS", 1)
    example = EXAMPLES[kind]
    tables = given(str(example.scores) if example.scores else None, str(example.people))
    with pytest.raises(BadRequest, match="compares at most 1"):
        state.compare(services, tables)
