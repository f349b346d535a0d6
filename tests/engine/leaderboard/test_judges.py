"""Each row of a leaderboard says what to expect of its judge on the questions it rests on."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from hallascope.data.records import CoI
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.documents import leaderboard_document
from hallascope.engine.leaderboard.filters import Grouping, Query
from hallascope.engine.leaderboard.judges import row_judge, row_reliability
from hallascope.engine.services import Services
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.ranked_store import build

KNOWN = JudgeReliability(
    judge="primer/judge",
    sensitivity=ExpectedShare(0.9, 0.8, 0.95, 40),
    specificity=None,
    kinds=(),
    not_measured=(),
    source="own trial",
    measured_on="Primer images",
    images=40,
    same_images=True,
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


def test_by_judge_a_row_is_about_the_judge_that_it_names(ranked: Services) -> None:
    assert asked_of(ranked, "judge")


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


def test_metrics_without_such_questions_are_not_measured(ranked: Services) -> None:
    ranking = board(ranked.store, Query("ihalla"))
    other = replace(ranking, query=Query("fig"))
    find = row_reliability(ranked.store, other, lambda judge, kinds, model: KNOWN)
    assert find(ranking.rows[0]) is None
