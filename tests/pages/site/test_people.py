"""What people said of a picture is counted, and nobody is named."""

from hallascope.engine.export.records import SharedRating
from hallascope.engine.ratings import CHECK, GRADE
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION
from hallascope.pages.site import people
from tests.support.run_events import QUESTION as ASKED


def rating(rater: str, metric: str, value: str, finding: str = "") -> SharedRating:
    return SharedRating(
        image="ab" * 32,
        metric=metric,
        prompt="a molecule",
        finding=finding,
        rater=rater,
        value=value,
        created=0.0,
    )


ANSWER = f"{QUESTION}{ASKED.text}"


def test_answers_are_counted_the_most_frequent_first_without_names() -> None:
    html = people.section(
        [
            rating("ann", IHALLA, "Two", ANSWER),
            rating("bo", IHALLA, "Four", ANSWER),
            rating("cy", IHALLA, "Four", ANSWER),
        ],
        (ASKED,),
    )
    assert "3 people." in html
    assert "<td>Four</td><td>Four (2), Two (1)</td>" in html, "gold, then what people say"
    assert not any(name in html for name in ("ann", ">bo<", ">cy<"))


def test_checked_answers_stand_apart_from_those_given_blind() -> None:
    html = people.section(
        [rating("ann", IHALLA, "Two", ANSWER), rating("ann", CHECK, "Four", ANSWER)], (ASKED,)
    )
    assert "1 person." in html
    assert html.count("<table") == 2
    assert html.index("Two (1)") < html.index("in sight</caption>", html.index("Two (1)"))


def test_grades_have_a_mean_and_those_who_could_not_tell_are_counted() -> None:
    html = people.section([rating("ann", GRADE, "7"), rating("bo", GRADE, "4")], ())
    assert "Grade, 1 to 7: 4, 7, mean 5.5" in html
    html = people.section([rating("ann", GRADE, "7"), rating("bo", GRADE, "?")], ())
    assert "Grade, 1 to 7: 7, and 1 could not tell" in html


def test_a_question_that_is_no_longer_there_keeps_its_answers_and_stays_text() -> None:
    html = people.section([rating("ann", IHALLA, "<b>", f"{QUESTION}<i>gone")], ())
    assert "&lt;i&gt;gone" in html
    assert "&lt;b&gt; (1)" in html


def test_where_nobody_said_anything_there_is_nothing() -> None:
    assert people.section([], (ASKED,)) == ""
    assert people.section([rating("ann", "fig", "fine", "a finding")], (ASKED,)) == ""
