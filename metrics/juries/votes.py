"""Counts the votes of a jury: several judges that answer the same question with choices.

A member votes for one choice or abstains; a failure and an unreadable reply are abstentions. By
"majority" the choice with most votes wins. By "weighted" and "dawid-skene" a vote counts

    log(p (k - 1) / (1 - p))

where p is the accuracy of its member and k the number of choices: the log-odds of the choice where
members err independently and every wrong choice is as likely (the one-coin model of Dawid and
Skene, 1979, as naive Bayes). The two differ in where p comes from: a trial on known truth, or the
agreement of the members (`dawid_skene`).

A member that gives a probability q for every choice, and whose accuracy is known, is heard on all
of them: each choice gets log(p q + (1 - p) / k), as if its probabilities held in the share p of the
questions and any choice were as likely in the others. So where it is unsure another decides.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

VoteRule = Literal["majority", "weighted", "dawid-skene"]
VOTE_RULES: tuple[VoteRule, ...] = get_args(VoteRule)
# accuracies count as if they were within these, so that no member decides all alone for ever, and
# none counts against its own vote
MOST_ACCURATE = 0.99
LEAST_ABOVE_CHANCE = 0.01
# sums of weights that differ by less are a tie
TIE = 1e-9


class Vote(NamedTuple):
    """Names the choice of a member, by its place.

    `probabilities` are its own of all choices in their order, () where it gives none.
    """

    member: str
    choice: int
    probabilities: tuple[float, ...] = ()


def winning_choice(
    votes: Sequence[Vote],
    choices: int,
    rule: VoteRule = "majority",
    accuracies: Mapping[str, float] | None = None,
) -> int | None:
    """Return the place of the choice that the votes elect, None where there is no vote or a tie.

    `accuracies`: how often each member is right, in [0, 1], where that was measured. In a tie the
    most accurate member that voted for one of the tied choices decides. Where no accuracy is known,
    or two members of the same accuracy differ, there is no winner. The order of the votes does not
    matter.
    """
    known = accuracies or {}
    weights = vote_weights([vote.member for vote in votes], choices, rule, known)
    sums = {vote.choice: 0.0 for vote in votes}
    # in one order, so that rounding does not depend on the order of the members
    for vote in sorted(votes):
        if rule == "majority" or vote.member not in known or len(vote.probabilities) != choices:
            sums[vote.choice] += weights[vote.member]
            continue
        for choice in sums:
            sums[choice] += log_likelihood(vote.probabilities[choice], known[vote.member], choices)
    best = max(sums.values(), default=0.0)
    tied = [choice for choice, weight in sums.items() if weight >= best - TIE]
    if len(tied) < 2:
        return tied[0] if tied else None
    return _break_tie([vote for vote in votes if vote.choice in tied], known)


def vote_weights(
    members: Sequence[str], choices: int, rule: VoteRule, accuracies: Mapping[str, float]
) -> dict[str, float]:
    """Return how much the vote of each member counts, above 0.

    By majority, and where no member has an accuracy, every vote counts 1. A member whose accuracy
    is not known counts as the mean of those whose accuracy is.
    """
    known = [accuracies[member] for member in members if member in accuracies]
    if rule == "majority" or not known:
        return dict.fromkeys(members, 1.0)
    neutral = sum(known) / len(known)
    return {member: vote_weight(accuracies.get(member, neutral), choices) for member in members}


def vote_weight(accuracy: float, choices: int) -> float:
    """Return log(p (k - 1) / (1 - p)) for a member of accuracy p among k choices, above 0.

    A member that is no better than chance counts next to nothing, and never against its own vote.
    """
    if choices < 2:
        return 1.0
    low = 1 / choices + LEAST_ABOVE_CHANCE
    p = min(max(accuracy, low), MOST_ACCURATE)
    return math.log(p * (choices - 1) / (1 - p))


def log_likelihood(probability: float, accuracy: float, choices: int) -> float:
    """Return log(p q + (1 - p) / k) for a choice that a member of accuracy p gives probability q.

    It is above the log of (1 - `MOST_ACCURATE`) / k, so that no member rules a choice out.
    """
    p = min(max(accuracy, 0.0), MOST_ACCURATE)
    return math.log(p * min(max(probability, 0.0), 1.0) + (1 - p) / choices)


def _break_tie(votes: Sequence[Vote], accuracies: Mapping[str, float]) -> int | None:
    known = [(accuracies[vote.member], vote.choice) for vote in votes if vote.member in accuracies]
    best = max((accuracy for accuracy, _ in known), default=None)
    choices = {choice for accuracy, choice in known if accuracy == best}
    return choices.pop() if len(choices) == 1 else None
