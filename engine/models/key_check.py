"""Checks a typed key at its service, and finds which models of the service to begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from hallascope.backends.base import Denied, ModelSpec, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.data.requests import Failure, Role, Usage

if TYPE_CHECKING:
    import httpx

    from hallascope.backends.network.public_addresses import Resolve

CHECK_SECONDS = 10.0
STARTER_ROLES: tuple[Role, ...] = ("generator", "judge", "writer")

KeyState = Literal["accepted", "rejected", "unchecked"]


@dataclass(frozen=True, kw_only=True)
class StarterModel:
    """Holds the cheapest model of a role: its id, its title and what one use costs, in USD."""

    id: str
    title: str
    cost: float


@dataclass(frozen=True, kw_only=True)
class KeyCheck:
    """Holds what a service says of a key.

    `sentence` says it in words. `starters`: models to begin with, by role; {} where the service
    lists none with a known price.
    """

    state: KeyState
    sentence: str
    starters: Mapping[Role, StarterModel] = field(default_factory=dict)


def check_key(
    specs: Iterable[ModelSpec],
    name: str,
    keys: ApiKeys,
    client: httpx.Client | None = None,
    look_up: Resolve | None = None,
) -> KeyCheck:
    """Ask the service of a key for its models: once with the key, and once without one.

    A service that lists them without a key says nothing of the key, which is then unchecked. Both
    requests cost nothing. `client` and `look_up` as for `ServiceConnection`.
    """
    from hallascope.backends.openai.connection import ServiceConnection
    from hallascope.backends.openai.errors import call_fault

    own = [spec for spec in specs if spec.key == name and spec.backend == "openai"]
    if not own:
        return KeyCheck(
            state="unchecked", sentence=f"{name} is set. It is checked by its first use."
        )
    spec = replace(own[0], settings={**own[0].settings, "timeout": CHECK_SECONDS})

    def list_models(with_keys: ApiKeys) -> frozenset[str] | Denied | Transient | Failure:
        try:
            connection = ServiceConnection(spec, with_keys, client, look_up)
        except Denied as error:
            return error
        listed = connection.list_models()
        if isinstance(listed, frozenset | Denied | Transient):
            return listed
        return call_fault(listed, connection.identity)

    listed = list_models(keys)
    if isinstance(listed, Denied):
        return KeyCheck(state="rejected", sentence=str(listed))
    if not isinstance(listed, frozenset):
        return KeyCheck(
            state="unchecked", sentence=f"{name} is set and could not be checked: {_reason(listed)}"
        )
    # a key that is none of the environment's either
    if isinstance(list_models(ApiKeys(own=(name,))), frozenset):
        return KeyCheck(
            state="unchecked", sentence=f"{name} is set. It is checked by its first use."
        )
    return KeyCheck(
        state="accepted", sentence=f"{name} is accepted.", starters=starter_models(own, listed)
    )


def starter_models(
    specs: Iterable[ModelSpec], listed: frozenset[str]
) -> Mapping[Role, StarterModel]:
    """Return the cheapest model for each of `STARTER_ROLES`, of those that a service lists.

    Only models with a known price count. A role without one is left out.
    """
    from hallascope.backends.openai.requests import model_name

    usable = [spec for spec in specs if spec.price is not None and model_name(spec) in listed]
    starters: dict[Role, StarterModel] = {}
    for role in STARTER_ROLES:
        candidates = [
            StarterModel(id=spec.id, title=spec.title, cost=_TYPICAL_COST[role](spec))
            for spec in usable
            if spec.fills(role)
        ]
        if candidates:
            starters[role] = min(candidates, key=lambda model: model.cost)
    return starters


def _cost(spec: ModelSpec, usage: Usage) -> float:
    return spec.price.cost(usage) if spec.price else 0.0


def _picture_tokens(spec: ModelSpec) -> int:
    return spec.price.picture_tokens if spec.price else 0


# one image; one question about one image; the questions of one prompt
_TYPICAL_COST: Mapping[Role, Callable[[ModelSpec], float]] = {
    "generator": lambda spec: _cost(spec, Usage(60, _picture_tokens(spec), 1)),
    "judge": lambda spec: _cost(spec, Usage(200 + _picture_tokens(spec), 10)),
    "writer": lambda spec: _cost(spec, Usage(2500, 1200)),
}


def _reason(fault: Transient | Failure) -> str:
    return fault.message if isinstance(fault, Failure) else str(fault)
