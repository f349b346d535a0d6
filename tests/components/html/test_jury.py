"""The line of a jury: what each member answered, in words, and what the jury did."""

from hallascope.components.html.jury import DIFFER, SPLIT, member_line, member_name, split_class
from hallascope.data.records import MemberAnswer
from tests.support.tiles import EVIL, no_markup_of, verdict

MEMBERS = (
    MemberAnswer(member="primer/judge", answer="C", raw="C) Four"),
    MemberAnswer(member="primer/counter", answer="B", raw="B) Three"),
    MemberAnswer(member="primer/caption-judge", failure="It is not said."),
)


def test_every_member_is_named_with_its_answer_and_then_the_jury() -> None:
    html = member_line(verdict("correct", members=MEMBERS))
    text = html.striptags()
    assert text.startswith(DIFFER)
    for words in ("judge: Four", "counter: Three", "caption-judge: abstains", "jury: Four"):
        assert words in text
    assert 'title="It is not said."' in html


def test_members_of_one_mind_are_not_marked() -> None:
    agreed = verdict("correct", members=(MEMBERS[0], MEMBERS[2]))
    assert DIFFER not in member_line(agreed)
    assert split_class(agreed) == ""
    assert split_class(verdict("correct", members=MEMBERS)) == SPLIT


def test_a_tie_and_a_reply_that_cannot_be_read_say_so() -> None:
    unread = MemberAnswer(member="m/x", raw="who knows")
    text = member_line(verdict("unreadable", None, members=(*MEMBERS, unread))).striptags()
    assert "jury: no majority" in text
    assert "x: left out" in text


def test_a_single_judge_has_no_such_line() -> None:
    assert member_line(verdict("correct")) == ""
    assert member_line(None) == ""
    assert split_class(None) == ""


def test_names_and_reasons_from_elsewhere_are_text() -> None:
    evil = (MemberAnswer(member=EVIL, failure=EVIL), *MEMBERS)
    assert no_markup_of(EVIL, member_line(verdict("correct", members=evil)))


def test_a_name_is_short() -> None:
    assert member_name("primer/caption-judge") == "caption-judge"
    assert member_name("plain") == "plain"
