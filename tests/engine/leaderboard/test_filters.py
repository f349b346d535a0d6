"""What stands behind a bar is asked for by the group of the bar."""

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.filters import (
    NO_JUDGE,
    Filters,
    Query,
    check_groups,
    filter_group,
)


def test_a_group_becomes_a_filter_beside_those_that_there_are() -> None:
    filters = Filters(models=("m/one",))
    narrow = filter_group(Query(by="domain", filters=filters), "animal")
    assert narrow == Query(filters=Filters(models=("m/one",), domain="animal"))
    assert filter_group(Query(by="domain", filters=filters), "") == Query(filters=filters)


def test_a_composition_of_interest_is_no_filter() -> None:
    assert filter_group(Query(by="coi"), "color") == Query()


def test_no_judge_and_the_number_of_a_trial_are_read_as_what_they_are() -> None:
    assert filter_group(Query(by="judge"), NO_JUDGE).filters.judge == ""
    assert filter_group(Query(by="trial"), "2").filters.trial == 2
    with pytest.raises(BadRequest, match="'first' is no trial"):
        filter_group(Query(by="trial"), "first")


def test_groups_that_a_score_does_not_have_are_refused() -> None:
    check_groups(Query(by="coi"))
    with pytest.raises(BadRequest, match="cannot be made by 'taste'"):
        check_groups(Query(by="taste"))  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="of whole images"):
        check_groups(Query(score="strict", by="coi"))
