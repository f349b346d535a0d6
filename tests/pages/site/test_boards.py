"""The leaderboard of a site has a table for every metric that scored anything."""

from dataclasses import replace
from typing import Any

import pytest

from bench.support.labeled_board import MODELS as LABELED_MODELS
from hallascope.engine.leaderboard.board import Board, Corrections, board
from hallascope.engine.services import Services
from hallascope.pages.site import boards
from tests.support.ranked_store import MODELS


def test_every_model_has_a_row_with_its_bar_best_first(ranked: Services) -> None:
    html = boards.boards(ranked, (), {"ihalla"})
    places = [html.index(f'<th scope="row">{model}</th>') for model in MODELS]
    assert len(set(places)) == len(MODELS)
    assert html.count('class="scale"') == len(MODELS)
    assert "judged by primer/judge" in html
    assert f'<td data-of="rank">1 to {len(MODELS)}<span class="about"> a</span></td>' in html
    assert "Too few prompts to tell the models apart" in html
    values = [
        float(part[:4]) for part in html.partition("</table>")[0].split('data-of="score">')[1:]
    ]
    assert len(values) == len(MODELS)
    assert values == sorted(values, reverse=True)


def test_answers_stand_by_composition_too(ranked: Services) -> None:
    html = boards.boards(ranked, (), {"ihalla"})
    assert "<summary>By composition of interest</summary>" in html
    assert "counting" in html


def test_scores_corrected_by_people_have_a_diamond_a_column_and_a_sentence(
    labeled: Services,
) -> None:
    html = boards.boards(labeled, (), {"ihalla"})
    by_model, _, by_coi = html.partition("</table>")
    assert '<th scope="col">corrected by people</th>' in by_model
    assert by_model.count('class="diamond"') == len(LABELED_MODELS)
    assert "; 40 labeled</span></td>" in by_model
    assert "example/almond: the judge says 0." in html
    assert "label " not in html
    assert "corrected 0." in by_coi
    assert "Ann" not in html, "who answered is named nowhere"


def test_what_people_answered_can_be_left_out(labeled: Services) -> None:
    html = boards.boards(labeled, (), {"ihalla"}, people=False)
    assert "corrected" not in html.replace("corrected for all pairs", "")
    assert "diamond" not in html


def test_without_labels_nothing_is_said_of_corrected_scores(ranked: Services) -> None:
    html = boards.boards(ranked, (), {"ihalla"})
    assert "corrected by people" not in html
    assert "diamond" not in html


def test_only_the_named_runs_are_counted(ranked: Services) -> None:
    first, *_ = ranked.store.runs()
    alone = boards.boards(ranked, (first.id,), {"ihalla"})
    assert alone
    assert alone != boards.boards(ranked, (), {"ihalla"})


@pytest.mark.parametrize("metrics", [set(), {"clipscore"}, {"unknown"}])
def test_without_a_score_there_is_no_leaderboard(ranked: Services, metrics: set[str]) -> None:
    assert boards.boards(ranked, (), metrics) == ""


def test_corrected_readings_are_counted_and_nobody_is_named(
    ranked: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def corrected(*arguments: Any) -> Board:
        corrections = Corrections(prompts=2, authors=("Ann Example",), mixed=0)
        return replace(board(*arguments), corrections=corrections)

    monkeypatch.setattr(boards, "board", corrected)
    html = boards.boards(ranked, (), {"ihalla"})
    assert "What 2 prompts ask for was corrected by people." in html
    assert "Example" not in html
