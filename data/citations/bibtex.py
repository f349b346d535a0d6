"""Finds the BibTeX entries of HallaScope and of the papers behind metrics."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parent / "papers.yaml"


def citation_keys(metric: str) -> tuple[str, ...]:
    """Return the keys of the papers behind a metric; () where none is known."""
    return tuple(_papers()["metrics"].get(metric, ()))


def bibtex_entries(metrics: Iterable[str]) -> dict[str, str]:
    """Return the entry of HallaScope, then those of the papers behind the metrics, by key."""
    entries: Mapping[str, str] = _papers()["entries"]
    keys = [_papers()["software"], *(key for name in metrics for key in citation_keys(name))]
    return {key: entries[key] for key in dict.fromkeys(keys)}


@cache
def _papers() -> dict[str, Any]:
    papers: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return papers
