"""Members vote for choices: the order does not matter, and abstentions do not count."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.juries.votes import (
    VOTE_RULES,
    Vote,
    VoteRule,
    vote_weight,
    vote_weights,
    winning_choice,
)

CHOICES = 5


def test_nobody_wins_without_votes_and_in_a_tie_of_which_nothing_is_known() -> None:
    assert winning_choice([], CHOICES) is None
    tied = [Vote("a", 0), Vote("b", 1)]
    assert winning_choice(tied, CHOICES) is None
    assert winning_choice(tied, CHOICES, "weighted", {"a": 0.7, "b": 0.7}) is None


def test_the_most_accurate_member_breaks_a_tie() -> None:
    tied = [Vote("a", 0), Vote("b", 1)]
    assert winning_choice(tied, CHOICES, "majority", {"a": 0.6, "b": 0.9}) == 1
    two_each = [Vote("a", 0), Vote("b", 1), Vote("c", 1), Vote("d", 0)]
    assert winning_choice(two_each, CHOICES, "majority", {"c": 0.6, "d": 0.61}) == 0


def test_a_good_member_outweighs_two_poor_ones_only_where_votes_are_weighted() -> None:
    votes = [Vote("good", 2), Vote("poor", 1), Vote("poorer", 1)]
    known = {"good": 0.95, "poor": 0.4, "poorer": 0.35}
    assert winning_choice(votes, CHOICES, "majority", known) == 1
    assert winning_choice(votes, CHOICES, "weighted", known) == 2


def test_a_weight_is_the_log_odds_of_the_choice() -> None:
    assert vote_weight(0.8, 5) == pytest.approx(math.log(0.8 * 4 / 0.2))
    assert vote_weight(0.8, 2) == pytest.approx(math.log(4))


def test_a_member_without_a_trial_counts_as_the_mean_of_the_others() -> None:
    weights = vote_weights(["a", "b", "new"], 5, "weighted", {"a": 0.9, "b": 0.7})
    assert weights["new"] == pytest.approx(vote_weight(0.8, 5))
    assert vote_weights(["a", "b"], 5, "weighted", {}) == {"a": 1.0, "b": 1.0}


def test_where_a_member_is_unsure_another_decides() -> None:
    known = {"judge": 0.96, "counter": 0.85}
    sure, unsure = (0.98, 0.02, 0.0), (0.55, 0.44, 0.01)
    for probabilities, winner in ((sure, 0), (unsure, 1)):
        votes = [Vote("judge", 0, probabilities), Vote("counter", 1)]
        assert winning_choice(votes, 3, "weighted", known) == winner
    # where nothing is known of its accuracy, and by majority, its probabilities are left aside
    votes = [Vote("judge", 0, sure), Vote("counter", 1), Vote("other", 1)]
    assert winning_choice(votes, 3, "weighted") == 1
    assert winning_choice(votes, 3, "majority", known) == 1


def test_a_member_that_is_too_sure_of_itself_is_heard_as_far_as_it_is_right() -> None:
    votes = [Vote("boaster", 0, (1.0, 0.0, 0.0)), Vote("modest", 1)]
    assert winning_choice(votes, 3, "weighted", {"boaster": 0.5, "modest": 0.9}) == 1


MEMBERS = tuple("abcdef")


rules = st.sampled_from(VOTE_RULES)


shares = st.lists(st.floats(0.01, 1), min_size=CHOICES, max_size=CHOICES).map(
    lambda own: tuple(value / sum(own) for value in own)
)


# some members give probabilities, others a choice alone
ballots = st.dictionaries(
    st.sampled_from(MEMBERS), st.one_of(st.integers(0, CHOICES - 1), shares)
).map(
    lambda own: [
        Vote(member, vote)
        if isinstance(vote, int)
        else Vote(member, max(range(CHOICES), key=vote.__getitem__), vote)
        for member, vote in own.items()
    ]
)


accuracies = st.dictionaries(st.sampled_from(MEMBERS), st.floats(0, 1))


@given(ballots, rules, accuracies, st.randoms())
def test_the_order_of_the_members_does_not_change_the_result(
    votes: list[Vote], rule: VoteRule, known: dict[str, float], chance: object
) -> None:
    mixed = chance.sample(votes, len(votes))  # type: ignore[attr-defined]
    assert winning_choice(votes, CHOICES, rule, known) == winning_choice(
        mixed, CHOICES, rule, known
    )


@given(
    st.sets(st.sampled_from(MEMBERS), min_size=1), st.integers(0, CHOICES - 1), rules, accuracies
)
def test_a_jury_of_one_mind_says_what_its_members_say(
    members: set[str], choice: int, rule: VoteRule, known: dict[str, float]
) -> None:
    votes = [Vote(member, choice) for member in members]
    assert winning_choice(votes, CHOICES, rule, known) == choice
