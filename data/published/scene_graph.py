"""Holds the published F1 of scene-graph QA by type of error and by who answers.

The source is table 2 of its paper; these are facts, not measurements of ours.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from hallascope.data.graphs import ERROR_TYPES, ErrorType

FILE = Path(__file__).with_name("scene_graph_error_f1.csv")
BEST = "Scene-graph QA (GPT-4)"  # on about a tenth of the pictures; the best of the rows


@cache
def error_f1() -> Mapping[str, Mapping[ErrorType, float]]:
    """Return F1 in [0, 1] of each type of error by the name of the row.

    A type that a row does not tell apart is not in it.
    """
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["metric"]: {each: float(row[each]) for each in ERROR_TYPES if row.get(each)}
        for row in rows
    }
