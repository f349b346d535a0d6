"""Reads the models that HallaScope knows from ``models.yaml``."""

import datetime
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, AliasChoices, BeforeValidator, ConfigDict, Field

from hallascope.data.lexicon import vocabulary_names
from hallascope.data.requests import Role, Setting, Usage
from hallascope.data.yaml_file import BadYaml, nearest_sentence, read_entries

ModelOrigin = Literal["simulated", "trained", "api", "local"]
Service = Literal["openai", "azure"]
# what a generator may be given beside a prompt: definitions, reference pictures
Knowledge = Literal["text", "visual"]
KNOWLEDGE: tuple[Knowledge, ...] = get_args(Knowledge)
FILE = Path(__file__).with_name("models.yaml")
CURRENCY = "USD"
GB = 10**9  # bytes
# Which model fills a role where nobody chooses one. A reader, a writer and a parser are had only
# where somebody does.
DEFAULTS: Mapping[Role, str] = {
    "captioner": "primer/judge",
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "embedder": "primer/embedder",
}
# Metrics that are named after the model they ask, whatever else fills its role.
OF_METRIC: Mapping[str, Mapping[Role, str]] = {
    "dino": {"embedder": "dinov2-base"},
    "dino-v1": {"embedder": "dino-vit-small"},
    "blip-itm": {"embedder": "blip-itm-base"},
}
ANY = "/*"  # the end of the name of an entry that stands for every model of a service


FREE = "free"
PRICE_FIELDS = ("input", "output", "picture", "picture_tokens")


def _checked_day(text: str) -> str:
    try:
        is_day = len(text) == 10 and datetime.date.fromisoformat(text) is not None
    except ValueError:
        is_day = False
    if not is_day:
        raise ValueError(
            f"{text!r} is no day: write the day on which the price held, like 2026-04-06."
        )
    return text


def _price_fields(value: Any) -> Any:
    """Return what stands under `price` as fields: nothing, the word ``free``, or amounts in USD."""
    if value == FREE:
        return Price()
    if not isinstance(value, dict):
        return value
    amounts = {"date": "", **value}
    currency = amounts.pop("currency", CURRENCY)
    if currency != CURRENCY:
        raise ValueError(f"The currency is {currency!r}: give the price in {CURRENCY}.")
    return amounts


def _checked_vocabulary(name: str) -> str:
    known = vocabulary_names()
    if name not in known:
        raise ValueError(f"There is no vocabulary {name!r}: {nearest_sentence(name, known)}")
    return name


def _empty_tuple(value: Any) -> Any:
    return () if value is None else value


CheckedDay = Annotated[str, AfterValidator(_checked_day)]  # ISO
PriceAmount = Annotated[
    float,
    Field(ge=0, strict=True, allow_inf_nan=False, description=f"an amount in {CURRENCY} from 0"),
]
Count = Annotated[int, Field(ge=0, strict=True, description="a whole number from 0")]
Gigabytes = Annotated[
    float, Field(gt=0, strict=True, allow_inf_nan=False, description="a number of GB above 0")
]
Flag = Annotated[bool, Field(strict=True, description="true or false")]
FilledText = Annotated[str, Field(min_length=1, description="a text")]


@dataclass(frozen=True)
class Price:
    """Holds a service's prices on `date` (ISO) in USD: a million tokens, and a picture.

    Tokens are read or written; a picture is made.

    `picture_tokens` is what one picture, read or made, counts for in an estimate; the bill goes by
    what the service counted. `source`: who says so, like "genai-prices 0.2.3".
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    date: CheckedDay = ""
    input: PriceAmount = 0.0
    output: PriceAmount = 0.0
    picture: PriceAmount = 0.0
    picture_tokens: Count = 0
    source: str = "your entry"

    @property
    def origin(self) -> str:
        """Return who says so, and of which day."""
        return ", ".join(filter(None, (self.source, self.date)))

    def cost(self, usage: Usage) -> float:
        """Return what these tokens and pictures cost, in USD."""
        return (
            self.input * usage.input_tokens + self.output * usage.output_tokens
        ) / 1e6 + self.picture * usage.pictures


@dataclass(frozen=True, kw_only=True)
class ModelSpec:
    """Holds one entry of ``data/models/models.yaml``.

    `needs` names what must be there: gpu, key:NAME, download, package:NAME, env:NAME.

    `memory_gb`: what it takes while it works, with its entry's settings, in GB. `size_gb`: what is
    downloaded of its repository, in GB. `gated`: its owners give it only to those who accepted
    their conditions on its page. `base_url` is where an API lives (None: where the library looks
    itself); ``${NAME}`` in it is taken from the environment. `price` None: nobody here knows it. An
    entry whose id ends in ``/*`` stands for every model of a service. `ranks`: as a judge it ranks
    choices and follows no instructions, so that it cannot be asked for an answer of a given form.
    `knowledge`: what it can use as a generator, definitions in the prompt (text) or reference
    pictures (visual). `members`: the models that it answers through and that are called in its
    place: the judges of a jury, or the detector or captioner whose replies a judge reads.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", coerce_numbers_to_str=True
    )

    id: str
    title: FilledText
    roles: Annotated[
        tuple[Role, ...], Field(min_length=1, description="a list of roles, like [judge]")
    ]
    backend: Annotated[str, Field(min_length=1, description="the name of a backend, like openai")]
    repository: str | None = None
    revision: str | None = None
    license: Annotated[str | None, Field(validation_alias=AliasChoices("license", "licence"))] = (
        None
    )
    note: str = ""
    settings: Annotated[
        Mapping[str, Annotated[Setting, Field(description="a text, a number, true or false")]],
        BeforeValidator(lambda value: {} if value is None else value),
        Field(description="settings as `{name: value}`"),
    ] = field(default_factory=dict)
    needs: Annotated[
        tuple[str, ...],
        BeforeValidator(_empty_tuple),
        Field(description="a list, like [gpu, download]"),
    ] = ()
    memory_gb: Gigabytes | None = None
    size_gb: Gigabytes | None = None
    gated: Flag = False
    kind: ModelOrigin = "local"
    base_url: (
        Annotated[
            str,
            Field(
                pattern=r"^(https?://|\$\{)",
                description="an address that begins with http://, https:// or ${NAME}",
            ),
        ]
        | None
    ) = None
    service: Service = "openai"
    price: Annotated[
        Price | None,
        BeforeValidator(_price_fields),
        Field(description=f"`free`, or date, {', '.join(PRICE_FIELDS)} with amounts in {CURRENCY}"),
    ] = None
    ranks: Flag = False
    knowledge: Annotated[
        tuple[Knowledge, ...],
        BeforeValidator(_empty_tuple),
        Field(description="a list, like [text]"),
    ] = ("text",)
    vocabulary: Annotated[str, AfterValidator(_checked_vocabulary)] = "general"
    members: Annotated[
        tuple[str, ...],
        BeforeValidator(_empty_tuple),
        Field(description="a list of models, like [primer/judge, primer/counter]"),
    ] = ()

    @property
    def key(self) -> str | None:
        """Return the name of the key it needs, None where it needs none."""
        return next(
            (need.removeprefix("key:") for need in self.needs if need.startswith("key:")), None
        )

    def fills(self, role: Role) -> bool:
        """Return whether the model can fill a role; a writer also reads prompts, as a parser."""
        return role in self.roles or (role == "parser" and "writer" in self.roles)

    @property
    def source(self) -> str:
        """Return where its files lie, or what its service calls it."""
        return self.repository or self.id

    @property
    def is_embedded(self) -> bool:
        """Return whether its weights ship with HallaScope: it knows Primer's drawn style alone."""
        return self.source.startswith("embedded:")

    @property
    def is_shipped(self) -> bool:
        """Return whether the model ships with HallaScope: it costs nothing and needs no network."""
        here = self.is_embedded or not self.repository
        return here and self.kind in ("simulated", "trained")

    @property
    def ships_weights(self) -> bool:
        """Return whether the model has weights of its own that ship with HallaScope."""
        return self.is_shipped and self.kind == "trained" and not self.members

    @property
    def family(self) -> bool:
        """Return whether the entry stands for every model of a service."""
        return self.id.endswith(ANY)


class BadModels(ValueError):
    """The file of models is not as it should be; the message names file, entry and field."""


MORE = "HALLASCOPE_MODELS"  # the environment variable that names a second file of models


def read_models(path: Path | None = None) -> Mapping[str, ModelSpec]:
    """Return the models of a file by id, in its order. Raises BadModels with one sentence.

    Without `path`: ours, with the entries of the file that HALLASCOPE_MODELS names added to them,
    or in their place.
    """
    if path:
        return _read_specs(path, _stamp(path))
    more = os.environ.get(MORE, "").strip()
    shipped = _read_specs(FILE)
    return {**shipped, **read_models(Path(more))} if more else shipped


def _stamp(path: Path) -> tuple[int, int]:
    """Return what changes when a person writes into a file."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@cache
def _read_specs(path: Path, stamp: tuple[int, int] | None = None) -> Mapping[str, ModelSpec]:
    try:
        return read_entries(path, ModelSpec)
    except BadYaml as error:
        raise BadModels(error.first) from error
