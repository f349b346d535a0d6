"""A leaderboard offers what the store has, and names the nearest of what it has not."""

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.board import published_rows
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.options import (
    leaderboard_options,
    published_options,
    require_known_names,
    stored_metrics,
    stored_values,
)
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep


def test_the_options_are_what_the_store_has_in_the_papers_order(full: Store) -> None:
    options = leaderboard_options(full, "ihalla")
    assert options.metrics == stored_metrics(full) == ("ihalla", "tifa")
    assert options.models == ("m/one", "m/two")
    assert options.scores == ("score", "strict")
    assert set(options.compositions) == {"color", "shape"}
    assert options.bys == ("model", "coi")
    assert options.runs["r3"] == "prompt 3"
    assert leaderboard_options(full, "fig") == options, "nothing of this metric is stored"


def test_each_of_several_domains_is_offered_and_a_long_prompt_is_cut(store: Store) -> None:
    keep(store, Said("a cat and a pizza " * 9, domain="food+animal"))
    assert set(stored_values(store)["domain"]) == {"animal", "food"}
    (title,) = leaderboard_options(store, "ihalla").runs.values()
    assert len(title) == 60
    assert title.endswith("…")


def test_published_numbers_can_be_asked_for_by_what_papers_print() -> None:
    there = published_options("ihalla")
    assert there.metrics[0] == "ihalla"
    assert {"category", "coi", "judge"} <= set(there.bys)
    assert set(there.scores) == {"score", "strict"}
    assert there.models == (), "published numbers are not filtered by model"
    assert published_options("no-such-metric").metrics == there.metrics
    for metric in there.metrics:
        options = published_options(metric)
        assert any(published_rows(Query(metric, score)) for score in options.scores)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (Query("ihala"), "no metric 'ihala' here; did you mean 'ihalla'"),
        (Query(score="strikt"), "no score of ihalla 'strikt' here; did you mean 'strict'"),
        (Query(filters=Filters(models=("m/on",))), "evaluation of the model 'm/on' here; did you"),
        (Query(filters=Filters(level="I")), "no evaluation with any level 'I' here"),
        (Query(filters=Filters(runs=("r77",))), "No run or sweep 'r77' is stored"),
    ],
)
def test_a_name_that_the_store_does_not_have_is_refused_with_the_nearest(
    full: Store, query: Query, message: str
) -> None:
    with pytest.raises(BadRequest, match=message):
        require_known_names(full, query)


def test_names_that_the_store_has_are_let_through(full: Store) -> None:
    query = Query("tifa", filters=Filters(models=("m/two",), judge="j/one", runs=("r1",)))
    require_known_names(full, query)
