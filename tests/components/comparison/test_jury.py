"""The list of disagreements: a share, the members, and every question with its answers."""

from hallascope.components.comparison.jury import TITLE, jury_panel, share_sentence
from hallascope.data.records import MemberAnswer
from hallascope.metrics.juries.disagreements import JuryAgreement
from tests.support.tiles import EVIL, no_markup_of, report, tile, verdict

ONE = MemberAnswer(member="m/one", answer="C")
TWO = MemberAnswer(member="m/two", answer="B")
SAME = MemberAnswer(member="m/two", answer="C")


def test_only_the_questions_on_which_members_differ_are_listed_with_their_share() -> None:
    verdicts = (
        verdict("correct", members=(ONE, SAME)),
        verdict("correct", members=(ONE, TWO)),
    )
    html = jury_panel([tile(reports=(report(*verdicts),))])
    assert TITLE in html
    assert "differ on 1 of 2 questions" in html
    assert "(50%)" in html
    assert html.count("jury-link") == 1
    assert 'data-chosen="question=2"' in html
    assert 'data-key="key1"' in html
    assert "<td>Three</td><td><b>Four</b></td><td>Four</td>" in html
    assert "1 of 2" in html


def test_a_run_of_a_single_judge_has_no_such_list() -> None:
    assert jury_panel([tile(reports=(report(verdict("correct")),)), tile()]) == ""


def test_where_nothing_can_be_compared_it_says_so() -> None:
    assert "nothing can be compared" in share_sentence(
        JuryAgreement(compared=0, disagreed=0, members=())
    )
    assert "1 of 1 question that" in share_sentence(
        JuryAgreement(compared=1, disagreed=1, members=())
    )


def test_a_jury_of_one_mind_shows_its_members_without_a_list() -> None:
    html = jury_panel([tile(reports=(report(verdict("correct", members=(ONE, SAME))),))])
    assert "jury-split" not in html
    assert "m/two" in html


def test_texts_from_elsewhere_are_text() -> None:
    evil = MemberAnswer(member=EVIL, answer="B", failure=EVIL)
    shown = tile(name=EVIL, key=EVIL, reports=(report(verdict("correct", members=(ONE, evil))),))
    assert no_markup_of(EVIL, jury_panel([shown]))
