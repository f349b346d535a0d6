"""Gold names are read as they are documented, and a fault is named with its row."""

from pathlib import Path

import pytest

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.readings.gold_names import GoldNamePair, gold_name_pairs
from hallascope.data.files.readings.gold_readings import PARTS, Part


def _file(folder: Path, rows: str) -> Path:
    (folder / "development.csv").write_text(f"asked,seen,same\n{rows}\n", encoding="utf-8")
    return folder


def test_pairs_are_read_in_their_order(tmp_path: Path) -> None:
    pairs = gold_name_pairs("development", _file(tmp_path, "lorry,truck,yes\njam,traffic jam,no"))
    assert pairs == [
        GoldNamePair(expected="lorry", observed="truck", same=True),
        GoldNamePair(expected="jam", observed="traffic jam", same=False),
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("cup,mug,maybe", "row 3: same is 'maybe': write yes or no"),
        ("cup,,yes", "row 3: a name is missing"),
        ("cup,mug", "row 3"),
    ],
)
def test_a_fault_is_named_with_its_row(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(BadTable, match=words):
        gold_name_pairs("development", _file(tmp_path, f"lorry,truck,yes\n{row}"))


@pytest.mark.parametrize("part", PARTS)
def test_each_part_has_pairs_of_both_judgments(part: Part) -> None:
    pairs = gold_name_pairs(part)
    same = sum(pair.same for pair in pairs)
    assert len(pairs) >= 100
    assert len(pairs) / 3 <= same <= 2 * len(pairs) / 3
    assert len({(pair.expected, pair.observed) for pair in pairs}) == len(pairs)


def test_no_pair_is_in_both_parts() -> None:
    development, test = (
        {frozenset((pair.expected, pair.observed)) for pair in gold_name_pairs(part)}
        for part in PARTS
    )
    assert not development & test
