"""Keeps which models a service lists for a key, with what it says of their abilities and prices."""

import datetime
import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hallascope.backends.keys import ApiKeys
from hallascope.data.models.services import retirement, service_facts, service_model
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.requests import Role

MAX_LISTS = 10_000  # of one key each; the one that was read longest ago is forgotten first
OFFERED = 6  # models of a role that pickers show of one service
_SEES: tuple[Role, ...] = ("judge", "captioner", "writer")


def listed_models(family: ModelSpec, items: Iterable[Mapping[str, Any]]) -> list[ModelSpec]:
    """Return the entries of the listed models that can do something here.

    `items` are those of the service's list, as it sends them: with an `id` each, and where the
    service says so with `architecture`, `pricing` or `providers`.
    """
    specs = []
    for item in items:
        spec = service_model(family, str(item["id"]))
        roles = _stated_roles(item)
        if roles is None:
            group = service_facts(family).group(str(item["id"]))
            roles = group.roles if group else ()
        roles = tuple(role for role in roles if role in family.roles)
        if roles:
            price = _stated_price(family, item)
            specs.append(replace(spec, roles=roles, price=price or spec.price))
    return specs


def _stated_roles(item: Mapping[str, Any]) -> tuple[Role, ...] | None:
    """Return what a service says that a model does; None where it says nothing."""
    stated = item.get("architecture")
    architecture = stated if isinstance(stated, Mapping) else {}
    given, made = (architecture.get(f"{way}_modalities") for way in ("input", "output"))
    if not isinstance(given, list) or not isinstance(made, list):
        return None
    draws: tuple[Role, ...] = ("generator",) if "image" in made else ()
    if "text" not in made:
        return draws
    return (*(_SEES if "image" in given else ("writer",)), *draws)


def _stated_price(family: ModelSpec, item: Mapping[str, Any]) -> Price | None:
    """Return the price that a service lists: of several providers that of the dearest."""
    stated = item.get("pricing")
    if isinstance(stated, Mapping):  # USD a token
        offers: list[tuple[Any, Any, float]] = [
            (stated.get("prompt"), stated.get("completion"), 1e6)
        ]
    else:  # USD a million tokens, by provider
        providers = item.get("providers")
        offers = [
            (pricing.get("input"), pricing.get("output"), 1.0)
            for provider in (providers if isinstance(providers, list) else ())
            if isinstance(provider, Mapping)
            and provider.get("status", "live") == "live"
            and isinstance(pricing := provider.get("pricing"), Mapping)
        ]
    try:
        amounts = [(float(read) * scale, float(made) * scale) for read, made, scale in offers]
    except (TypeError, ValueError):
        return None
    if not amounts or min(map(min, amounts)) < 0:
        return None
    return Price(
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        input=max(read for read, _ in amounts),
        output=max(made for _, made in amounts),
        source=f"the list of {family.id.partition('/')[0]}",
    )


class ServiceLists:
    """Keeps the lists of services in memory, by service and key; safe to use from many threads.

    What is said of a model holds for everybody; that it is listed, for its key alone.
    """

    def __init__(self) -> None:
        self._specs: dict[str, ModelSpec] = {}
        self._lists: OrderedDict[tuple[str, str], tuple[str, ...]] = OrderedDict()
        self._answered = set[tuple[str, str]]()
        self._salt = os.urandom(16)
        self._lock = threading.Lock()

    def keep(self, family: ModelSpec, keys: ApiKeys, specs: Sequence[ModelSpec]) -> None:
        """Keep what a service lists for a key."""
        with self._lock:
            self._specs |= {spec.id: spec for spec in specs}
            self._lists[self._place(family, keys)] = tuple(spec.id for spec in specs)
            self._lists.move_to_end(self._place(family, keys))
            if len(self._lists) > MAX_LISTS:
                self._lists.popitem(last=False)

    def spec(self, name: str) -> ModelSpec | None:
        """Return what a service said of a model; None where none was asked about it."""
        return self._specs.get(name)

    def names(self, family: ModelSpec, keys: ApiKeys) -> tuple[str, ...] | None:
        """Return the ids of the models that a service lists for a key; None: it was not asked."""
        return self._lists.get(self._place(family, keys))

    def offered_models(self, family: ModelSpec, keys: ApiKeys) -> list[ModelSpec]:
        """Return the listed models to offer: those preferred, then the cheapest, in each role."""
        specs = [self._specs[name] for name in self.names(family, keys) or ()]
        offered = dict[str, ModelSpec]()
        for role in family.roles:
            offered |= {spec.id: spec for spec in rank_models(specs, role)[:OFFERED]}
        return list(offered.values())

    def unlisted_reason(self, family: ModelSpec, spec: ModelSpec, keys: ApiKeys) -> str | None:
        """Return why a model of a service is not to be had, in one sentence; None: it may be.

        Where the service was not asked, the known dates of retirement hold.
        """
        names = self.names(family, keys)
        gone = retirement(spec)
        if names is None:
            elsewhere = family.base_url is None and os.environ.get("OPENAI_BASE_URL", "").strip()
            return gone.sentence(spec.title) if gone and gone.is_over() and not elsewhere else None
        if spec.id in names:
            return None
        if gone:
            return gone.sentence(spec.title)
        others = ", ".join(each.title for each in self.offered_models(family, keys)[:3])
        service = family.id.partition("/")[0]
        return f"{service} does not list {spec.title!r} for this key; it lists {others or 'none'}."

    def has_answered(self, spec: ModelSpec, keys: ApiKeys) -> bool:
        """Return whether a model has answered a call with this key since the process began."""
        return self._place(spec, keys) in self._answered

    def note_answer(self, spec: ModelSpec, keys: ApiKeys) -> None:
        """Remember that a model has answered a call with this key."""
        self._answered.add(self._place(spec, keys))

    def _place(self, family: ModelSpec, keys: ApiKeys) -> tuple[str, str]:
        secret = (keys.get(family.key) if family.key else None) or ""
        return family.id, hashlib.sha256(self._salt + secret.encode()).hexdigest()


def rank_models(specs: Iterable[ModelSpec], role: Role) -> list[ModelSpec]:
    """Return the models of one service that fill a role: preferred, then by price, unknown last.

    Those that the service is about to shut down are among the last.
    """
    able = [spec for spec in specs if spec.fills(role)]
    if not able:
        return []
    preferred = service_facts(able[0]).prefer.get(role, ())

    def rank(spec: ModelSpec) -> tuple[int, bool, float]:
        name = spec.repository or ""
        place = preferred.index(name) if name in preferred else len(preferred)
        price = spec.price
        cost = price.input + price.output + price.picture if price else float("inf")
        return place, retirement(spec) is not None, cost

    return sorted(able, key=rank)
