"""Judges are set beside people on the same pictures, and no score changes by it."""

from typing import Any

from hallascope.data.records import LETTERS
from hallascope.engine import ratings
from hallascope.engine.judge_eval.people import People
from tests.support.rateable_run import rateable_pictures


def test_a_judge_is_set_beside_the_people_who_answered_the_same_questions(
    rated_services: Any, rated_run: str
) -> None:
    one, other = rateable_pictures(rated_services)
    ratings.keep_answers(rated_services, one, ["D", "D", "D", "A", "?"], "ann")
    ratings.keep_answers(rated_services, other, ["D", None, None, None, None], "bo")
    beside = People(rated_services).judges()["primer/judge"]
    assert (beside.same.same, beside.same.n) == (4, 5)
    assert beside.kappa.n == 5
    figures = beside.figures
    assert figures.sensitivity.n + figures.specificity.n == figures.baseline.n == 5
    assert figures.baseline.same == figures.specificity.n, "where a person sees the expected answer"
    assert beside.same.low is not None


def test_a_persons_score_of_a_picture_is_the_share_answered_as_a_factual_picture_leads_to(
    rated_services: Any, rated_run: str
) -> None:
    one = rateable_pictures(rated_services)[0]
    right = [question.gold for question in one.questions]
    wrong = next(letter for letter in LETTERS if letter != right[4])
    ratings.keep_answers(rated_services, one, [*right[:3], "?", wrong], "ann")
    (ann,), judged = People(rated_services).scores()
    assert (ann.by, ann.value, ann.model) == ("ann", 3 / 4, one.model)
    assert {score.by for score in judged} == {"primer/judge"}
    assert People(rated_services).ratings("ihalla") == {one.picture.sha256: [3 / 4]}


def test_grades_and_metrics_are_numbers_by_picture(rated_services: Any, rated_run: str) -> None:
    one, other = rateable_pictures(rated_services)
    ratings.keep_grade(rated_services, one, ["7"], "ann")
    ratings.keep_grade(rated_services, one, ["5"], "bo")
    ratings.keep_grade(rated_services, other, ["?"], "bo")
    beside = People(rated_services)
    assert beside.ratings("grade") == {one.picture.sha256: [7.0, 5.0]}
    assert set(beside.metrics()) == {"ihalla, judged by primer/judge"}
    assert set(beside.metrics()["ihalla, judged by primer/judge"]) == {
        one.picture.sha256,
        other.picture.sha256,
    }


def test_what_people_say_changes_no_score_and_checks_of_a_judge_are_counted_apart(
    rated_services: Any, rated_run: str
) -> None:
    before = rated_services.view(rated_run).evaluations
    one = rateable_pictures(rated_services)[0]
    assert ratings.judge_answers(rated_services, [one]) == {one.id: ["D"] * 5}
    ratings.keep_answers(rated_services, one, ["D", "A", "B", None, "?"], "ann", checking=True)
    beside = People(rated_services)
    assert rated_services.view(rated_run).evaluations == before
    assert [(c.rater, c.questions, c.checked, c.overridden) for c in beside.counts()] == [
        ("ann", 0, 4, 3)
    ]
    assert beside.judges() == {}, "who saw the judge's answer is no independent witness of it"
