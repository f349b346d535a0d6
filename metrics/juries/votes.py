"""Counts the votes of a jury: several judges that answer the same question with choices.

A member votes for one choice or abstains; a failure and an unreadable reply are abstentions. By
"majority" the choice with most votes wins. By "weighted" and "dawid-skene" a vote counts

    log(p (k - 1) / (1 - p))

where p is the accuracy of its member and k the number of choices: the log-odds of the choice where
members err independently and every wrong choice is as likely (the one-coin model of Dawid and
Skene, 1979, as naive Bayes). The two differ in where p comes from: a trial on known truth, or the
agreement of the members (`estimate_truth`).

A member that gives a probability q for every choice, and whose accuracy is known, is heard on all
of them: each choice gets log(p q + (1 - p) / k), as if its probabilities held in the share p of the
questions and any choice were as likely in the others. So where it is unsure another decides.

Where nobody knows the truth, accuracies are estimated from the answers alone, after Dawid and Skene
(1979), with one accuracy a judge: it names the right choice with that probability, and each other
choice with the same share of the rest. The letters of choices mean something else in every
question, so a table of confusions between letters would say nothing.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from hallascope.data.records import Letter, Verdict

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


# of expectation-maximization
MOST_ROUNDS = 200
TOLERANCE = 1e-6
# accuracies stay within these, so that every answer keeps some probability
_LEAST, _MOST = 0.001, 0.999


class ItemAnswer(NamedTuple):
    """Holds what a judge answered to an item, which is a question about a picture."""

    item: Hashable
    judge: str
    answer: Hashable


class TruthEstimate(NamedTuple):
    """Holds the accuracy of each judge, and by item how probable each answer that was given is.

    The answers that nobody gave have what is missing to 1.
    """

    accuracies: Mapping[str, float]
    answers: Mapping[Hashable, Mapping[Hashable, float]]


def estimate_truth(answers: Sequence[ItemAnswer], choices: int = 5) -> TruthEstimate:
    """Return the most likely accuracies and answers, by expectation-maximization.

    Every item has so many choices, each as likely beforehand. It begins with the shares of the
    votes, and so takes it that most judges are right more often than not. Where every item has a
    single answer, nothing can be told, and each judge is taken to be right. Raises ValueError with
    fewer than two choices.
    """
    if choices < 2:
        raise ValueError(f"An item has {choices} choices: give at least 2.")
    by_item: dict[Hashable, list[ItemAnswer]] = defaultdict(list)
    for answer in answers:
        by_item[answer.item].append(answer)
    beliefs = {item: _vote_shares(own) for item, own in by_item.items()}
    accuracies: dict[str, float] = {}
    for _ in range(MOST_ROUNDS):
        before, accuracies = accuracies, _estimate_accuracies(answers, beliefs)
        beliefs = {item: _item_beliefs(own, accuracies, choices) for item, own in by_item.items()}
        if before and all(abs(accuracies[j] - before[j]) < TOLERANCE for j in accuracies):
            break
    return TruthEstimate(accuracies, beliefs)


def _vote_shares(answers: Sequence[ItemAnswer]) -> dict[Hashable, float]:
    shares: dict[Hashable, float] = defaultdict(float)
    for answer in answers:
        shares[answer.answer] += 1 / len(answers)
    return dict(shares)


def _estimate_accuracies(
    answers: Sequence[ItemAnswer], beliefs: Mapping[Hashable, Mapping[Hashable, float]]
) -> dict[str, float]:
    """Return the mean probability of what each judge answered."""
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for item, judge, answer in answers:
        sums[judge] += beliefs[item][answer]
        counts[judge] += 1
    return {judge: min(max(sums[judge] / counts[judge], _LEAST), _MOST) for judge in sums}


def _item_beliefs(
    answers: Sequence[ItemAnswer], accuracies: Mapping[str, float], choices: int
) -> dict[Hashable, float]:
    """Return how probable each answer is that was given to an item."""
    wrong = {a.judge: (1 - accuracies[a.judge]) / (choices - 1) for a in answers}
    nobody = sum(math.log(wrong[a.judge]) for a in answers)
    gains: dict[Hashable, float] = defaultdict(float)
    for a in answers:
        gains[a.answer] += math.log(accuracies[a.judge]) - math.log(wrong[a.judge])
    logs = {answer: nobody + gain for answer, gain in gains.items()}
    top = max(*logs.values(), nobody)
    rest = max(choices - len(logs), 0) * math.exp(nobody - top)
    total = sum(math.exp(value - top) for value in logs.values()) + rest
    return {answer: math.exp(value - top) / total for answer, value in logs.items()}


# answered questions under which the answers alone tell nothing of how good a judge is
LEAST_ESTIMATED = 30


@dataclass(frozen=True, kw_only=True)
class MemberAgreement:
    """Counts the questions that a member answered, and those where its answer is the jury's.

    `estimated`: its accuracy as the answers of all members let it be estimated without the truth
    (`estimate_truth`), None under `LEAST_ESTIMATED` questions that two members answered.
    """

    member: str
    asked: int
    answered: int
    with_jury: int
    estimated: float | None = None


@dataclass(frozen=True, kw_only=True)
class JuryAgreement:
    """Counts the questions that two members answered or more, and those where two differ."""

    compared: int
    disagreed: int
    members: tuple[MemberAgreement, ...]

    @property
    def share(self) -> float | None:
        """Return the share of the compared questions with different answers; None without any."""
        return self.disagreed / self.compared if self.compared else None


def member_letters(verdict: Verdict) -> list[Letter]:
    """Return the letters that the members of a jury answered, without those that abstained."""
    return [member.answer for member in verdict.members if member.answer is not None]


def members_disagree(verdict: Verdict) -> bool:
    """Return whether two members of a jury gave different answers to a question."""
    return len(set(member_letters(verdict))) > 1


def jury_agreement(verdicts: Iterable[tuple[Hashable, Verdict]]) -> JuryAgreement | None:
    """Return how far the members agree over verdicts, each with what names its question.

    None where no jury answered any.
    """
    of_juries = [(item, verdict) for item, verdict in verdicts if verdict.members]
    if not of_juries:
        return None
    compared = [verdict for _, verdict in of_juries if len(member_letters(verdict)) > 1]
    names = list(dict.fromkeys(m.member for _, verdict in of_juries for m in verdict.members))
    estimates = _estimates(of_juries) if len(compared) >= LEAST_ESTIMATED else {}
    return JuryAgreement(
        compared=len(compared),
        disagreed=sum(map(members_disagree, compared)),
        members=tuple(
            _member_agreement(name, [verdict for _, verdict in of_juries], estimates.get(name))
            for name in names
        ),
    )


def _estimates(verdicts: Sequence[tuple[Hashable, Verdict]]) -> dict[str, float]:
    answers = [
        ItemAnswer(item, member.member, member.answer)
        for item, verdict in verdicts
        for member in verdict.members
        if member.answer is not None
    ]
    return dict(estimate_truth(answers).accuracies)


def _member_agreement(
    name: str, verdicts: Sequence[Verdict], estimated: float | None
) -> MemberAgreement:
    own = [
        (member.answer, verdict.answer)
        for verdict in verdicts
        for member in verdict.members
        if member.member == name
    ]
    given = [(answer, of_jury) for answer, of_jury in own if answer is not None]
    return MemberAgreement(
        member=name,
        asked=len(own),
        answered=len(given),
        with_jury=sum(answer == of_jury for answer, of_jury in given),
        estimated=estimated,
    )
