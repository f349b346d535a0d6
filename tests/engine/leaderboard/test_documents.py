"""A leaderboard as a document with what to expect of its judge, and a saved one where a store has
none of its own.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hallascope.data.records import CoI
from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.board import (
    board,
)
from hallascope.engine.leaderboard.comparisons import compare_models
from hallascope.engine.leaderboard.demo import leaderboard_source, save_demo
from hallascope.engine.leaderboard.documents import (
    COLUMNS,
    frame_rows,
    leaderboard_document,
)
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.leaderboard.judges import row_judge, row_reliability
from hallascope.engine.storage.store import Store
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.filled_store import Said, keep
from tests.support.ranked_store import build


def test_rows_of_a_table_have_the_columns_and_the_rows_of_the_document(full: Store) -> None:
    shown = board(full, Query(by="coi"))
    rows = frame_rows(shown, compare_models(full, shown))
    assert {tuple(row) for row in rows} == {COLUMNS}
    document = leaderboard_document(shown, demo=False)
    assert [row["group"] for row in rows] == [row["coi"] for row in document["rows"]]
    assert [row["n"] for row in rows] == [row["n"] for row in document["rows"]]


BYS: tuple[Grouping, ...] = ("model", "coi")
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
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    services = build(tmp_path_factory.mktemp("ranked"))
    yield services.store
    services.store.close()


def test_a_judge_is_weighed_by_the_kinds_that_a_row_rests_on(ranked: Store) -> None:
    weights: list[Mapping[CoI, float]] = []

    def find(
        judge: str | None, kinds: Mapping[CoI, float], model: str | None
    ) -> JudgeReliability | None:
        assert judge == "primer/judge"
        weights.append(dict(kinds))
        return KNOWN

    by_model, by_coi = (board(ranked, Query("ihalla", by=by)) for by in BYS)
    for found in (by_model, by_coi):
        reliability = row_reliability(ranked, found, find)
        assert {reliability(row) for row in found.rows} == {KNOWN}
        assert {row_judge(found, row) for row in found.rows} == {"primer/judge"}
    rows = len(by_model.rows)
    assert all(weights[0] == own for own in weights[:rows])
    assert sum(weights[0].values()) == 2 * 3 * 5, "two prompts, three models, five questions"
    assert {kind for own in weights[rows:] for kind in own} == {row.group for row in by_coi.rows}
    assert all(list(own.values()) == [1.0] for own in weights[rows:])


def test_the_document_says_it_in_every_row_and_null_where_it_was_not_measured(
    ranked: Store,
) -> None:
    ranking = board(ranked, Query("ihalla"))
    first = ranking.rows[0]
    document = leaderboard_document(
        ranking, demo=False, reliability=lambda row: KNOWN if row == first else None
    )
    known, *others = (row["judge_reliability"] for row in document["rows"])
    assert known["sensitivity"] == {"value": 0.9, "low": 0.8, "high": 0.95, "n": 40}
    assert known["source"] == "own trial"
    assert set(others) == {None}


def test_own_numbers_come_before_the_demo_which_stays_a_choice(full: Store, tmp_path: Path) -> None:
    file = tmp_path / "leaderboard.jsonl"
    assert not leaderboard_source(full, file, shipped=True).demo, "there is no file"
    save_demo(full, file, "Nine prompts", runs=("r1",))
    own = leaderboard_source(full, file)
    assert (own.store, own.demo) == (full, False)
    assert leaderboard_source(full, file, shipped=True).demo


def test_what_no_leaderboard_ranks_does_not_replace_the_demo(
    full: Store, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "leaderboard.jsonl"
    save_demo(full, file, "Nine prompts")
    keep(store, Said(model=UPLOADED))
    keep(store, Said("a dog"), is_held_back=True)
    assert leaderboard_source(store, file).demo
    for filters in (Filters(models=(UPLOADED,)), Filters(runs=("r",))):
        assert not leaderboard_source(store, file, filters=filters).demo
