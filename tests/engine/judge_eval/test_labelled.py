"""A judge against labels by hand: only what a person could tell is asked, only what the judge
answered is counted.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.files import label_folder as labels
from hallascope.data.files.label_folder import NotALabelFolder, add_labels
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.judge_eval.labelled import (
    LabeledAnswer,
    _labeled_trial,
    _LabeledItems,
    label_figures,
    try_on_labels,
)
from tests.support import label_folder
from tests.support.label_folder import label


class Fixed:
    """A judge whose every reply comes from a function of the request."""

    limits = CallLimits()
    revision = "test"

    def __init__(self, reply: Callable[[Ask], Answer | Failure]) -> None:
        self.spec = ModelSpec(id="test/fixed", title="test", roles=("judge",), backend="scripted")
        self.asked: list[Ask] = []
        self.reply = reply

    def ask(self, requests: Sequence[Ask], on_step: object = None) -> list[Answer | Failure]:
        self.asked += requests
        return [self.reply(request) for request in requests]


def always(letter: str) -> Fixed:
    return Fixed(lambda request: Answer(letter))


def test_the_share_is_of_what_was_labelled_and_answered_over_all_and_by_composition(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(items[0], "AABB?"), label(items[1], "A....", "bo")])
    told: list[tuple[int, int]] = []
    trial = try_on_labels(always("A"), tmp_path, on_progress=lambda *now: told.append(now))
    assert (trial.judge, trial.pictures, trial.overall.same, trial.overall.n) == (
        "test/fixed",
        2,
        3,
        5,
    )
    assert trial.overall.value == 3 / 5
    assert (trial.cannot_be_told, trial.not_labelled, trial.unanswered) == (1, 9, 0)
    assert trial.labellers == {"ada": 1, "bo": 1}
    cois = [question.coi for question in items[0].questions[:4]] + [items[1].questions[0].coi]
    assert {coi: share.n for coi, share in trial.by_coi.items()} == {
        coi: cois.count(coi) for coi in cois
    }
    assert sum(share.same for share in trial.by_coi.values()) == 3
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_what_the_judge_does_not_answer_is_left_out_and_counted(tmp_path: Path) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(item, "AAAAA") for item in items])
    first = items[0].sha256
    trial = try_on_labels(
        Fixed(
            lambda ask: (
                Failure("timeout", "Too slow.")
                if ask.images[0].sha256 == first
                else Answer("A or B")
            )
        ),
        tmp_path,
    )
    assert (trial.unanswered, trial.overall.n, trial.overall.value, trial.overall.low) == (
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
    judge = always("A")
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
    trial = try_on_labels(always("A"), tmp_path)
    assert trial.pictures == 1
    assert [str(one) for one in trial.complaints] == [
        "pictures/001.webp: was changed; its labels are left out",
        "pictures/003.webp: is not there; its labels are left out",
    ]


def test_labels_of_one_person_can_be_asked_for_and_none_is_one_sentence(tmp_path: Path) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(items[0], "AAAAA", "ada"), label(items[0], "BBBBB", "bo")])
    assert try_on_labels(always("A"), tmp_path, "ada").overall.value == 1.0
    assert try_on_labels(always("A"), tmp_path, "bo").overall.value == 0.0
    with pytest.raises(NotALabelFolder, match="holds no labels by 'cy'"):
        try_on_labels(always("A"), tmp_path, "cy")


def test_a_judge_that_always_gives_the_expected_answer_is_the_baseline_and_finds_nothing(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    golds = {question.text: question.gold for item in items for question in item.questions}
    first, second = (item.questions[0].gold for item in items[:2])
    wrong = "A" if first != "A" else "B"
    add_labels(tmp_path, [label(items[0], f"{wrong}...."), label(items[1], f"{second}....")])
    trial = try_on_labels(Fixed(lambda ask: Answer(golds[ask.question])), tmp_path)
    assert trial.overall == trial.baseline
    assert (trial.overall.same, trial.overall.n) == (1, 2)
    assert (trial.sensitivity.same, trial.sensitivity.n) == (0, 1)
    assert (trial.specificity.same, trial.specificity.n) == (1, 1)
    assert trial.kappa.value == 0


def test_sensitivity_and_specificity_are_counted_by_composition_of_interest() -> None:
    answers = [
        LabeledAnswer("001", "shape", gold="A", mark="B", letter="C"),  # both see another than gold
        LabeledAnswer("001", "shape", gold="A", mark="B", letter="A"),
        LabeledAnswer("001", "shape", gold="A", mark="A", letter="A"),
        LabeledAnswer("002", "color", gold="A", mark="A", letter="B"),
        LabeledAnswer("002", "color", gold="A", mark="A", letter="A"),
        LabeledAnswer("002", "color", gold="A", mark="B", letter=None),
    ]
    trial = _labeled_trial("test/fixed", Path("labels"), _LabeledItems([], {}, 0, ()), answers)
    flagged = {coi: (own.same, own.n) for coi, own in trial.sensitivity_by_coi.items()}
    accepted = {coi: (own.same, own.n) for coi, own in trial.specificity_by_coi.items()}
    assert flagged == {"shape": (1, 2), "color": (0, 0)}
    assert accepted == {"shape": (1, 1), "color": (1, 2)}
    assert (trial.sensitivity.same, trial.sensitivity.n) == (1, 2)
    assert (trial.specificity.same, trial.specificity.n) == (2, 3)
    assert trial.unanswered == 1


def test_a_judge_that_sees_what_the_person_sees_has_full_sensitivity_and_kappa(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    wrong = {
        item.questions[0].text: "A" if item.questions[0].gold != "A" else "B" for item in items[:1]
    }
    second = items[1].questions[1]
    add_labels(
        tmp_path,
        [
            label(items[0], f"{wrong[items[0].questions[0].text]}...."),
            label(items[1], f".{second.gold}..."),
        ],
    )
    seen = {items[0].questions[0].text: "E", second.text: second.gold}
    trial = try_on_labels(Fixed(lambda ask: Answer(seen[ask.question])), tmp_path)
    assert trial.overall.same == 1, "another wrong answer than the person's"
    assert (trial.sensitivity.value, trial.specificity.value, trial.kappa.value) == (1.0, 1.0, 1.0)


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
    judge = always("A")
    trial = try_on_labels(judge, tmp_path)
    assert len(judge.asked) == 4 + 5, "what both labeled is asked once"
    assert (trial.overall.same, trial.overall.n) == (6, 13), "beside each answer of a person"
    by_labeler = {name: (own.overall.same, own.overall.n) for name, own in trial.by_labeler.items()}
    assert by_labeler == {"ada": (4, 9), "bo": (2, 4)}
    assert trial.labellers == {"ada": 2, "bo": 1}
    assert (trial.pictures, trial.cannot_be_told, trial.not_labelled) == (2, 2, 5)
    people = trial.labeler_agreement
    assert people
    assert people.labelers == ("ada", "bo")
    assert (people.same, people.n, people.questions, people.told_by_none) == (2, 4, 4, 1)
    alone = try_on_labels(always("A"), tmp_path, "ada")
    assert alone.labeler_agreement is None, "one person agrees with nobody"
    assert alone.overall == trial.by_labeler["ada"].overall


def test_a_later_line_of_a_labeler_wins_over_an_earlier_one_by_the_same_person_alone(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(
        tmp_path,
        [
            label(items[0], "AAAAA", "ada"),
            label(items[0], "BBBBB", "bo"),
            label(items[0], "AAAAB", "ada"),
        ],
    )
    trial = try_on_labels(always("A"), tmp_path)
    assert trial.by_labeler["ada"].overall.same == 4
    assert trial.by_labeler["bo"].overall.same == 0


def test_what_the_judge_leaves_unanswered_counts_once_however_many_labeled_it(
    tmp_path: Path,
) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(items[0], "AA...", "ada"), label(items[0], "AA...", "bo")])
    trial = try_on_labels(Fixed(lambda ask: Failure("timeout", "Too slow.")), tmp_path)
    assert (trial.unanswered, trial.overall.n, trial.kappa.left_out) == (2, 0, 4)


def test_the_figures_beside_labels_are_those_of_the_counts() -> None:
    wrong = [LabeledAnswer("001", "shape", "A", "B", letter) for letter in ("C", "A")]
    right = [LabeledAnswer("002", "shape", "A", "A", letter) for letter in ("A", "A", "A", "B")]
    figures = label_figures([*wrong, *right, *wrong])
    assert (figures.sensitivity.value, figures.specificity.value) == (0.5, 0.75)
    assert figures.balanced_accuracy.value == 0.625
    assert (figures.baseline.same, figures.baseline.n) == (4, 8)
    assert figures.kappa.value == pytest.approx((5 / 8 - 0.5) / 0.5)


def test_second_labels_are_compared_and_count_in_no_figure_of_the_people(tmp_path: Path) -> None:
    items = label_folder.write(tmp_path)
    add_labels(tmp_path, [label(items[0], "AAAA?", "ada")])
    second = tmp_path / "labels-second.jsonl"
    alone = try_on_labels(always("A"), tmp_path)
    second.write_text(
        '{"id": "001", "labeller": "model", "answers": ["A", "B", "B", "?", "B"]}\nnothing\n',
        encoding="utf-8",
    )
    trial = try_on_labels(always("A"), tmp_path)
    assert trial.figures == alone.figures
    assert (trial.labellers, trial.cannot_be_told) == ({"ada": 1}, 1)
    beside = {name: (own.overall.same, own.overall.n) for name, own in trial.by_labeler.items()}
    assert beside == {"ada": (4, 4), "model": (1, 4)}
    assert trial.labeler_agreement
    assert (trial.labeler_agreement.same, trial.labeler_agreement.n) == (1, 3)
    assert [str(complaint) for complaint in trial.complaints] == [
        "labels-second.jsonl, row 2: is no JSON object; the line is left out"
    ]
    assert try_on_labels(always("A"), tmp_path, "model").overall.n == 4
