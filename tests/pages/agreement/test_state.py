"""The same numbers as the command's, from tables or from people here, with what was left out."""

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
import pytest
import scipy.stats

from hallascope.data.requests import Answer
from hallascope.engine import ratings as people
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.human_agreement.comparison import (
    EXAMPLES,
    TABLE_KINDS,
    AgreementOptions,
    TableKind,
    compare_preferences,
    preference_document,
    read_preference_tables,
)
from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from hallascope.pages.agreement.agreement_view import AgreementView
from hallascope.pages.agreement.answer_view import STATISTICS
from hallascope.pages.agreement.page import comparison_updates, example_updates, recognized_line
from hallascope.pages.agreement.rating_view import picture
from hallascope.pages.agreement.state import ComparisonInput
from tests.support.agreement_pages import compare_with_people


def tables(folder: Path, lone: str = "") -> tuple[str, str]:
    chance = random.Random(3)
    people = {f"i{n}": chance.randint(1, 5) for n in range(20)}
    scores, ratings = folder / "s.csv", folder / "r.csv"
    both = [
        f"{item},{name},{value + chance.gauss(0, spread):.3f}"
        for item, value in people.items()
        for name, spread in (("near", 1), ("far", 4))
    ]
    scores.write_text(
        "item,metric,value\n" + "\n".join([*both, *([f"{lone},near,1"] if lone else [])]),
        encoding="utf-8",
    )
    rated = [f"{item},{who},{value}" for item, value in people.items() for who in ("ann", "bo")]
    ratings.write_text("item,rater,value\n" + "\n".join(rated), encoding="utf-8")
    return str(scores), str(ratings)


def given(scores: str | None, people: str | None, kind: str = "auto") -> ComparisonInput:
    return ComparisonInput("tables", scores, people, kind)


def write(file: Path, *lines: str) -> str:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


# --- comparisons ---


PROMPT = "a molecule of methane"


def test_tables_give_every_statistic_with_its_name_metric_against_metric_and_the_figure(
    services: Services, tmp_path: Path
) -> None:
    shown = compare_with_people(services, given(*tables(tmp_path)), AgreementOptions(scale="1..5"))
    for words in ("Pearson r", "near minus far", "Krippendorff", "On ten images only"):
        assert words in shown.tables
    assert shown.words == "Ratings: 2 metrics, 20 rated items."
    assert shown.figure is not None
    near = shown.figure.data[0]
    assert f"{scipy.stats.kendalltau(near.x, near.y).statistic:.3f} (" in shown.tables


def test_rows_that_cannot_be_used_are_listed_with_file_and_line(
    services: Services, tmp_path: Path
) -> None:
    shown = compare_with_people(
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
        compare_with_people(services, ComparisonInput(source))


def test_grades_given_here_are_set_beside_the_metrics_of_the_store_with_the_picture(
    make_services: Any,
) -> None:
    services = make_services(lambda ask: Answer("A"))
    models = ("primer/exact", "primer/hasty", "primer/careless")
    list(services.evaluate(EvaluateRequest(prompt=PROMPT, models=models)))
    for grade, item in zip("753", people.rateable_pictures(services, None, "ann"), strict=True):
        people.keep_marks(services, item, [grade], "ann", people.GRADED)
        people.keep_marks(services, item, [str(int(grade) - 1)], "bo", people.GRADED)
    shown = compare_with_people(services, ComparisonInput("grade"))
    assert "ihalla, judged by primer/judge" in shown.tables
    assert "3 items with several ratings, 6 ratings" in shown.tables
    assert shown.figure is not None
    assert sorted(shown.figure.data[0].y) == [2.5, 4.5, 6.5]
    assert all(picture.endswith(".webp") for _, picture in shown.figure.data[0].customdata)


@pytest.mark.parametrize("kind", ["preferences", "answers"])
def test_a_public_app_compares_tables_of_every_kind_up_to_a_size(
    services: Services, monkeypatch: pytest.MonkeyPatch, kind: TableKind
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    monkeypatch.setattr(state, "MAX_METRICS", 1)
    example = EXAMPLES[kind]
    tables = given(str(example.scores) if example.scores else None, str(example.people))
    with pytest.raises(BadRequest, match="compares at most 1"):
        compare_with_people(services, tables)


# --- long lists ---


# --- answers ---


def test_answers_need_no_scores_and_have_the_numbers_of_the_command(
    services: Services, tmp_path: Path
) -> None:
    rows = [
        f"i{n},<b>{question},{by},{'yes' if n % 2 else 'no'},{needs}"
        for n in range(6)
        for question, needs in (("one", ""), ("two", "<b>one"))
        for by in ("ann,", "bo,", ",<b>vqa")
    ]
    header = "item,question,rater,metric,answer,depends_on"
    people = write(tmp_path / "a.csv", header, *rows, "i0,three,,<b>vqa,yes,")
    *_, shown = state.steps(services, given(None, people))
    assert isinstance(shown, AgreementView)
    assert "1 metric, 12 questions about 6 items, 2 raters; 1 row left out." in shown.words
    assert shown.document["questions"]["metrics"]["<b>vqa"]["kappa"]["value"] == 1.0
    assert shown.document["items"]["metrics"]["<b>vqa"]["n"] == 6
    assert "<b>" not in shown.tables
    assert shown.figure is not None
    assert [trace.name for trace in shown.figure.data[:-1]] == list(STATISTICS)


# --- preferences ---


def test_preferences_are_recognized_and_have_the_numbers_of_the_command(
    services: Services, tmp_path: Path
) -> None:
    pairs = [f"p{n}-x,p{n}-y,{who},a,<i>p{n}" for n in range(8) for who in ("ann", "bo")]
    more = [*(f"p{n}-x,p{n}-y,cy,tie,<i>p{n}" for n in range(3)), "p7-x,p7-y,cy,unreadable,<i>p7"]
    lone = "p0-x,<b>gone,cy,a,<i>p0"
    people = write(tmp_path / "p.csv", "item_a,item_b,rater,choice,group", *pairs, *more, lone)
    scored = [f"p{n}-{side},{int(side == 'x')},{n % 3}" for n in range(8) for side in "xy"]
    scores = write(tmp_path / "s.csv", "item,<b>right,flat", *scored)
    shown = compare_with_people(services, given(scores, people))
    counted = "2 metrics, 20 choices between 8 pairs of items in 8 clusters; 1 row left out."
    assert counted in shown.words
    options = AgreementOptions()
    tables = read_preference_tables(Path(scores), Path(people), options)
    document = compare_preferences(tables, options)
    assert shown.document == preference_document(document)
    accuracy = shown.document["metrics"]["<b>right"]["accuracy"]
    assert f"<td>0.842 ({accuracy['low']:.3f} to {accuracy['high']:.3f})</td>" in shown.tables
    assert "&lt;b&gt;right minus flat" in shown.tables
    assert "the item &#39;&lt;b&gt;gone&#39; is not scored" in shown.tables
    assert "<b>" not in shown.tables
    assert shown.figure is not None
    assert shown.figure.data[0].x[0] == accuracy["value"]
    assert shown.figure.data[0].error_x.array[0] == accuracy["high"] - accuracy["value"]


# --- images ---


def test_an_item_that_is_no_stored_picture_has_none(services: Services) -> None:
    items = ("", "../../etc/passwd", "a" * 64, "A" * 64, "i1")
    assert {picture(services, item) for item in items} == {""}


# --- the page ---


SKIPPED = gr.skip()


@pytest.fixture
def folder() -> Iterator["TemporaryDirectory[str]"]:
    with TemporaryDirectory() as name:
        found = TemporaryDirectory(dir=name)
        yield found
        found.cleanup()


@pytest.mark.parametrize(
    "scale, missing, words",
    [
        ("", "people", "The people’s table is missing"),
        ("5..1", "", "is none"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence_and_what_was_shown_stays(
    services: Services,
    tmp_path: Path,
    folder: "TemporaryDirectory[str]",
    scale: str,
    missing: str,
    words: str,
) -> None:
    scores, ratings = tables(tmp_path)
    ((line, *shown),) = comparison_updates(
        services,
        folder,
        "tables",
        "auto",
        None if missing == "scores" else scores,
        None if missing == "people" else ratings,
        scale,
    )
    assert words in line
    assert shown == [SKIPPED] * 3


@pytest.mark.parametrize("kind", list(TABLE_KINDS))
def test_an_example_fills_the_fields_and_ends_with_results_and_a_figure(
    services: Services, folder: "TemporaryDirectory[str]", kind: TableKind
) -> None:
    first, *_, last = list(example_updates(services, folder, kind)) * 2
    source, chosen, scores, people, *_ = first
    assert (source, chosen) == ("tables", "auto")
    assert (scores is None) == (kind == "answers")
    assert Path(people).read_bytes() == EXAMPLES[kind].people.read_bytes()
    line, html, figure, _ = last[4:]
    assert "wrong" not in line
    assert f"{TABLE_KINDS[kind].capitalize()}" in line
    assert "<table>" in html
    assert figure.data


@pytest.mark.parametrize(
    "kind, header, words",
    [
        ("auto", "item,question,rater,answer", "recognized as answers to questions, by the col"),
        ("answers", "item,value", "read as answers to questions"),
    ],
)
def test_a_table_is_recognized_as_soon_as_it_is_there(
    tmp_path: Path, kind: str, header: str, words: str
) -> None:
    file = tmp_path / "<b>people.csv"
    file.write_text(header + "\n", encoding="utf-8")
    line = recognized_line(kind, str(file))
    assert words in line
    assert "&lt;b&gt;people.csv" in line
    assert recognized_line(kind, None) == SKIPPED
