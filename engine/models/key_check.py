"""Asks the service of a key which models it lists, and finds which to begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from hallascope.backends.base import Denied, ModelSpec, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.services import service_facts
from hallascope.data.requests import Failure, Role, Usage
from hallascope.engine.models.service_lists import ServiceLists, listed_models, rank_models

if TYPE_CHECKING:
    import httpx2

    from hallascope.backends.network.public_addresses import Resolve

CHECK_SECONDS = 10.0
STARTER_ROLES: tuple[Role, ...] = ("generator", "judge", "writer")
KeyState = Literal["accepted", "rejected", "unchecked"]


@dataclass(frozen=True, kw_only=True)
class StarterModel:
    """Holds the model to begin with in a role, and what one use costs, in USD; None: unknown."""

    id: str
    title: str
    cost: float | None
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class KeyCheck:
    """Holds what a service says of a key.

    `sentence` says it in words. `starters`: models to begin with, by role; {} where the service
    could not be asked.
    """

    state: KeyState
    sentence: str
    starters: Mapping[Role, StarterModel] = field(default_factory=dict)


def check_key(
    lists: ServiceLists,
    specs: Iterable[ModelSpec],
    name: str,
    keys: ApiKeys,
    client: httpx2.Client | None = None,
    look_up: Resolve | None = None,
) -> KeyCheck:
    """Ask the services of a key for their models, and keep what they list.

    They are asked once with the key, and once without one: a service that lists its models without
    a key says nothing of the key, which is then unchecked. The requests cost nothing. `client` and
    `look_up` as for `ServiceConnection`.
    """
    own = [spec for spec in specs if spec.key == name]
    asked = [spec for spec in own if spec.backend == "openai" and spec.service == "openai"]
    unchecked = f"{name} is set. It will be checked when it is first used."
    if not asked:
        return KeyCheck(state="unchecked", sentence=unchecked)
    service = next((spec for spec in asked if spec.family), asked[0])
    listed = _read_list(service, keys, client, look_up)
    if isinstance(listed, Denied):
        return KeyCheck(state="rejected", sentence=str(listed))
    if isinstance(listed, Transient | Failure):
        why = listed.message if isinstance(listed, Failure) else str(listed)
        return KeyCheck(
            state="unchecked", sentence=f"{name} is set and could not be checked: {why}"
        )
    names = {item["id"] for item in listed}
    found = [spec for spec in asked if not spec.family and spec.source in names]
    for family in (spec for spec in own if spec.family):
        if family.backend == "openai":
            models = listed_models(family, listed)
        else:
            models = _provided_models(family, keys)
        lists.keep(family, keys, models)
        found += models
    # with a key that is none of the environment's either
    anonymous = _read_list(service, ApiKeys(own=(name,)), client, look_up)
    open_list = not isinstance(anonymous, Denied | Transient | Failure)
    return KeyCheck(
        state="unchecked" if open_list else "accepted",
        sentence=unchecked if open_list else f"{name} is accepted.",
        starters=starter_models(found),
    )


def _read_list(
    family: ModelSpec, keys: ApiKeys, client: httpx2.Client | None, look_up: Resolve | None
) -> Sequence[Mapping[str, Any]] | Denied | Transient | Failure:
    from hallascope.backends.openai.connection import ServiceConnection
    from hallascope.backends.openai.errors import call_fault

    spec = replace(family, settings={**family.settings, "timeout": CHECK_SECONDS})
    try:
        connection = ServiceConnection(spec, keys, client, look_up)
    except Denied as error:
        return error
    listed = connection.list_models()
    if isinstance(listed, tuple | Denied | Transient):
        return listed
    return call_fault(listed, connection.identity)


def _provided_models(family: ModelSpec, keys: ApiKeys) -> list[ModelSpec]:
    """Return those of the preferred models that providers serve now."""
    from hallascope.backends.hub.download import served_models

    preferred = service_facts(family).prefer.get("generator", ())
    return listed_models(family, served_models(preferred, keys.get(family.key or "")))


def starter_models(specs: Sequence[ModelSpec]) -> Mapping[Role, StarterModel]:
    """Return the model to begin with in each of `STARTER_ROLES`, of those that a service lists.

    It is the first that is preferred, else the cheapest. A role that none fills is left out.
    """
    starters: dict[Role, StarterModel] = {}
    for role in STARTER_ROLES:
        if best := next(iter(rank_models(specs, role)), None):
            price = best.price
            starters[role] = StarterModel(
                id=best.id,
                title=best.title,
                cost=price.cost(_TYPICAL[role](price.picture_tokens)) if price else None,
                source=price.origin if price else "",
            )
    return starters


# one image; one question about one image; the questions of one prompt
_TYPICAL: Mapping[Role, Callable[[int], Usage]] = {
    "generator": lambda picture: Usage(60, picture, 1),
    "judge": lambda picture: Usage(200 + picture, 10),
    "writer": lambda picture: Usage(2500, 1200),
}
