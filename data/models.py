"""Reads the models that HallaScope knows from ``models.yaml``; it does not know whether they can run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from data.requests import ROLES, Role, Setting

Kind = Literal["simulated", "trained", "api", "local"]
FILE = Path(__file__).with_name("models.yaml")


@dataclass(frozen=True)
class ModelSpec:
    """One entry of ``data/models.yaml``. `needs` names what must be there: gpu, key:NAME, download, package:NAME."""

    id: str
    title: str
    roles: tuple[Role, ...]
    backend: str
    repository: str | None = None
    revision: str | None = None
    licence: str | None = None
    note: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    memory_gb: float | None = None
    kind: Kind = "local"


class BadModels(ValueError):
    """The file of models is not as it should be; the message names file, entry and field."""


_FIELDS = frozenset(ModelSpec.__dataclass_fields__) - {"id"}


@cache
def read_models(path: Path = FILE) -> Mapping[str, ModelSpec]:
    """The models of a file by id, in the order of the file. Raises BadModels with one sentence."""
    import yaml

    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise BadModels(f"The file of models {str(path)!r} cannot be read ({said}): mend it, or give another.") from error
    if not isinstance(entries, dict):
        raise BadModels(f"The file of models {str(path)!r} holds no entries: write one a model, `id: {{title, roles, backend}}`.")
    return {str(name): _spec(str(name), entry, path) for name, entry in entries.items()}


def _spec(name: str, entry: Any, path: Path) -> ModelSpec:
    where = f"The entry {name!r} of {path.name!r}"
    if not isinstance(entry, dict):
        raise BadModels(f"{where} is not a list of fields: write at least title, roles and backend.")
    if unknown := sorted(set(entry) - _FIELDS):
        raise BadModels(f"{where} has the unknown field {unknown[0]!r}: use {', '.join(sorted(_FIELDS))}.")
    if missing := [f for f in ("title", "roles", "backend") if not entry.get(f)]:
        raise BadModels(f"{where} has no {missing[0]!r}: add it.")
    if wrong := [role for role in entry["roles"] if role not in ROLES]:
        raise BadModels(f"{where} has the unknown role {wrong[0]!r}: use {', '.join(ROLES)}.")
    if entry.get("kind", "local") not in get_args(Kind):
        raise BadModels(f"{where} has the unknown kind {entry['kind']!r}: use {', '.join(get_args(Kind))}.")
    settings = dict(entry.get("settings") or {})
    return ModelSpec(name, **{**entry, "roles": tuple(entry["roles"]), "needs": tuple(entry.get("needs", ())), "settings": settings})
