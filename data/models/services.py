"""Says what is known of a service's models by name: what they do, cost and are replaced by."""

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import ANY, CheckedDay, ModelSpec, Price
from hallascope.data.requests import Role, Setting
from hallascope.data.yaml_file import read_entries

FILE = Path(__file__).with_name("services.yaml")


@dataclass(frozen=True)
class ModelGroup:
    """Holds what the models of a service can do whose names begin as `names` says.

    `names` is a regular expression. `settings` go before those of the service's entry;
    `picture_tokens` are what one image counts for in an estimate with these settings, and
    `quality_tokens` in each quality at this size.
    """

    names: str
    roles: tuple[Role, ...]
    settings: Mapping[str, Setting] = field(default_factory=dict)
    picture_tokens: int = 0
    quality_tokens: Mapping[str, int] = field(default_factory=dict)

    def count_tokens(self, settings: Mapping[str, Setting]) -> int:
        """Return what one picture counts for with these settings; a quality left open is high."""
        if not self.quality_tokens:
            return self.picture_tokens
        quality = str(settings.get("quality"))
        tokens = self.quality_tokens.get(quality, self.quality_tokens["high"])
        usual = _pixels(self.settings.get("size"))
        pixels = _pixels(settings.get("size")) or usual
        return -(-tokens * pixels // usual) if usual else tokens


def _pixels(size: Setting) -> int:
    """Return how many pixels "1536x1024", or a side, means; 0 where that is left open."""
    sides = [int(side) for side in re.findall(r"\d+", str(size))]
    return sides[0] * sides[-1] if sides else 0


@dataclass(frozen=True)
class Retirement:
    """Holds models that a service shuts down on a day (ISO; "": some time ago), and a successor.

    Models that are only `deprecated` still answer: nobody has said when they go.
    """

    names: tuple[str, ...]
    instead: str
    date: CheckedDay = ""
    deprecated: bool = False

    def is_over(self) -> bool:
        """Return whether the models are gone on this day in UTC."""
        return not self.deprecated and self.date <= _today().isoformat()

    def sentence(self, name: str) -> str:
        """Return what happened, or will happen, to the model of that name, and what to use."""
        day = f" on {self.date}" if self.date else ""
        what = f"was shut down{day}" if self.is_over() else f"will be shut down{day}"
        if self.deprecated:
            what = "is deprecated by its service"
        return f"{name} {what}; use {self.instead} instead."


@dataclass(frozen=True, kw_only=True)
class ServiceFacts:
    """Holds one entry of ``data/models/services.yaml``, as its head describes it."""

    id: str
    read: CheckedDay
    prices: str = ""
    groups: tuple[ModelGroup, ...] = ()
    prefer: Mapping[Role, tuple[str, ...]] = field(default_factory=dict)
    retired: tuple[Retirement, ...] = ()

    def group(self, model: str) -> ModelGroup | None:
        """Return the group of a model's name; None where no group takes it."""
        return next((each for each in self.groups if re.match(each.names, model)), None)


@cache
def read_services() -> Mapping[str, ServiceFacts]:
    """Return the facts of each service by its name, like "openai"."""
    return read_entries(FILE, ServiceFacts)


def service_facts(spec: ModelSpec) -> ServiceFacts:
    """Return the facts of the service that an entry, or one of its models, belongs to."""
    name = spec.id.partition("/")[0]
    return read_services().get(name) or ServiceFacts(id=name, read="")


def find(models: Mapping[str, ModelSpec], name: str) -> ModelSpec | None:
    """Return the entry of that name, or make it of its service's: "ollama/llava" of "ollama/*"."""
    if name in models:
        return _with_package_price(models[name])
    service, _, model = name.partition("/")
    family = models.get(service + ANY)
    if family is None or not model or model == "*":
        return None
    return service_model(family, model)


def service_model(family: ModelSpec, model: str) -> ModelSpec:
    """Return the entry of one model of a service, with what is known by its name.

    Its price is that of the package genai-prices for this day, else of the service's entry. Where
    it is shut down, or going to be, its note says so.
    """
    name = family.id.removesuffix("*") + model
    spec = replace(family, id=name, title=model, repository=model)
    facts = service_facts(family)
    group = facts.group(model)
    if group and group.roles:
        settings = {**spec.settings, **group.settings}
        spec = replace(spec, roles=group.roles, settings=settings)
    gone = retirement(spec)
    return _with_package_price(replace(spec, note=gone.sentence(model)) if gone else spec)


def _with_package_price(spec: ModelSpec) -> ModelSpec:
    """Return an entry with the price that the package knows of its model, if any."""
    facts = service_facts(spec)
    if spec.backend != "openai" or spec.family or not facts.prices:
        return spec
    model = spec.source
    group = facts.group(model)
    stated = spec.price.picture_tokens if spec.price else 0
    tokens = stated or (group.count_tokens(spec.settings) if group else 0)
    draws = spec.roles == ("generator",)
    known = _package_price(facts.prices, model, draws, tokens, _today())
    return replace(spec, price=known) if known else spec


def retirement(spec: ModelSpec) -> Retirement | None:
    """Return when a model of a service is shut down; None where nobody has said so."""
    name = spec.repository or spec.id.partition("/")[2]
    facts = service_facts(spec)
    found = next((each for each in facts.retired if name in each.names), None)
    if found or not facts.prices:
        return found
    known = _package_model(facts.prices, name)
    if known is None or not known.deprecated:
        return None
    successors = facts.prefer.get(spec.roles[0], ())
    return Retirement((name,), next(iter(successors), "another model"), deprecated=True)


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


def _package_model(provider: str, model: str) -> Any:
    """Return what genai-prices has of a model; None where it has nothing."""
    from genai_prices.data_snapshot import get_snapshot

    try:
        return get_snapshot().find_provider_model(model, None, provider, None)[1]
    except LookupError:
        return None


@cache
def _package_price(
    provider: str, model: str, draws: bool, picture_tokens: int, day: datetime.date
) -> Price | None:
    """Return the price that genai-prices gives for a day; None where it knows none."""
    known = _package_model(provider, model)
    if known is None:
        return None
    noon = datetime.datetime.combine(day, datetime.time(12), datetime.UTC)
    prices = known.get_prices(noon)
    written = (prices.output_image_mtok if draws else None) or prices.output_mtok
    if prices.input_mtok is None or written is None:
        return None
    return Price(
        date=day.isoformat(),
        input=_amount(prices.input_mtok),
        output=_amount(written),
        picture_tokens=picture_tokens,
        source=f"genai-prices {version('genai-prices')}",
    )


def _amount(price: Any) -> float:
    """Return USD a million tokens; of a price by the size of the request, the dearest."""
    if isinstance(price, Decimal | int | float):
        return float(price)
    return float(max(price.base, *(tier.price for tier in price.tiers)))
