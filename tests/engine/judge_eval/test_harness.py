"""Shares of trials come with an interval by picture."""

from hallascope.engine.judge_eval.labelled import LabeledAnswer, agreement
from hallascope.metrics.statistics.intervals import mean_interval


def test_the_interval_is_by_picture() -> None:
    told = [LabeledAnswer(str(n // 5), "color", "A", "A", "A" if n % 7 else "B") for n in range(50)]
    found = agreement(told)
    rights = [
        sum(one.letter == "A" for one in told[start : start + 5]) for start in range(0, 50, 5)
    ]
    assert (found.low, found.high, found.interval_method) == mean_interval(rights, [5] * 10)
    assert found.low is not None
    assert found.value is not None
    assert found.low < found.value


def test_one_picture_gives_no_interval_and_nothing_counted_no_share() -> None:
    assert (
        agreement([LabeledAnswer("1", "color", "A", "A", "A")]).value,
        agreement([LabeledAnswer("1", "color", "A", "A", "A")]).low,
    ) == (1.0, None)
    assert agreement([]).value is None
