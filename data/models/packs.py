"""Reads the packs of models that are got together from ``packs.yaml``.

It does not know where models come from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import BadModels

FILE = Path(__file__).with_name("packs.yaml")


@dataclass(frozen=True)
class Pack:
    """Models that are got together.

    `memory_gb`: what the largest of them takes, as one is in memory at a time.
    """

    id: str
    title: str
    about: str
    memory_gb: float
    models: tuple[str, ...]


_FIELDS = frozenset(field.name for field in fields(Pack)) - {"id"}


def read_packs(path: Path = FILE) -> Mapping[str, Pack]:
    """The packs of a file by id, in the order of the file. Raises BadModels with one sentence."""
    import yaml

    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise BadModels(
            f"The file of packs {str(path)!r} cannot be read ({said}): mend it, or install the package again."
        ) from error
    if not isinstance(entries, dict):
        raise BadModels(
            f"The file of packs {str(path)!r} holds no entries: write `id: {{{', '.join(sorted(_FIELDS))}}}`."
        )
    return {str(name): _pack(str(name), entry, path) for name, entry in entries.items()}


def _pack(name: str, entry: Any, path: Path) -> Pack:
    where = f"The pack {name!r} of {path.name!r}"
    if not isinstance(entry, dict) or set(entry) != _FIELDS:
        raise BadModels(
            f"{where} does not have the fields {', '.join(sorted(_FIELDS))} and no others: mend it."
        )
    listed, memory = entry["models"], entry["memory_gb"]
    if (
        not isinstance(listed, list)
        or not listed
        or not all(isinstance(one, str) for one in listed)
    ):
        raise BadModels(f"{where} has models {listed!r}: write the ids of models as a list.")
    if isinstance(memory, bool) or not isinstance(memory, int | float) or not memory > 0:
        raise BadModels(f"{where} has memory_gb {memory!r}: give a number of GB above 0.")
    return Pack(
        name, str(entry["title"]), str(entry["about"]), float(memory), tuple(dict.fromkeys(listed))
    )
