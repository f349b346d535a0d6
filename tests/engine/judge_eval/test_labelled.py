"""A judge beside people: only what a person could tell is asked, only what the judge answered is
counted, and no score changes by it.
"""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files import label_folder as labels
from hallascope.data.files.label_folder import add_labels
from hallascope.data.records import LETTERS
from hallascope.data.requests import Answer, Failure
from hallascope.engine import ratings
from hallascope.engine.judge_eval.labelled import (
    LabeledAnswer,
    label_figures,
    try_on_labels,
)
from hallascope.engine.judge_eval.people import People
from hallascope.metrics.statistics.intervals import mean_interval
from tests.support import label_folder
from tests.support.label_folder import label
from tests.support.rateable_run import rateable_pictures
from tests.support.scripted_judges import FixedJudge, always_a


def test_the_share_is_of_what_was_labelled_and_answered_over_all_and_by_composition(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(items[0], "AABB?"), label(items[1], "A....", "bo")])
    told: list[tuple[int, int]] = []
    trial = try_on_labels(FixedJudge(always_a), tmp_path, on_progress=lambda *now: told.append(now))
    assert (trial.judge, trial.pictures, trial.overall.right, trial.overall.asked) == (
        "test/fixed",
        2,
        3,
        5,
    )
    assert trial.overall.value == 3 / 5
    assert (trial.cannot_be_told, trial.not_labelled, trial.unanswered) == (1, 9, 0)
    assert trial.labellers == {"ada": 1, "bo": 1}
    cois = [question.coi for question in items[0].questions[:4]] + [items[1].questions[0].coi]
    assert {coi: share.asked for coi, share in trial.by_coi.items()} == {
        coi: cois.count(coi) for coi in cois
    }
    assert sum(share.right for share in trial.by_coi.values()) == 3
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_what_the_judge_does_not_answer_is_left_out_and_counted(tmp_path: Path) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(item, "AAAAA") for item in items])
    first = items[0].sha256
    trial = try_on_labels(
        FixedJudge(
            lambda ask: (
                Failure("timeout", "Too slow.")
                if ask.images[0].sha256 == first
                else Answer("A or B")
            )
        ),
        tmp_path,
    )
    assert (trial.unanswered, trial.overall.asked, trial.overall.value, trial.overall.low) == (
        15,
        0,
        None,
        None,
    )


def test_the_judge_sees_picture_and_question_and_is_not_asked_what_cannot_be_told(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(items[1], "?A?.?")])
    judge = FixedJudge(always_a)
    try_on_labels(judge, tmp_path)
    (asked,) = judge.asked
    assert asked.question == items[1].questions[1].text
    assert asked.choices == items[1].questions[1].choices
    assert asked.images[0].path == labels.picture(tmp_path, "002")
    assert items[1].prompt not in asked.text


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


def test_a_judge_that_always_gives_the_expected_answer_is_the_baseline_and_finds_nothing(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    golds = {question.text: question.gold for item in items for question in item.questions}
    first, second = (item.questions[0].gold for item in items[:2])
    wrong = "A" if first != "A" else "B"
    add_labels(tmp_path, [label(items[0], f"{wrong}...."), label(items[1], f"{second}....")])
    trial = try_on_labels(FixedJudge(lambda ask: Answer(golds[ask.question])), tmp_path)
    assert trial.overall == trial.baseline
    assert (trial.overall.right, trial.overall.asked) == (1, 2)
    assert (trial.sensitivity.right, trial.sensitivity.asked) == (0, 1)
    assert (trial.specificity.right, trial.specificity.asked) == (1, 1)
    assert trial.kappa.value == 0


def test_a_judge_stands_beside_each_of_two_labelers_and_is_asked_once(tmp_path: Path) -> None:
    items = label_folder.write(tmp_path)
    add_labels(
        tmp_path,
        [
            label(items[0], "AAAA?", "ada"),
            label(items[1], "BBBBB", "ada"),
            label(items[0], "AABB?", "bo"),
        ],
    )
    judge = FixedJudge(always_a)
    trial = try_on_labels(judge, tmp_path)
    assert len(judge.asked) == 4 + 5, "what both labeled is asked once"
    assert (trial.overall.right, trial.overall.asked) == (6, 13), "beside each answer of a person"
    by_labeler = {
        name: (own.overall.right, own.overall.asked) for name, own in trial.by_labeler.items()
    }
    assert by_labeler == {"ada": (4, 9), "bo": (2, 4)}
    assert trial.labellers == {"ada": 2, "bo": 1}
    assert (trial.pictures, trial.cannot_be_told, trial.not_labelled) == (2, 2, 5)
    people = trial.labeler_agreement
    assert people
    assert people.labelers == ("ada", "bo")
    assert (people.same, people.n, people.questions, people.told_by_none) == (2, 4, 4, 1)
    alone = try_on_labels(FixedJudge(always_a), tmp_path, "ada")
    assert alone.labeler_agreement is None, "one person agrees with nobody"
    assert alone.overall == trial.by_labeler["ada"].overall


def test_the_figures_beside_labels_are_those_of_the_counts() -> None:
    wrong = [LabeledAnswer("001", "shape", "A", "B", letter) for letter in ("C", "A")]
    right = [LabeledAnswer("002", "shape", "A", "A", letter) for letter in ("A", "A", "A", "B")]
    figures = label_figures([*wrong, *right, *wrong])
    assert (figures.sensitivity.value, figures.specificity.value) == (0.5, 0.75)
    assert figures.balanced_accuracy.value == 0.625
    assert (figures.baseline.right, figures.baseline.asked) == (4, 8)
    assert figures.kappa.value == pytest.approx((5 / 8 - 0.5) / 0.5)


def test_a_judge_is_set_beside_the_people_who_answered_the_same_questions(
    rated_services: Any, rated_run: str
) -> None:
    one, other = rateable_pictures(rated_services)
    ratings.keep_answers(rated_services, one, ["D", "D", "D", "A", "?"], "ann")
    ratings.keep_answers(rated_services, other, ["D", None, None, None, None], "bo")
    beside = People(rated_services).judges()["primer/judge"]
    assert (beside.overall.right, beside.overall.asked) == (4, 5)
    assert beside.kappa.n == 5
    assert beside.sensitivity.asked + beside.specificity.asked == beside.baseline.asked == 5
    assert beside.baseline.right == beside.specificity.asked, (
        "where a person sees the expected answer"
    )
    assert beside.overall.low is not None


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


def test_the_interval_is_by_picture() -> None:
    told = [LabeledAnswer(str(n // 5), "color", "A", "A", "A" if n % 7 else "B") for n in range(50)]
    found = label_figures(told).overall
    rights = [
        sum(one.letter == "A" for one in told[start : start + 5]) for start in range(0, 50, 5)
    ]
    assert (found.low, found.high, found.interval_method) == mean_interval(rights, [5] * 10)
    assert found.low is not None
    assert found.value is not None
    assert found.low < found.value
