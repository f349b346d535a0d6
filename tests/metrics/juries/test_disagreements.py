"""Disagreements are counted over the questions that two members answered."""

from hallascope.data.records import Letter, MemberAnswer, Question, Verdict
from hallascope.metrics.juries.votes import (
    LEAST_ESTIMATED,
    jury_agreement,
    members_disagree,
)

QUESTION = Question(text="?", choices=("a", "b", "c", "d", "e"), gold="A", coi="others")


def _verdict(answer: Letter | None, **members: Letter | None) -> Verdict:
    return Verdict(
        question=QUESTION,
        answer=answer,
        state="correct" if answer == "A" else "incorrect",
        raw="",
        members=tuple(MemberAnswer(member=name, answer=own) for name, own in members.items()),
    )


def test_an_abstention_is_no_disagreement() -> None:
    assert members_disagree(_verdict("A", judge="A", counter="B"))
    assert not members_disagree(_verdict("A", judge="A", counter=None))
    assert not members_disagree(_verdict("A"))


def test_the_share_is_of_what_two_members_answered() -> None:
    verdicts = [
        _verdict("A", judge="A", counter="A"),
        _verdict("A", judge="A", counter="B"),
        _verdict("A", judge="A", counter=None),
        _verdict("B"),  # of a single judge
    ]
    found = jury_agreement(enumerate(verdicts))
    assert found is not None
    assert (found.disagreed, found.compared, found.share) == (1, 2, 0.5)
    counter = next(member for member in found.members if member.member == "counter")
    assert (counter.asked, counter.answered, counter.with_jury) == (3, 2, 1)
    assert counter.estimated is None


def test_from_many_answers_accuracies_are_estimated() -> None:
    verdicts = [
        _verdict("A", one="A", two="A", three="B" if n % 2 else "A") for n in range(LEAST_ESTIMATED)
    ]
    found = jury_agreement(enumerate(verdicts))
    assert found is not None
    one, two, three = (member.estimated or 0.0 for member in found.members)
    assert one == two > 0.9 > 0.6 > three
