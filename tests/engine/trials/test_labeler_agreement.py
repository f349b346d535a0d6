"""People who label the same images agree as far as their answers say, and no further."""

from pathlib import Path

import krippendorff
import pytest

from hallascope.data.files.label_folder import LabelItem
from hallascope.engine.trials.records import labeler_agreement
from tests.support import label_folder
from tests.support.label_folder import label


@pytest.fixture
def items(tmp_path: Path) -> list[LabelItem]:
    return label_folder.write(tmp_path)


def golds(item: LabelItem) -> str:
    """Return the marks of a person who sees the expected answer everywhere."""
    return "".join(question.gold for question in item.questions)


def other_than_gold(item: LabelItem, number: int) -> str:
    return "A" if item.questions[number].gold != "A" else "B"


def test_two_who_say_the_same_agree_fully_but_for_what_one_cannot_tell(
    items: list[LabelItem],
) -> None:
    first = f"{other_than_gold(items[0], 0)}{golds(items[0])[1:]}"
    ada = {"001": label(items[0], first), "002": label(items[1], golds(items[1]))}
    bo = {"001": label(items[0], f"{first[:4]}?", "bo"), "002": label(items[1], "?????", "bo")}
    found = labeler_agreement(items, {"ada": ada, "bo": bo})
    assert found
    assert (found.questions, found.n, found.same, found.value) == (4, 4, 4, 1.0)
    assert (found.told_by_one, found.told_by_none) == (6, 0)
    assert (found.kappa.value, found.alpha) == (1.0, 1.0)
    assert found.labelers == ("ada", "bo")


def test_kappa_and_alpha_are_of_whether_the_expected_answer_is_seen(
    items: list[LabelItem],
) -> None:
    hers = {item.id: label(item, golds(item)) for item in items}
    hers["001"] = label(items[0], f"{other_than_gold(items[0], 0)}{golds(items[0])[1:]}")
    his = {item.id: label(item, golds(item), "bo") for item in items}
    his["001"] = label(items[0], f"E{golds(items[0])[1:]}", "bo")
    his["002"] = label(items[1], f"E{golds(items[1])[1:]}", "bo")
    found = labeler_agreement(items, {"ada": hers, "bo": his})
    assert found
    assert (found.same, found.n) == (13, 15), "another wrong answer is not the same answer"
    assert found.kappa.agreement == 14 / 15, "but neither sees the expected one"
    by_ada = [0] + [1] * 14
    by_bo = [0] + [1] * 4 + [0] + [1] * 9
    assert found.alpha == pytest.approx(
        krippendorff.alpha([by_ada, by_bo], level_of_measurement="nominal")
    )
    assert found.low is not None
    assert found.interval_method == "clopper-pearson"


def test_of_three_every_pair_counts(items: list[LabelItem]) -> None:
    labels = {
        "ada": {"001": label(items[0], "A....")},
        "bo": {"001": label(items[0], "A....", "bo")},
        "cy": {"001": label(items[0], "B....", "cy")},
    }
    found = labeler_agreement(items, labels)
    assert found
    assert (found.questions, found.n, found.same) == (1, 3, 1)
