"""A leaderboard as a document with what to expect of its judge, saved where a store has none of its
own, and images of models that ship drawn again.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import CoI
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.board import (
    Board,
    LeaderboardRow,
    board,
)
from hallascope.engine.leaderboard.demo import leaderboard_source, save_demo
from hallascope.engine.leaderboard.documents import (
    COLUMNS,
    leaderboard_document,
    leaderboard_frame,
    row_document,
)
from hallascope.engine.leaderboard.filters import Grouping, Query
from hallascope.engine.leaderboard.judges import row_judge, row_reliability
from hallascope.engine.leaderboard.queries import Instrument
from hallascope.engine.leaderboard.redraw import FOLDER, redraw_picture
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.board_rows import leaderboard_rows
from tests.support.ranked_store import build

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
    assert row_document(ROW, Query()) == {
        "model": "primer/exact",
        **NUMBERS,
        "left_out_share": 0.25,
        "answered": 15,
        "unanswered": 5,
    }
    assert row_document(replace(ROW, group="shape"), Query(by="coi"))["coi"] == "shape"
    assert row_document(ROW, Query(by="coi"))["coi"] == ""
    assert row_document(replace(ROW, group="all"), Query())["group"] == "all"


def test_a_leaderboard_says_how_it_was_judged_and_how_else_it_could_be() -> None:
    document = leaderboard_document(BOARD, demo=True)
    assert document["judged_by"] == {
        "version": "2",
        "wording": "ours",
        "protocol": "",
        "judge": "primer/judge",
        "lineup": {"judge": "primer/judge"},
    }
    assert [other["judge"] for other in document["judged_otherwise"]] == ["gpt-4o"]
    assert (document["metric"], document["by"], document["unit"]) == ("ihalla", "model", "prompts")
    assert document["interval"] == {"level": 0.95, "by": "prompt", "method": "clopper-pearson"}
    assert document["demo"] is True
    assert json.loads(json.dumps(document)) == document
    assert leaderboard_document(replace(BOARD, instrument=None), demo=False)["judged_by"] is None


def test_the_frame_has_the_documented_columns_and_the_rows_of_the_document(full: Store) -> None:
    frame = leaderboard_frame(full, Query(by="coi"))
    assert list(frame.columns) == list(COLUMNS)
    document = leaderboard_document(board(full, Query(by="coi")), demo=False)
    assert list(frame["group"]) == [row["coi"] for row in document["rows"]]
    assert list(frame["n"]) == [row["n"] for row in document["rows"]]
    assert all(column.meaning and column.unit for column in COLUMNS.values())


KNOWN = JudgeReliability(
    judge="primer/judge",
    sensitivity=ExpectedShare(0.9, 0.8, 0.95, 40),
    specificity=None,
    kinds=(),
    not_measured=(),
    source="own trial",
    measured_on="40 Primer drawings",
)


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = build(tmp_path_factory.mktemp("ranked"))
    yield services
    services.store.close()


def asked_of(services: Services, by: Grouping, metric: str = "ihalla") -> list[Mapping[CoI, float]]:
    """Return the weights with which a judge is looked up, row by row."""
    weights: list[Mapping[CoI, float]] = []

    def find(
        judge: str | None, kinds: Mapping[CoI, float], model: str | None
    ) -> JudgeReliability | None:
        assert judge == "primer/judge"
        weights.append(dict(kinds))
        return KNOWN

    ranking = board(services.store, Query(metric, by=by))
    reliability = row_reliability(services.store, ranking, find)
    for row in ranking.rows:
        assert reliability(row) == KNOWN
        assert row_judge(ranking, row) == "primer/judge"
    return weights


def test_by_model_the_kinds_weigh_as_often_as_they_were_asked(ranked: Services) -> None:
    first, *others = asked_of(ranked, "model")
    assert sum(first.values()) == 2 * 3 * 5, "two prompts, three models, five questions"
    assert all(weights == first for weights in others)


def test_by_composition_of_interest_a_row_rests_on_its_own_kind(ranked: Services) -> None:
    rows = board(ranked.store, Query("ihalla", by="coi")).rows
    expected = {row.group for row in rows}
    assert {kind for weights in asked_of(ranked, "coi") for kind in weights} == expected
    assert all(list(weights.values()) == [1.0] for weights in asked_of(ranked, "coi"))


def test_the_document_says_it_in_every_row_and_null_where_it_was_not_measured(
    ranked: Services,
) -> None:
    ranking = board(ranked.store, Query("ihalla"))
    first = ranking.rows[0]
    document = leaderboard_document(
        ranking, demo=False, reliability=lambda row: KNOWN if row == first else None
    )
    known, *others = (row["judge_reliability"] for row in document["rows"])
    assert known["sensitivity"] == {"value": 0.9, "low": 0.8, "high": 0.95, "n": 40}
    assert known["source"] == "own trial"
    assert set(others) == {None}
    assert "judge_reliability" not in leaderboard_document(ranking, demo=False)["rows"][0]


@pytest.mark.parametrize("name", ["leaderboard.jsonl", "leaderboard.jsonl.gz"])
def test_a_saved_leaderboard_has_the_rows_of_its_store(
    full: Store, store: Store, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "saved" / name
    assert save_demo(full, file, "Nine prompts") == 10
    shown = leaderboard_source(store, file)
    assert (shown.demo, shown.title) == (True, "Nine prompts")
    for by in ("model", "coi", "category"):
        assert leaderboard_rows(shown.store, by) == leaderboard_rows(full, by)


def test_own_numbers_come_before_the_demo_which_stays_a_choice(full: Store, tmp_path: Path) -> None:
    file = tmp_path / "leaderboard.jsonl"
    assert not leaderboard_source(full, file, shipped=True).demo, "there is no file"
    save_demo(full, file, "Nine prompts", runs=("r1",))
    own = leaderboard_source(full, file)
    assert (own.store, own.demo) == (full, False)
    assert leaderboard_source(full, file, shipped=True).demo


PROMPT = "a ladybug"


def test_a_picture_is_drawn_once_and_kept(services: Any) -> None:
    path = redraw_picture(services, "primer/exact", PROMPT, 0)
    assert path.parent.name == FOLDER
    drawn = path.stat().st_mtime_ns
    assert redraw_picture(services, "primer/exact", PROMPT, 0) == path
    assert path.stat().st_mtime_ns == drawn
    assert redraw_picture(services, "primer/exact", PROMPT, 1) != path


def test_the_picture_of_another_model_is_refused(services: Any) -> None:
    with pytest.raises(BadRequest, match="are not drawn again"):
        redraw_picture(services, "sd-turbo", PROMPT, 0)
