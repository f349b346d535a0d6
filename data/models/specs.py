"""Reads the models that HallaScope knows from ``models.yaml``.

It does not know whether they can run.
"""

import datetime
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from hallascope.data.requests import ROLES, Role, Setting, Usage

Kind = Literal["simulated", "trained", "api", "local"]
Service = Literal["openai", "azure"]
Knowledge = Literal[
    "text", "visual"
]  # what a generator may be given beside a prompt: definitions, reference pictures
KNOWLEDGE: tuple[Knowledge, ...] = get_args(Knowledge)
FILE = Path(__file__).with_name("models.yaml")
CURRENCY = "USD"
# Which model fills a role where nobody chooses one. A reader and a writer are had only where
# somebody does.
DEFAULTS: Mapping[Role, str] = {
    "captioner": "primer/judge",
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "embedder": "primer/embedder",
}
# Metrics that are named after the model they ask, whatever else fills its role.
OF_METRIC: Mapping[str, Mapping[Role, str]] = {
    "dino": {"embedder": "dinov2-base"},
    "blip-itm": {"embedder": "blip-itm-base"},
}
ANY = "/*"  # the end of the name of an entry that stands for every model of a service


@dataclass(frozen=True)
class Price:
    """What a service asked on the day `date` (ISO), in USD: for a million tokens read or written,
    and for a picture made.

    `picture_tokens` is what one picture, read or made, counts for in an estimate; the bill goes by
    what the service counted.
    """

    date: str = ""
    input: float = 0.0
    output: float = 0.0
    picture: float = 0.0
    picture_tokens: int = 0

    def cost(self, usage: Usage) -> float:
        """What these tokens and pictures cost, in USD."""
        return (
            self.input * usage.input_tokens + self.output * usage.output_tokens
        ) / 1e6 + self.picture * usage.pictures


@dataclass(frozen=True)
class ModelSpec:
    """One entry of ``data/models/models.yaml``.

    `needs` names what must be there: gpu, key:NAME, download, package:NAME, env:NAME.

    `memory_gb`: what it takes while it works, with its entry's settings, in GB. `size_gb`: what is
    downloaded of its repository, in GB. `gated`: its owners give it only to those who accepted
    their conditions on its page. `base_url` is where an API lives (None: where the library looks
    itself); ``${NAME}`` in it is taken from the environment. `price` None: nobody here knows it. An
    entry whose id ends in ``/*`` stands for every model of a service. `ranks`: as a judge it ranks
    choices and follows no instructions, so that it cannot be asked for an answer of a given form.
    `knowledge`: what it can use as a generator, definitions in the prompt (text) or reference
    pictures (visual).
    """

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
    size_gb: float | None = None
    gated: bool = False
    kind: Kind = "local"
    base_url: str | None = None
    service: Service = "openai"
    price: Price | None = None
    ranks: bool = False
    knowledge: tuple[Knowledge, ...] = ("text",)
    vocabulary: str = "general"

    @property
    def key(self) -> str | None:
        """The name of the key it needs, None where it needs none."""
        return next(
            (need.removeprefix("key:") for need in self.needs if need.startswith("key:")), None
        )

    @property
    def family(self) -> bool:
        """Whether the entry stands for every model of a service."""
        return self.id.endswith(ANY)


class BadModels(ValueError):
    """The file of models is not as it should be; the message names file, entry and field."""


_FIELDS = frozenset(ModelSpec.__dataclass_fields__) - {"id"}
VOCABULARIES = Path(__file__).parents[1] / "vocabularies"
_PRICES = ("input", "output", "picture", "picture_tokens")
FREE = "free"
MORE = "HALLASCOPE_MODELS"  # the environment variable that names a second file of models


def read_models(path: Path | None = None) -> Mapping[str, ModelSpec]:
    """The models of a file by id, in the order of the file. Raises BadModels with one sentence.

    Without `path`: ours, with the entries of the file that HALLASCOPE_MODELS names added to them,
    or in their place.
    """
    if path:
        return _read(path)
    more = os.environ.get(MORE, "").strip()
    return {**_read(FILE), **_read(Path(more))} if more else _read(FILE)


@cache
def _read(path: Path) -> Mapping[str, ModelSpec]:
    import yaml

    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise BadModels(
            f"The file of models {str(path)!r} cannot be read ({said}): mend it, or give another."
        ) from error
    if not isinstance(entries, dict):
        raise BadModels(
            f"The file of models {str(path)!r} holds no entries: write one a model, `id: {{title, roles, backend}}`."
        )
    return {str(name): _spec(str(name), entry, path) for name, entry in entries.items()}


def find(models: Mapping[str, ModelSpec], name: str) -> ModelSpec | None:
    """The entry of that name, or one made from its service's entry: "ollama/llava" from "ollama/*"."""
    if name in models:
        return models[name]
    service, _, model = name.partition("/")
    family = models.get(service + ANY)
    if family is None or not model or model == "*":
        return None
    return replace(family, id=name, title=model, repository=model)


def _spec(name: str, entry: Any, path: Path) -> ModelSpec:
    where = f"The entry {name!r} of {path.name!r}"
    _check_fields(entry, where)
    _check_values(entry, where)
    plain = {
        "roles": tuple(entry["roles"]),
        "needs": tuple(entry.get("needs") or ()),
        "settings": dict(entry.get("settings") or {}),
        "price": _price(entry.get("price"), where),
        "knowledge": tuple(entry["knowledge"] or ())
        if "knowledge" in entry
        else ModelSpec.knowledge,
    }
    return ModelSpec(name, **{**entry, **plain})


def _check_fields(entry: Any, where: str) -> None:
    if not isinstance(entry, dict):
        raise BadModels(
            f"{where} is not a list of fields: write at least title, roles and backend."
        )
    if unknown := sorted(str(name) for name in set(entry) - _FIELDS):
        raise BadModels(
            f"{where} has the unknown field {unknown[0]!r}: use {', '.join(sorted(_FIELDS))}."
        )
    if missing := [f for f in ("title", "roles", "backend") if not entry.get(f)]:
        raise BadModels(f"{where} has no {missing[0]!r}: add it.")
    for several in ("roles", "needs", "knowledge"):
        if not isinstance(entry.get(several) or [], list):
            raise BadModels(
                f"{where} has {several} {entry[several]!r}: write them as a list, [{entry[several]}]."
            )
    if not isinstance(entry.get("settings") or {}, dict):
        raise BadModels(
            f"{where} has settings {entry['settings']!r}: write them as `{{name: value}}`."
        )


def _check_values(entry: Mapping[str, Any], where: str) -> None:
    if wrong := [role for role in entry["roles"] if role not in ROLES]:
        raise BadModels(f"{where} has the unknown role {wrong[0]!r}: use {', '.join(ROLES)}.")
    if other := [one for one in entry.get("knowledge") or () if one not in KNOWLEDGE]:
        raise BadModels(
            f"{where} has the unknown knowledge {other[0]!r}: use {', '.join(KNOWLEDGE)}."
        )
    for closed, values in (("kind", get_args(Kind)), ("service", get_args(Service))):
        if closed in entry and entry[closed] not in values:
            raise BadModels(
                f"{where} has the unknown {closed} {entry[closed]!r}: use {', '.join(values)}."
            )
    for switch in ("ranks", "gated"):
        if not isinstance(entry.get(switch, False), bool):
            raise BadModels(f"{where} has {switch} {entry[switch]!r}: write true or false.")
    for size in ("memory_gb", "size_gb"):
        if entry.get(size) is not None and not (
            _is_amount(entry[size], whole=False) and entry[size] > 0
        ):
            raise BadModels(f"{where} has {size} {entry[size]!r}: give a number of GB above 0.")
    known = sorted(path.stem for path in VOCABULARIES.glob("*.txt"))
    if entry.get("vocabulary", ModelSpec.vocabulary) not in known:
        raise BadModels(
            f"{where} has the unknown vocabulary {entry['vocabulary']!r}: use {', '.join(known)}."
        )
    address = entry.get("base_url")
    if address is not None and not str(address).startswith(("http://", "https://", "${")):
        raise BadModels(
            f"{where} has a base_url that does not begin with http://, https:// or ${{NAME}}: mend it."
        )


def _price(said: Any, where: str) -> Price | None:
    """What stands under `price`: nothing, the word ``free``, or amounts in USD and the day they
    held.
    """
    if said is None:
        return None
    if said == FREE:
        return Price()
    if not isinstance(said, dict):
        raise BadModels(
            f"{where} has the price {said!r}: write `free`, or date, {', '.join(_PRICES)} with amounts in {CURRENCY}."
        )
    if unknown := sorted(str(name) for name in set(said) - {"date", "currency", *_PRICES}):
        raise BadModels(
            f"{where} has the unknown field {unknown[0]!r} in its price: use date, {', '.join(_PRICES)}."
        )
    if said.get("currency", CURRENCY) != CURRENCY:
        raise BadModels(f"{where} has a price in {said['currency']!r}: give it in {CURRENCY}.")
    if not _is_day(date := str(said.get("date") or "")):
        raise BadModels(
            f"{where} has a price with the date {date!r}: write the day on which it held, like 2026-04-06."
        )
    for name in _PRICES:
        if not _is_amount(amount := said.get(name, 0), whole=name == "picture_tokens"):
            number = "a whole number" if name == "picture_tokens" else f"an amount in {CURRENCY}"
            raise BadModels(f"{where} has {name!r} {amount!r} in its price: give {number} from 0.")
    return Price(date, **{name: said[name] for name in _PRICES if name in said})


def _is_day(text: str) -> bool:
    try:
        return len(text) == 10 and datetime.date.fromisoformat(text) is not None
    except ValueError:
        return False


def _is_amount(value: object, whole: bool) -> bool:
    kinds = int if whole else int | float
    return isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value < float("inf")
