"""A jury's reply: those that answered decide, outages abstain, and every member is named."""

from pathlib import Path

from hallascope.data.records import Picture, Question
from hallascope.data.requests import Answer, Ask, Failure, Reply
from hallascope.metrics.ihalla.plan import question_verdict
from hallascope.metrics.juries.replies import TIED, jury_reply, voted_choice

CHOICES = ("Two", "Three", "Four", "Five", "None of the above")
ASK = Ask(images=(Picture("ab" * 32, Path("x")),), text="?", question="How many?", choices=CHOICES)
QUESTION = Question(text="How many?", choices=CHOICES, gold="C", coi="counting")
NAMES = ("judge", "counter", "captioner")
OUTAGE = Failure("timeout", "It did not answer: ask again.")


ABSTAINS = Failure("refused", "It counts alone.")


def _reply(*replies: Reply, **options: object) -> Answer | Failure:
    return jury_reply(ASK, NAMES[: len(replies)], replies, **options)  # type: ignore[arg-type]


def test_a_member_that_fails_or_cannot_be_read_abstains() -> None:
    found = _reply(Answer("C"), OUTAGE, Answer("who knows"))
    assert isinstance(found, Answer)
    assert found.text == "C) Four"
    verdict = question_verdict(QUESTION, found)
    assert verdict.state == "correct"
    assert [member.answer for member in verdict.members] == ["C", None, None]
    assert [member.failure for member in verdict.members] == [None, OUTAGE.message, None]


def test_an_outage_of_all_members_is_no_verdict() -> None:
    found = _reply(OUTAGE, ABSTAINS)
    assert isinstance(found, Failure)
    assert found.kind == "timeout"
    assert "judge: It did not answer" in found.message
    assert question_verdict(QUESTION, found).state == "failed"


def test_a_member_that_is_still_to_be_asked_leaves_the_question_open() -> None:
    for kind in ("stopped", "over_budget"):
        still_open = Failure(kind, "Run it again.")
        assert _reply(Answer("C"), still_open) == still_open


def test_a_tie_counts_neither_as_right_nor_as_wrong() -> None:
    found = _reply(Answer("C"), Answer("B"))
    assert isinstance(found, Answer)
    assert found.text == TIED
    verdict = question_verdict(QUESTION, found)
    assert (verdict.state, verdict.answer) == ("unreadable", None)
    assert [member.answer for member in verdict.members] == ["C", "B"]
    known = {"judge": 0.9, "counter": 0.6}
    decided = _reply(Answer("C"), Answer("B"), accuracies=known)
    assert isinstance(decided, Answer)
    assert decided.text == "C) Four"


def test_a_question_without_choices_is_not_voted_on() -> None:
    ask = Ask(images=ASK.images, text="?", question="What is it?")
    found = jury_reply(ask, NAMES, [Answer("a"), Answer("b"), Answer("b")])
    assert isinstance(found, Failure)
    assert "single judge" in found.message


def test_choices_without_letters_are_read_too() -> None:
    assert voted_choice("No", ("Yes", "No")) == 1
    assert voted_choice("", ("Yes", "No")) is None
    colors = ("red", "blue", "green", "white", "black", "gray", "pink")
    assert voted_choice("Pink.", colors) == 6
    assert voted_choice('{"answer": "gray"}', colors) == 5
    assert voted_choice("B", colors) is None
