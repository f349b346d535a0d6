"""Tells where each metric differs from its paper, from the tables beside the metrics.

A table is a file `deviations.yaml` in a metric's folder; it calls no model and computes nothing.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hallascope.data.yaml_file import read_document


@dataclass(frozen=True)
class Deviation:
    """Holds one difference of a metric from its paper.

    `paper` is what the paper does, `ours` what is done here, `why` the reason, and `matters` where
    scores differ by it.
    """

    metric: str
    paper: str
    ours: str
    why: str
    matters: str


def deviations_of(metric: str) -> tuple[Deviation, ...]:
    """Return where a metric differs from its paper, () where no table names it.

    Raises BadYaml where a table cannot be read.

        >>> [row.paper for row in deviations_of("blip-vqa")][1]
        'The code asks the first eight noun chunks.'
    """
    return _tables().get(metric, ())


@cache
def _tables() -> dict[str, tuple[Deviation, ...]]:
    tables: dict[str, tuple[Deviation, ...]] = {}
    for file in sorted(Path(__file__).parent.glob("*/deviations.yaml")):
        document = read_document(file)
        rows_of = document.read(dict[str, list[dict[str, str]]], document.value)
        tables |= {
            metric: tuple(Deviation(metric, **row) for row in rows)
            for metric, rows in rows_of.items()
        }
    return tables
