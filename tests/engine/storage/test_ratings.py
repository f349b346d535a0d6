"""People's verdicts: kept with who and when, resumed, blind to what the judge said, and set beside
it without changing a score.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer
from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.judge_eval.people import People
from hallascope.engine.ratings import Rateable
from hallascope.engine.storage.ratings import RatingSubject
from tests.conftest import build

PROMPT = "a molecule of methane"


def gold(ask: Any) -> Any:
    """Says D to everything that has such a choice."""
    return Answer("D" if len(ask.choices) > 3 else NONE_OF_THE_ABOVE)


@pytest.fixture
def services(tmp_path: Path) -> Any:
    opened = build(tmp_path / "home", gold)
    yield opened
    opened.store.close()


@pytest.fixture
def run(services: Any) -> str:
    asked = EvaluateRequest(prompt=PROMPT, models=("primer/exact", "primer/careless"))
    said = [event for event in services.evaluate(asked) if isinstance(event, Evaluated)]
    return said[0].run


def found(services: Any, who: str = "ann", run: str | None = None) -> list[Rateable]:
    return ratings.rateable(services, run, who)


def test_each_picture_stands_once_in_an_order_of_the_raters_own_and_stays_where_it_is(
    services: Any, run: str
) -> None:
    list(services.evaluate(EvaluateRequest(prompt=PROMPT, models=("primer/exact",))))
    ann = found(services)
    assert {one.model for one in ann} == {"primer/exact", "primer/careless"}
    assert [one.id for one in ann] == [one.id for one in found(services)]
    orders = {tuple(one.picture.sha256 for one in found(services, who)) for who in "abcdefghij"}
    assert len(orders) == 2
    assert all(ratings.named_by(services, one.id) == one for one in ann)


def test_a_picture_keeps_its_questions_where_a_newer_run_asked_none(
    services: Any, run: str
) -> None:
    later = [
        event.run
        for event in services.evaluate(
            EvaluateRequest(prompt=PROMPT, models=("primer/exact",), metrics=("factualbench",))
        )
        if event
    ]
    assert not services.store.run(later[0]).questions
    assert {len(one.questions) for one in found(services)} == {5}


def test_what_is_answered_is_there_when_one_comes_back_and_only_for_oneself(
    services: Any, run: str
) -> None:
    first, second = found(services)
    ratings.answer(services, first, ["A", "?", None, None, "E"], "ann")
    ratings.answer(services, first, ["B", "?", None, None, "E"], "ann")
    assert ratings.answers(services, [first, second], "ann") == [
        ["B", "?", None, None, "E"],
        [None] * 5,
    ]
    assert ratings.answers(services, [first], "bo") == [[None] * 5]
    assert ratings.answers(services, [first], "ann", checking=True) == [[None] * 5]


def test_an_answer_stays_what_it_is_where_the_choices_stand_in_another_order(
    services: Any, run: str
) -> None:
    first = found(services)[0]
    ratings.answer(services, first, ["A", None, None, None, None], "ann")
    question = first.questions[0]
    words = question.choices[0]
    assert ratings.mark(question, words) == "A"
    assert ratings.mark(replace(question, choices=tuple(reversed(question.choices))), words) == "E"
    assert ratings.mark(question, "a choice that is gone") is None


@pytest.mark.parametrize(
    "marks",
    [[], ["A"] * 4, ["A"] * 6, ["A", "B", "C", "D", "F"], ["A", "B", "C", "D", 5], "ABCDE?"],
)
def test_what_is_no_answer_is_refused(services: Any, run: str, marks: Any) -> None:
    with pytest.raises(BadRequest, match="no answers"):
        ratings.answer(services, found(services)[0], marks, "ann")
    assert services.store.ratings.all() == []


@pytest.mark.parametrize("marks", [[], ["0"], ["8"], ["7", "7"], [7], [None]])
def test_what_is_no_grade_is_refused(services: Any, run: str, marks: Any) -> None:
    with pytest.raises(BadRequest, match="no grade"):
        ratings.grade(services, found(services)[0], marks, "ann")


def test_nobody_named_is_refused_and_a_name_is_kept_on_one_line() -> None:
    with pytest.raises(BadRequest, match="type your name"):
        ratings.rater_named("  ")
    assert ratings.rater_named(" Ann \n Lee ") == "Ann Lee"


def test_two_raters_at_once_lose_nothing(services: Any, run: str) -> None:
    items = found(services)

    def rate(who: str, letter: str) -> None:
        for item in items:
            for n in range(1, 6):
                ratings.answer(services, item, [letter] * n + [None] * (5 - n), who)

    threads = [
        threading.Thread(target=rate, args=(f"rater {letter}", letter)) for letter in LETTERS
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for letter in LETTERS:
        assert ratings.answers(services, items, f"rater {letter}") == [[letter] * 5] * 2


# --- beside the judge
# --------------------------------------------------------------------------------------------------


def test_a_judge_is_set_beside_the_people_who_answered_the_same_questions(
    services: Any, run: str
) -> None:
    one, other = found(services)
    ratings.answer(services, one, ["D", "D", "D", "A", "?"], "ann")
    ratings.answer(services, other, ["D", None, None, None, None], "bo")
    beside = People(services).judges()["primer/judge"]
    assert (beside.same.same, beside.same.n) == (4, 5)
    assert beside.kappa.n == 5
    assert beside.same.low is not None


def test_a_persons_score_of_a_picture_is_the_share_answered_as_a_factual_picture_leads_to(
    services: Any, run: str
) -> None:
    one = found(services)[0]
    right = [question.gold for question in one.questions]
    wrong = next(letter for letter in LETTERS if letter != right[4])
    ratings.answer(services, one, [*right[:3], "?", wrong], "ann")
    (ann,), judged = People(services).scores()
    assert (ann.by, ann.value, ann.model) == ("ann", 3 / 4, one.model)
    assert {score.by for score in judged} == {"primer/judge"}
    assert People(services).ratings("ihalla") == {one.picture.sha256: [3 / 4]}


def test_grades_and_metrics_are_numbers_by_picture(services: Any, run: str) -> None:
    one, other = found(services)
    ratings.grade(services, one, ["7"], "ann")
    ratings.grade(services, one, ["5"], "bo")
    ratings.grade(services, other, ["?"], "bo")
    beside = People(services)
    assert beside.ratings("grade") == {one.picture.sha256: [7.0, 5.0]}
    assert set(beside.metrics()) == {"ihalla, judged by primer/judge"}
    assert set(beside.metrics()["ihalla, judged by primer/judge"]) == {
        one.picture.sha256,
        other.picture.sha256,
    }


def test_what_people_say_changes_no_score_and_checks_of_a_judge_are_counted_apart(
    services: Any, run: str
) -> None:
    before = services.view(run).evaluations
    one = found(services)[0]
    assert ratings.judge_answers(services, [one]) == {one.id: ["D"] * 5}
    ratings.answer(services, one, ["D", "A", "B", None, "?"], "ann", checking=True)
    beside = People(services)
    assert services.view(run).evaluations == before
    assert [(c.rater, c.questions, c.checked, c.overridden) for c in beside.counts()] == [
        ("ann", 0, 4, 3)
    ]
    assert beside.judges() == {}, "who saw the judge's answer is no independent witness of it"


# --- out and in
# --------------------------------------------------------------------------------------------------


def test_a_table_of_all_comes_back_as_it_was(services: Any, run: str, tmp_path: Path) -> None:
    one, other = found(services)
    ratings.answer(services, one, ["A", "?", None, None, "E"], "=SUM(A1)")
    ratings.answer(services, other, ["A", "B", "C", "D", "E"], "ann", checking=True)
    ratings.grade(services, other, ["4"], "メアリ")
    services.store.ratings.keep(
        RatingSubject(one.picture.sha256, "fig", PROMPT, "extraneous:  -> star"), "fine"
    )
    before = services.store.ratings.all()
    path = tmp_path / "people.csv"
    path.write_text(ratings.export(services), encoding="utf-8")
    assert "\n=SUM" not in path.read_text("utf-8")
    for rating in before:
        services.store.ratings.remove(rating.about)
    assert ratings.take_in(services, path) == (len(before), [])
    assert services.store.ratings.all() == before


def test_a_table_of_before_takes_the_place_of_nothing_newer(
    services: Any, run: str, tmp_path: Path
) -> None:
    one = found(services)[0]
    ratings.grade(services, one, ["4"], "ann")
    path = tmp_path / "people.csv"
    path.write_text(ratings.export(services), encoding="utf-8")
    ratings.grade(services, one, ["6"], "ann")
    assert ratings.take_in(services, path) == (0, [])
    assert ratings.grades(services, [one], "ann") == [["6"]]


def test_rows_that_cannot_be_used_are_named_and_left_out(services: Any, tmp_path: Path) -> None:
    sha, when = "ab" * 32, "2026-01-31T12:00:00+00:00"
    rows = (
        f"{sha},p,grade,,ann,7,{when}",
        f"{sha},p,grade,,ann,9,{when}",
        f"nothing,p,grade,,ann,7,{when}",
        f"{sha},p,praise,,ann,7,{when}",
        f"{sha},p,question,,ann,Four,{when}",
        f"{sha},p,question,How many?,,Four,{when}",
        f"{sha},p,question,How many?,ann,Four,yesterday",
    )
    path = tmp_path / "people.csv"
    path.write_text("item,prompt,kind,about,rater,value,when\n" + "\n".join(rows), encoding="utf-8")
    number, complaints = ratings.take_in(services, path)
    assert number == 1
    assert [complaint.row for complaint in complaints] == [3, 4, 5, 6, 7, 8]
    said = [str(complaint) for complaint in complaints]
    for one, words in zip(
        said,
        ("'9'", "'nothing'", "'praise'", "the about is empty", "the rater is empty", "'yesterday'"),
        strict=True,
    ):
        assert words in one


def test_a_table_that_is_none_is_a_sentence(services: Any, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match=r"cannot be opened .*\.$"):
        ratings.take_in(services, tmp_path / "nowhere.csv")


def test_a_store_without_pictures_has_nothing_to_rate(make_services: Callable[..., Any]) -> None:
    assert ratings.rateable(make_services(), None, "ann") == []
    assert People(make_services()).counts() == []
