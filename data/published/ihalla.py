"""Holds what I-HallA's paper says of its agreement with people, as a fact.

None of it is a measurement of ours.
"""

import csv
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parent / "ihalla_human_agreement.csv"


class HumanAgreement(NamedTuple):
    """Holds a published correlation with people, and on how few pictures it rests."""

    statistic: str
    value: float
    n: int
    raters: int


def human_agreement() -> tuple[HumanAgreement, ...]:
    """Return Pearson, Spearman and Kendall of I-HallA on 10 pictures, rated by 53 people.

    The source is Lim, Choi and Shim, AAAI 2025.
    """
    with FILE.open(encoding="utf-8") as file:
        return tuple(
            HumanAgreement(
                row["statistic"], float(row["value"]), int(row["images"]), int(row["raters"])
            )
            for row in csv.DictReader(file)
        )
