"""Scores corrected by people stand beside the judge's: in figure, table and sentences."""

import csv
import io
import re
from typing import Any
from urllib.parse import unquote

import pytest

from hallascope.engine.services import Services
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED
from hallascope.pages.leaderboard.view import LeaderboardView
from tests.pages.leaderboard.conftest import EXACT, shown
from tests.support.labeled_board import LABELED, MODELS, fill


def diamonds(found: LeaderboardView) -> list[dict[str, Any]]:
    assert found.figure is not None
    return [
        trace
        for trace in found.figure.to_plotly_json()["data"]
        if trace.get("name") == "corrected by people"
    ]


def select(found: LeaderboardView) -> str:
    """The label of the switch, with its attributes."""
    (label,) = re.findall(r"<label[^>]*><span>Corrected by people</span>", found.controls)
    return str(label)


@pytest.mark.parametrize("by", ["model", "coi"])
def test_beside_each_bar_stands_its_corrected_score_with_its_interval(
    labeled: Services, by: str
) -> None:
    found = shown(labeled, by=by)
    (trace,) = diamonds(found)
    rows = list(csv.DictReader(io.StringIO(_file(found), newline="")))
    ours = {
        (row["model"], row.get("composition of interest", "")): row
        for row in rows
        if not row["source"]
    }
    assert len(trace["y"]) == len(ours)
    for (model, group), value, above in zip(
        trace["customdata"], trace["y"], trace["error_y"]["array"], strict=True
    ):
        row = ours[model, group]
        assert value == pytest.approx(float(row["corrected"]))
        assert value + above == pytest.approx(float(row["corrected_high"]))
        assert int(row["labeled"]) == LABELED
    worst = [row for row in ours.values() if row["model"] == "example/almond"]
    above = sum(float(row["value"]) - float(row["corrected"]) for row in worst) / len(worst)
    assert above > 0.1, "the judge overlooks errors that people see"


def test_the_table_has_a_column_and_below_the_figure_stands_a_sentence_for_each_model(
    labeled: Services,
) -> None:
    found = shown(labeled)
    assert '<th scope="col">corrected by people</th>' in found.table
    assert found.table.count(f"{LABELED} labeled</span>") == len(MODELS)
    assert found.words.count("<li>") == len(MODELS)
    assert "example/almond: the judge says 0." in found.words
    assert f"{len(MODELS)} values are corrected by people. Highest: " in found.words


def test_by_composition_the_sentences_are_folded(labeled: Services) -> None:
    words = shown(labeled, by="coi").words
    assert "<details>" in words
    assert "example/almond, color: the judge says 0." in words


def test_corrected_scores_can_be_hidden(labeled: Services) -> None:
    assert "hidden" not in select(shown(labeled))
    found = shown(labeled, corrected="hidden")
    assert "hidden" not in select(found), "they can be shown again"
    assert diamonds(found) == []
    assert "corrected by people" not in found.table
    assert "the judge says" not in found.words


def test_other_scores_have_no_corrected_ones_and_no_switch(labeled: Services) -> None:
    found = shown(labeled, score="strict")
    assert diamonds(found) == []
    assert "hidden" in select(found)
    assert "People" not in found.words


def test_without_labels_one_line_says_how_to_get_them(ranked: Services) -> None:
    found = shown(ranked, models=[EXACT])
    assert diamonds(found) == []
    assert "hidden" in select(found)
    assert "corrected by people" not in found.table
    assert found.words.count("To have these scores corrected by people") == 1
    assert '<a href="?tab=people">People</a>' in found.words


def test_by_other_things_nothing_is_corrected_and_nothing_is_asked_for(ranked: Services) -> None:
    assert "People" in shown(ranked, by="coi").words
    assert "People" not in shown(ranked, by="domain").words
    assert "People" not in shown(ranked, score="strict").words
    assert "People" not in shown(ranked, corrected="hidden").words


def test_a_few_labels_are_counted_until_there_are_ten(services: Services) -> None:
    fill(services.store, prompts=12, labeled=8)
    found = shown(services)
    assert diamonds(found) == []
    assert (
        f"example/almond: label {MIN_LABELED - 8} more prompts to correct its score." in found.words
    )
    assert "To have these scores" not in found.words


def test_numbers_that_ship_are_not_corrected(labeled: Services) -> None:
    found = shown(labeled, results="shipped")
    assert diamonds(found) == []
    assert "People" not in found.words


def _file(found: LeaderboardView) -> str:
    """The file that the table offers."""
    return unquote(found.table.split('href="data:text/csv;charset=utf-8,')[1].split('"')[0])
