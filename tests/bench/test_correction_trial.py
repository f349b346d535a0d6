"""The correction of scores is tried on a folder of which everything is labeled."""

from pathlib import Path

import pytest

from bench.correction_trial import ask_labeled, try_corrections
from tests.support.lenient_judge import label_items, lenient_judge


def test_the_corrected_score_covers_what_people_say_of_all_where_the_judge_does_not(
    tmp_path: Path,
) -> None:
    label_items(tmp_path, 30)
    labels = list(ask_labeled(lenient_judge(), tmp_path))
    assert (len(labels), {label.judge for label in labels}) == (150, {1.0})
    rows = list(try_corrections(labels, sizes=(15, 29, 30), draws=100))
    assert [row["labeled"] for row in rows] == [15, 29], "30 leave nothing to be judged"
    for row in rows:
        assert row["model"] == "primer/diffusion-tiny"
        assert row["people"] == pytest.approx(140 / 150)
        assert row["corrected known"] == 100
        assert row["corrected covers"] >= 0.9  # type: ignore[operator]


def test_what_nobody_can_tell_is_asked_and_what_the_judge_does_not_answer_is_left_out(
    tmp_path: Path,
) -> None:
    items = label_items(tmp_path, 12, untold=2)
    judge = lenient_judge(refused=items[0].questions[4].text)
    labels = list(ask_labeled(judge, tmp_path))
    assert (len(judge.asked), len(labels)) == (60, 57), "three images of the first prompt"
    assert sum(not label.marks for label in labels) == 21
