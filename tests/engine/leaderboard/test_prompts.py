"""The prompts behind a bar, which choices a store offers, and where methods disagree."""

from itertools import pairwise

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.drilldown import disagreements, prompt_page
from hallascope.engine.leaderboard.filters import (
    NO_JUDGE,
    Filters,
    Query,
    check_groups,
    filter_group,
)
from hallascope.engine.leaderboard.options import leaderboard_options, require_known_names
from hallascope.engine.storage.store import Store
from tests.support.board_rows import leaderboard_rows


def test_the_prompts_behind_a_bar_come_worst_first_unanswered_last_and_in_pages(
    full: Store,
) -> None:
    first, last = (prompt_page(full, Query(), "m/one", page=page, size=6) for page in (0, 1))
    assert (first.total, len(first.items), len(last.items)) == (10, 6, 4)
    values = [item.value for item in (*first.items, *last.items)]
    assert values == [0.0] * 5 + [1.0] * 4 + [None]
    assert {item.prompt for item in first.items[:5]} == {f"prompt {at}" for at in range(4, 9)}
    assert (first.items[0].pictures, first.items[0].answered, first.items[0].unanswered) == (
        1,
        1,
        1,
    )


def test_behind_a_group_is_what_its_bar_counts(full: Store) -> None:
    for by in ("category", "domain", "level", "trial", "judge", "coi"):
        for row in leaderboard_rows(full, by):
            found = prompt_page(full, Query(by=by), row.model, row.group, size=100)
            counted = sum(
                item.answered if by == "coi" else item.value is not None for item in found.items
            )
            assert counted == row.n, (by, row)


def test_a_group_becomes_a_filter_beside_those_that_there_are() -> None:
    filters = Filters(models=("m/one",))
    narrow = filter_group(Query(by="domain", filters=filters), "animal")
    assert narrow == Query(filters=Filters(models=("m/one",), domain="animal"))
    assert filter_group(Query(by="domain", filters=filters), "") == Query(filters=filters)
    assert filter_group(Query(by="judge"), NO_JUDGE).filters.judge == ""
    assert filter_group(Query(by="trial"), "2").filters.trial == 2
    with pytest.raises(BadRequest, match="'first' is no trial"):
        filter_group(Query(by="trial"), "first")


def test_groups_are_offered_where_the_store_has_several_and_refused_where_a_score_has_none(
    full: Store,
) -> None:
    options = leaderboard_options(full, "fig")
    assert options == leaderboard_options(full, "ihalla"), "nothing of FiG is stored"
    assert (options.metrics, options.scores) == (("ihalla", "tifa"), ("score", "strict"))
    assert options.bys == ("model", "coi")
    check_groups(Query(by="coi"))
    with pytest.raises(BadRequest, match="cannot be made by 'taste'"):
        check_groups(Query(by="taste"))  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="of whole images"):
        check_groups(Query(score="strict", by="coi"))


@pytest.mark.parametrize(
    "query, message",
    [
        (Query("ihala"), "no metric 'ihala' here; did you mean 'ihalla'"),
        (Query(score="strikt"), "no score of ihalla 'strikt' here; did you mean 'strict'"),
        (Query(filters=Filters(models=("m/on",))), "evaluation of the model 'm/on' here; did you"),
        (Query(filters=Filters(judge="j/on")), "evaluation of the judge 'j/on' here; did you"),
        (Query(filters=Filters(level="I")), "no evaluation with any level 'I' here"),
        (Query(filters=Filters(runs=("r77",))), "No run or sweep 'r77' is stored"),
    ],
)
def test_a_name_that_the_store_does_not_have_is_refused_with_the_nearest(
    full: Store, query: Query, message: str
) -> None:
    with pytest.raises(BadRequest, match=message):
        require_known_names(full, query)


def test_methods_disagree_where_one_ranks_a_picture_high_and_another_low(full: Store) -> None:
    found = disagreements(full, metrics=("ihalla", "tifa"), size=50)
    assert (found.total, found.considered) == (18, 18)
    assert all(one.value >= other.value for one, other in pairwise(found.items))
    top = found.items[0]
    assert (top.prompt, top.scores) == ("prompt 8", {"ihalla": 0.0, "tifa": 1.0})
    assert top.value == pytest.approx(max(top.ranks.values()) - min(top.ranks.values()))
    assert top.runs["ihalla"] == "r8"
    assert disagreements(full, Filters(models=("m/one",)), ("ihalla", "tifa")).total == 9
    assert disagreements(full, metrics=("ihalla",)).total == 0
