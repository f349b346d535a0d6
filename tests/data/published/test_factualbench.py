"""The published numbers of T2I-FactualBench agree with each other, but for two misprints."""

import pytest

from hallascope.data.concepts import LEVELS
from hallascope.data.published import factualbench
from hallascope.data.records import DOMAINS


def test_the_arrows_of_table_3_are_differences_of_its_numbers() -> None:
    percent = {row.model: row.percent for row in factualbench.table()}
    for delta in factualbench.deltas():
        place = (delta.level, delta.score)
        difference = percent[delta.model][place] - percent[delta.base][place]
        assert delta.derived == pytest.approx(difference, abs=0.051)


def test_two_arrows_are_misprinted() -> None:
    wrong = [delta for delta in factualbench.deltas() if delta.misprinted]
    assert [(delta.model, delta.printed, delta.derived) for delta in wrong] == [
        ("MS-Diffusion", 30.5, 20.5),
        ("MS-Diffusion", 14.9, 4.9),
    ]


def test_all_percentages_are_by_known_levels_and_domains() -> None:
    for row in factualbench.table():
        assert {level for level, _ in row.percent} <= set(LEVELS)
        assert all(0 <= value <= 100 for value in row.percent.values())
    for by_domain in factualbench.by_domain().values():
        assert set(by_domain) <= set(DOMAINS)
        assert all(value is None or 0 <= value <= 100 for value in by_domain.values())
