"""Metrics beside people: the same items on both sides, a sentence where nothing can be said, and
the raters among themselves.
"""

import pytest

from hallascope.metrics.statistics.agreement import Study
from hallascope.metrics.statistics.correlation import NAMES, IntervalEstimate

PEOPLE = {"a": [1, 2], "b": [3, 3], "c": [5, 4], "d": [2], "e": [4, 5, 5]}
GOOD = {"a": 0.1, "b": 0.5, "c": 0.9, "d": 0.3, "e": 0.8, "not rated": 0.2}


def study(**scores: dict[str, float]) -> Study:
    return Study(scores, PEOPLE, resamples=50)


def test_the_rating_of_an_item_is_the_mean_of_its_ratings() -> None:
    assert study().people == {"a": 1.5, "b": 3.0, "c": 4.5, "d": 2.0, "e": pytest.approx(14 / 3)}


def test_a_metric_is_compared_on_the_items_that_both_know() -> None:
    found = study(good=GOOD, part={"a": 1.0, "b": 2.0, "c": 3.0, "z": 4.0}).metrics()
    assert {name: one.n for name, one in found.items()} == {"good": 5, "part": 3}
    assert set(found["good"].statistics) == set(NAMES)
    assert found["part"].statistics["spearman"].value == pytest.approx(1.0)


def test_a_constant_and_too_few_items_are_none_with_a_sentence() -> None:
    found = study(flat=dict.fromkeys(PEOPLE, 0.5), few={"a": 1.0, "b": 2.0}, none={}).metrics()
    assert found["flat"].statistics["pearson"] == IntervalEstimate(None)
    assert (
        found["flat"].note
        == "flat gives every item the same score, so that nothing correlates with it."
    )
    assert found["flat"].statistics["pairwise_accuracy"].value == 0.0
    assert set(found["few"].statistics.values()) == {IntervalEstimate(None)}
    assert (found["few"].n, found["few"].note[:30]) == (2, "few and people share 2 items; ")
    assert found["none"].n == 0


def test_people_who_rate_all_alike_are_named_as_the_reason() -> None:
    found = Study({"good": GOOD}, {item: [3.0] for item in "abcde"}, resamples=5).metrics()["good"]
    assert (
        found.note == "People gave every item the same rating, so that nothing correlates with it."
    )


def test_every_two_metrics_are_compared_on_the_items_of_both() -> None:
    bad = {"a": 0.9, "b": 0.1, "c": 0.2, "d": 0.8}
    found = list(study(good=GOOD, bad=bad, lone={"a": 1.0}).differences())
    assert [(one.one, one.other, one.n) for one in found] == [
        ("good", "bad", 4),
        ("good", "lone", 1),
        ("bad", "lone", 1),
    ]
    on_both = {item: GOOD[item] for item in bad}
    alone = study(good=on_both, bad=bad).metrics()
    one, other = (alone[name].statistics["kendall"].value for name in ("good", "bad"))
    assert one is not None
    assert other is not None
    assert found[0].differences["kendall"].value == pytest.approx(one - other)
    assert found[1].differences["kendall"] == IntervalEstimate(None)


def test_the_raters_are_counted_and_those_alone_named() -> None:
    found = study().raters()
    assert (found.items, found.ratings, found.alone, found.note) == (4, 9, 1, "")
    assert found.alpha["interval"] == pytest.approx(0.86, abs=0.1)
    assert Study({}, {"a": [1.0]}).raters().note == "No item was rated twice."
    assert Study({}, {"a": [1.0, 1.0]}).raters().note == "All ratings are the same."


def test_the_same_seed_gives_the_same_intervals() -> None:
    one, again = (study(good=GOOD).metrics()["good"] for _ in range(2))
    assert one == again


def test_with_groups_the_statistics_within_them_stand_beside_the_overall_ones() -> None:
    groups = {"a": "one", "b": "one", "c": "one", "d": "two", "e": "two"}
    found = Study({"good": GOOD}, PEOPLE, resamples=50, groups=groups).metrics()["good"]
    assert found.within is not None
    assert (found.within.groups, found.within.left_out, found.draws) == (1, 1, 50)
    assert study(good=GOOD).metrics()["good"].within is None


def test_one_metric_may_be_the_only_one_that_others_are_compared_with() -> None:
    scores = {"x": GOOD, "base": GOOD, "y": GOOD}
    pairs = Study(scores, PEOPLE, resamples=5, against="base").differences()
    assert [(pair.one, pair.other) for pair in pairs] == [("x", "base"), ("y", "base")]
    with pytest.raises(ValueError, match="'nothing' has no scores"):
        Study(scores, PEOPLE, against="nothing")


def test_the_scale_is_guessed_with_a_reason_unless_it_is_given() -> None:
    guessed = Study({}, PEOPLE).raters()
    assert (guessed.level, guessed.level_reason) == ("ordinal", "5 distinct whole numbers")
    given = Study({}, PEOPLE, level="interval").raters()
    assert (given.level, given.level_reason) == ("interval", "")
