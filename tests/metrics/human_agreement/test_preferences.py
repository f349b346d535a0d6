"""Metrics beside people's choices: ties by a threshold, chosen on other clusters than counted."""

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.preferences import Preference, PreferenceChoice
from hallascope.data.files.tables import TableRow
from hallascope.metrics.human_agreement.preferences import PreferenceStudy, tie_threshold

ROW = TableRow("p.csv", 2, {})


def judge(
    a: str, b: str, choice: PreferenceChoice, rater: str = "ann", group: str = ""
) -> Preference:
    return Preference(item_a=a, item_b=b, rater=rater, choice=choice, group=group, row=ROW)


def test_the_example_of_ties_matter() -> None:
    # Two of three pairs are ties for people: without a threshold a metric that orders every pair
    # is right in one of them, and with one in all.
    differences, choices = np.array([0.01, -0.02, 0.5]), np.array([0, 0, 1])
    assert tie_threshold(differences, choices) == 0.02


def test_a_metric_that_orders_as_people_do_is_right_and_its_reverse_is_wrong() -> None:
    chosen = [judge(f"{n}a", f"{n}b", "a" if n % 2 else "b") for n in range(20)]
    good = {f"{n}{side}": float((side == "a") == bool(n % 2)) for n in range(20) for side in "ab"}
    bad = {item: -score for item, score in good.items()}
    study = PreferenceStudy({"good": good, "bad": bad}, chosen)
    found = study.metrics()
    assert (found["good"].accuracy.value, found["good"].order_accuracy.value) == (1.0, 1.0)
    assert (found["bad"].accuracy.value, found["bad"].order_accuracy.value) == (0.0, 0.0)
    assert found["good"].accuracy.low is not None
    assert found["good"].accuracy.low < 1.0
    assert found["good"].accuracy.method == "clopper-pearson"
    (difference,) = study.differences()
    assert (difference.value, difference.n, difference.words) == (1.0, 20, "different")


def test_the_threshold_is_chosen_on_other_clusters_than_those_that_are_counted() -> None:
    # The scores say nothing: chosen on the same choices, a threshold would still do better than
    # the most frequent choice.
    chance = np.random.default_rng(3)
    choices: tuple[PreferenceChoice, ...] = ("a", "b", "tie")
    found = []
    for _ in range(30):
        chosen = [
            judge(f"{n}a", f"{n}b", choices[chance.integers(3)], group=str(n)) for n in range(40)
        ]
        scores = {f"{n}{side}": chance.normal() for n in range(40) for side in "ab"}
        found.append(PreferenceStudy({"m": scores}, chosen).metrics()["m"].accuracy.value)
    assert fmean(one for one in found if one is not None) == pytest.approx(1 / 3, abs=0.03)


def test_unreadable_choices_and_missing_scores_are_left_out_and_counted() -> None:
    chosen = [
        judge("x", "y", "a"),
        judge("x", "y", "unreadable", "bo"),
        judge("x", "z", "tie"),
        judge("x", "none", "a"),
    ]
    study = PreferenceStudy({"m": {"x": 0.3, "y": 0.1, "z": 0.1 + 0.2}}, chosen)
    found = study.metrics()["m"]
    assert (found.n, found.decided, found.left_out) == (2, 1, 1)
    assert (found.threshold, found.ties) == (0.0, 0.5)  # 0.1 + 0.2 is 0.3 but for rounding
    people = study.people()
    assert people.shares["unreadable"].value == 0.25
    assert people.most_frequent == pytest.approx(2 / 3)
    assert (people.judgments, people.pairs, people.raters) == (4, 3, 2)


JUDGMENTS = st.lists(
    st.tuples(st.integers(-5, 5), st.sampled_from((-1, 0, 1))), min_size=1, max_size=30
)


@given(JUDGMENTS)
def test_no_other_threshold_makes_more_predictions_right(rows: list[tuple[int, int]]) -> None:
    differences, choices = (np.array(side) for side in zip(*rows, strict=True))

    def right(threshold: float) -> int:
        predicted = np.where(np.abs(differences) <= threshold, 0, np.sign(differences))
        return int((predicted == choices).sum())

    threshold = tie_threshold(differences.astype(float), choices)
    best = max(right(other) for other in range(6))
    assert right(threshold) == best
    assert all(right(smaller) < best for smaller in range(6) if smaller < threshold)
