"""A judge beside people: only what a person could tell is asked, only what the judge answered is
counted, and no score changes by it.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files import label_folder as labels
from hallascope.data.files.label_folder import LabelMark, add_labels
from hallascope.data.records import LETTERS, Letter, Picture, Question
from hallascope.data.requests import Answer, Failure
from hallascope.engine import ratings
from hallascope.engine.judge_eval.answers import TrialAnswer, TrialQuestion, label_figures
from hallascope.engine.judge_eval.labeled import try_on_labels
from hallascope.engine.judge_eval.people import People
from tests.support import label_folder
from tests.support.label_folder import label
from tests.support.rateable_run import rateable_pictures
from tests.support.scripted_judges import FixedJudge, always_a


def test_a_picture_that_is_not_the_one_that_was_labelled_is_left_out_and_named(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(item, "AAAAA") for item in items])
    labels.picture(tmp_path, "001").write_bytes(labels.picture(tmp_path, "002").read_bytes())
    labels.picture(tmp_path, "003").unlink()
    trial = try_on_labels(FixedJudge(always_a), tmp_path)
    assert trial.pictures == 1
    assert [str(one) for one in trial.complaints] == [
        "pictures/001.webp: was changed; its labels are left out",
        "pictures/003.webp: is not there; its labels are left out",
    ]


def test_a_judge_stands_beside_each_labeler_and_is_asked_once_what_people_could_tell(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(
        tmp_path,
        [
            label(items[0], "AAAA?", "ada"),
            label(items[1], "BBBB.", "ada"),
            label(items[0], "AABB?", "bo"),
        ],
    )
    told: list[tuple[int, int]] = []
    judge = FixedJudge(always_a)
    trial = try_on_labels(judge, tmp_path, on_progress=lambda *now: told.append(now))
    assert told == [(0, 2), (1, 2), (2, 2)]
    first, second = items[0].questions[:4], items[1].questions[:4]
    assert [(ask.question, ask.choices) for ask in judge.asked] == [
        (question.text, question.choices) for question in (*first, *second)
    ]
    assert judge.asked[4].images[0].path == labels.picture(tmp_path, "002")
    assert items[1].prompt not in judge.asked[4].text
    assert (trial.overall.right, trial.overall.asked) == (6, 12), "beside each answer of a person"
    by_labeler = {
        name: (own.overall.right, own.overall.asked) for name, own in trial.by_labeler.items()
    }
    assert by_labeler == {"ada": (4, 8), "bo": (2, 4)}
    cois = [question.coi for question in (*first, *first, *second)]
    assert {coi: share.asked for coi, share in trial.by_coi.items()} == {
        coi: cois.count(coi) for coi in cois
    }
    assert trial.labellers == {"ada": 2, "bo": 1}
    assert (trial.pictures, trial.cannot_be_told, trial.not_labelled) == (2, 2, 6)
    people = trial.labeler_agreement
    assert people
    assert people.labelers == ("ada", "bo")
    assert (people.same, people.n, people.questions, people.told_by_none) == (2, 4, 4, 1)
    said: list[Answer | Failure] = [Failure("timeout", "Too slow."), *[Answer("A or B")] * 7]
    replies = iter(said)
    alone = try_on_labels(FixedJudge(lambda ask: next(replies)), tmp_path, "ada")
    assert alone.labeler_agreement is None, "one person agrees with nobody"
    assert (alone.unanswered, alone.overall.asked, alone.overall.value) == (8, 0, None)


def answer(image: str, mark: LabelMark, letter: Letter) -> TrialAnswer:
    """An answer to a question whose expected answer is A, beside the mark of a person."""
    question = Question(text="What?", choices=("a", "b", "c"), gold="A", coi="shape")
    return TrialAnswer(TrialQuestion(Picture(image, Path()), question, mark), letter)


def test_the_figures_beside_labels_are_those_of_the_counts() -> None:
    wrong = [answer("001", "B", "C"), answer("001", "B", "A")]
    right = [*[answer("002", "A", "A")] * 3, answer("002", "A", "B")]
    figures = label_figures([*wrong, *right, *wrong])
    assert (figures.sensitivity.value, figures.specificity.value) == (0.5, 0.75)
    assert figures.balanced_accuracy.value == 0.625
    assert (figures.baseline.right, figures.baseline.asked) == (4, 8)
    assert figures.kappa.value == pytest.approx((5 / 8 - 0.5) / 0.5)


def test_a_judge_is_set_beside_the_people_who_answered_the_same_questions(
    rated_services: Any, rated_run: str
) -> None:
    one, other = rateable_pictures(rated_services)
    ratings.keep_marks(rated_services, one, ["D", "D", "D", "A", "?"], "ann")
    ratings.keep_marks(rated_services, other, ["D", None, None, None, None], "bo")
    people = People(rated_services)
    beside = people.judges()["primer/judge"]
    assert (beside.overall.right, beside.overall.asked) == (4, 5)
    assert beside.kappa.n == 5
    assert beside.sensitivity.asked + beside.specificity.asked == beside.baseline.asked == 5
    assert beside.overall.low is not None
    right = [question.gold for question in one.questions[:3]]
    wrong = next(letter for letter in LETTERS if letter != one.questions[4].gold)
    ratings.keep_marks(rated_services, one, [*right, "?", wrong], "ann")
    people_scores, judged = People(rated_services).scores()
    ann = next(score for score in people_scores if score.by == "ann")
    assert (ann.value, ann.model) == (3 / 4, one.model)
    assert {score.by for score in judged} == {"primer/judge"}
    assert People(rated_services).ratings("ihalla")[one.picture.sha256] == [3 / 4]


def test_the_newest_answers_of_a_judge_stand_beside_people(
    rated_services: Any, rated_run: str
) -> None:
    one = rateable_pictures(rated_services)[0]
    ratings.keep_marks(rated_services, one, [each.gold for each in one.questions], "ann")
    view = rated_services.view(rated_run)
    said = next(each for each in view.evaluations if each.image == one.picture.sha256)
    verdicts = said.report.verdicts
    right = tuple(replace(v, answer=v.question.gold, state="correct") for v in verdicts)
    failed = tuple(replace(v, answer=None, state="failed") for v in verdicts)
    for run, answers in (("again", right), ("down", failed)):
        rated_services.store.start_run(run, view.request, [])
        report = replace(said.report, verdicts=answers)
        rated_services.store.keep_evaluation(run, replace(said, report=report), "")
    share = People(rated_services).judges()["primer/judge"].overall
    assert (share.right, share.asked) == (5, 5)


def test_what_people_say_changes_no_score_and_checks_of_a_judge_are_counted_apart(
    rated_services: Any, rated_run: str
) -> None:
    before = rated_services.view(rated_run).evaluations
    one = rateable_pictures(rated_services)[0]
    assert ratings.judge_answers(rated_services, [one]) == {one.id: ["D"] * 5}
    ratings.keep_marks(rated_services, one, ["D", "A", "B", None, "?"], "ann", ratings.CHECKS)
    beside = People(rated_services)
    assert rated_services.view(rated_run).evaluations == before
    assert [(c.rater, c.questions, c.checked, c.overridden) for c in beside.counts()] == [
        ("ann", 0, 4, 3)
    ]
    assert beside.judges() == {}, "who saw the judge's answer is no independent witness of it"
