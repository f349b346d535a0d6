"""Models that follow a script, and services on them."""

from typing import Any

from hallascope.backends.base import Backend, CallLimits
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Role
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.scripted import Script, Scripted


def scripted(
    name: str,
    roles: Role | tuple[Role, ...],
    script: Script | None = None,
    limits: CallLimits | None = None,
    latency: float = 0.0,
    **entry: Any,
) -> Scripted:
    """A model of this name that takes `latency` seconds; with a price it is one of a service."""
    kind = "api" if entry.get("price") else "local"
    roles = (roles,) if isinstance(roles, str) else roles
    fields = {"title": name, "roles": roles, "backend": "scripted", "kind": kind, **entry}
    return Scripted(ModelSpec(id=name, **fields), script, limits=limits, latency=latency)


def serve(store: Store, *models: Backend, **options: Any) -> Services:
    """Services on these models and all that ship."""
    return Services(store, read_models(), {model.spec.id: model for model in models}, **options)
