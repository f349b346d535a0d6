"""A leaderboard as a document: its rows, how they were judged, and what was asked for beside."""

import json
from dataclasses import replace

from hallascope.engine.leaderboard.board import Board, Corrections, Instrument, LeaderboardRow
from hallascope.engine.leaderboard.documents import leaderboard_document, row_document
from hallascope.engine.leaderboard.filters import Query

ROW = LeaderboardRow(
    model="primer/exact",
    group="",
    value=0.75,
    n=4,
    low=0.5,
    high=0.9,
    left_out=1,
    answered=15,
    unanswered=5,
)
NUMBERS = {"value": 0.75, "n": 4, "low": 0.5, "high": 0.9, "left_out": 1}


def instrument(judge: str) -> Instrument:
    return Instrument(
        key=judge, version="2", judge=judge, revision="r", lineup={"judge": judge}, prompts=4
    )


BOARD = Board(
    query=Query("ihalla"),
    rows=(ROW,),
    unit="prompts",
    title="Score",
    higher_is_better=True,
    bounds=(0.0, 1.0),
    instrument=instrument("primer/judge"),
    instruments=(instrument("primer/judge"), instrument("gpt-4o")),
    interval_method="clopper-pearson",
    published=(replace(ROW, model="DALL-E 3", source="Lim et al. 2025, table 1"),),
)


def test_a_row_has_its_numbers_and_its_group_under_the_name_of_what_it_is_sorted_by() -> None:
    assert row_document(ROW, "model") == {
        "model": "primer/exact",
        **NUMBERS,
        "left_out_share": 0.25,
        "answered": 15,
        "unanswered": 5,
    }
    assert row_document(replace(ROW, group="shape"), "coi")["coi"] == "shape"
    assert row_document(ROW, "coi")["coi"] == ""
    assert row_document(replace(ROW, group="all"), "model")["group"] == "all"


def test_a_leaderboard_says_how_it_was_judged_and_how_else_it_could_be() -> None:
    document = leaderboard_document(BOARD, demo=True)
    assert document["judged_by"] == {
        "version": "2",
        "wording": "ours",
        "judge": "primer/judge",
        "lineup": {"judge": "primer/judge"},
    }
    assert [other["judge"] for other in document["judged_otherwise"]] == ["gpt-4o"]
    assert (document["metric"], document["by"], document["unit"]) == ("ihalla", "model", "prompts")
    assert document["interval"] == {"level": 0.95, "by": "prompt", "method": "clopper-pearson"}
    assert document["demo"] is True
    assert json.loads(json.dumps(document)) == document
    assert leaderboard_document(replace(BOARD, instrument=None), demo=False)["judged_by"] is None


def test_published_numbers_are_in_it_only_where_they_are_wanted() -> None:
    assert not {"published", "compared"} & leaderboard_document(BOARD, demo=False).keys()
    (row,) = leaderboard_document(BOARD, demo=False, published=True)["published"]
    assert (row["model"], row["source"]) == ("DALL-E 3", "Lim et al. 2025, table 1")


def test_corrections_are_in_it_only_where_there_are_any() -> None:
    assert "corrected" not in leaderboard_document(BOARD, demo=False)
    corrections = Corrections(prompts=2, authors=("Ann",), mixed=1)
    document = leaderboard_document(replace(BOARD, corrections=corrections), demo=False)
    assert document["corrected"] == {"prompts": 2, "authors": ("Ann",), "mixed": 1}
