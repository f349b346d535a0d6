"""Compares a prompt, read by rules, with a caption, and holds cases of the two."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.matching import Stages, compare
from hallascope.metrics.fig.pairs import Attributes, attribute_words
from hallascope.metrics.reading.prompt import read_prompt

_CASES = Path(__file__).parents[1] / "metrics" / "fig" / "cases.yaml"
CASES: dict[str, list[Any]] = yaml.safe_load(_CASES.read_text(encoding="utf-8"))


def stages_of(
    prompt: str,
    caption: str,
    lines: Sequence[str] | None = None,
    attributes: Attributes = ATTRIBUTES,
) -> Stages:
    return compare(read_prompt(prompt, attribute_words(attributes)), caption, lines, attributes)


def met_share(stages: Stages, kind: str, soft: bool = False) -> float | None:
    """Return the share of the rows of a kind that are met; None where the prompt asks for none."""
    rows = [row for row in stages.rows if row.kind == kind]
    return sum(row.soft if soft else row.strict for row in rows) / len(rows) if rows else None
