"""The ratios of ``make bench`` are measured in turns and missed only beyond the noise."""

import itertools

import pytest

from bench import ratios as bench
from bench.ratios import ROUNDS, Ratio, paired_ratio


def measured(monkeypatch: pytest.MonkeyPatch, ratios: list[float]) -> Ratio:
    """The paired ratio where each round takes what `ratios` say, to one second."""
    order: list[str] = []
    rounds = {"first": itertools.cycle(ratios), "second": itertools.repeat(1.0)}

    def seconds(run: object) -> float:
        assert callable(run)
        run()
        return next(rounds[order[-1]])

    monkeypatch.setattr(bench, "seconds", seconds)
    found = paired_ratio("x", lambda: order.append("first"), lambda: order.append("second"), 1.05)
    pairs = list(zip(order[2::2], order[3::2], strict=True))
    assert len(pairs) == ROUNDS
    assert {pairs[0], pairs[1]} == {
        ("first", "second"),
        ("second", "first"),
    }, "they take turns at going first"
    return found


def test_a_ratio_that_noise_carries_over_its_bound_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(monkeypatch, [1.0, 1.06, 1.1])
    assert found.value == pytest.approx(1.06)
    assert found.interval == pytest.approx((1.0, 1.1))
    assert found.kept


def test_a_ratio_that_is_beyond_its_bound_in_nearly_every_round_is_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = measured(monkeypatch, [1.06, 1.07, 1.08, 1.06, 1.07])
    assert not found.kept


@pytest.mark.parametrize(
    ("at_most", "value", "kept"),
    [(True, 1.1, False), (True, 0.9, True), (False, 1.1, True), (False, 0.9, False)],
)
def test_a_ratio_without_an_interval_is_judged_by_its_value(
    at_most: bool, value: float, kept: bool
) -> None:
    assert Ratio("x", value, 1.0, at_most).kept is kept


def test_what_could_not_be_measured_is_not_missed() -> None:
    assert Ratio("x", None, 1.0, True, "no model").kept
