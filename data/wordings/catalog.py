"""Lists the texts that models are sent: whom each goes to, for which metrics, its placeholders."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

OURS = "ours"
Receiver = Literal["judge", "captioner", "writer", "grader", "parser"]


@dataclass(frozen=True, kw_only=True)
class WordingRole:
    """Says what a wording is for.

    `sent_to` is the role that reads it, `metrics` the metrics (or commands) whose requests it
    makes. `required` placeholders must stand in the text, `optional` ones may.
    """

    about: str
    sent_to: Receiver
    metrics: tuple[str, ...]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Return all placeholders that may stand in the text."""
        return (*self.required, *self.optional)


FILE = Path(__file__).with_name("catalog.toml")


WORDINGS: Mapping[str, WordingRole] = {
    name: WordingRole(
        **dict[str, Any](
            (key, tuple(own) if isinstance(own, list) else own) for key, own in entry.items()
        )
    )
    for name, entry in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
}
"""The wordings by name, which is also the name of their files (with ".txt")."""


def wordings_of(metric: str) -> tuple[str, ...]:
    """Return the names of the wordings that the requests of a metric are made with."""
    return tuple(name for name, role in WORDINGS.items() if metric in role.metrics)
