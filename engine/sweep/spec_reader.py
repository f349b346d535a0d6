"""Reads the YAML of a sweep and names every fault with its line.

It reads no prompts and knows no model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from hallascope.data.models.specs import CURRENCY, Knowledge
from hallascope.data.yaml_file import BadYaml, Document, Fault, read_document
from hallascope.engine.errors import BadRequest
from hallascope.engine.run.validation import MAX_TRIALS, checked_prompt
from hallascope.engine.sweep.spec import BadSpec, PromptSource, SourceKind, Spec

MAX_SEED = 2**31 - 1
MAX_SEEDS = 4096
_LONGEST = 1_000_000  # prompts that may be drawn
_CLOSED = ConfigDict(extra="forbid")
_UNSAID: Any = None  # the default of a key whose value, where it is said, is never None
T = TypeVar("T")


def read(path: Path) -> Spec:
    """Return the sweep that a file says.

    Raises BadSpec with a sentence for every fault, BadRequest where the file cannot be opened.
    """
    try:
        return _spec(read_document(path, texts=True), path)
    except BadYaml as error:
        raise _complaint(error, path) from None


def parse(text: str, path: Path) -> Spec:
    """Return the sweep that a text says; `path` is where it stands. Raises BadSpec."""
    try:
        return _spec(Document(text, str(path), texts=True), path)
    except BadYaml as error:
        raise _complaint(error, path) from None


def _complaint(error: BadYaml, path: Path) -> BadRequest:
    return BadSpec(str(path), error.faults) if error.faults else BadRequest(str(error))


# --- kinds of values; every scalar comes as a text ---------------------------------------------


def _one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _each_once(values: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _none(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip().casefold() == "none" else value


def _whole(least: int, most: int) -> Any:
    return Field(ge=least, le=most, description=f"a whole number from {least:,} to {most:,}")


SpecText = Annotated[
    str,
    BeforeValidator(_one_line),
    Field(min_length=1, description="a text, in quotes where it has signs of YAML in it"),
]
SpecAmount = Annotated[
    float,
    Field(
        ge=0, allow_inf_nan=False, description=f"an amount of money in {CURRENCY} from 0, e.g. 5.00"
    ),
]
SpecSeed = Annotated[int, _whole(0, MAX_SEED)]
SampleSize = Annotated[int, _whole(1, _LONGEST)]


@dataclass(frozen=True)
class _SeedRange:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    first: SpecSeed = 0
    count: Annotated[int, _whole(1, MAX_SEEDS)] = 1


def _seeds(value: tuple[int, ...] | _SeedRange) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return _each_once(value)
    end = value.first + value.count
    if end - 1 > MAX_SEED:
        raise ValueError(f"The last of these seeds is over {MAX_SEED:,}: begin with a smaller one.")
    return tuple(range(value.first, end))


def _kind_of_seeds(value: Any) -> str:
    return "(range)" if isinstance(value, dict) else "(list)"


SpecSeeds = Annotated[
    Annotated[tuple[SpecSeed, ...], Field(min_length=1), Tag("(list)")]
    | Annotated[_SeedRange, Tag("(range)")],
    Discriminator(_kind_of_seeds),
    AfterValidator(_seeds),
    Field(description="a list of seeds, [0], or {first: 0, count: 3}"),
]

# --- sources of prompts --------------------------------------------------------------------------


@dataclass(frozen=True)
class _PrimerSource:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    count: SampleSize = 200
    seed: SpecSeed = 0


@dataclass(frozen=True)
class _StoredSource:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    path: Annotated[SpecText, Field(description="`path:` with its file or folder")]
    sample: SampleSize = _UNSAID
    seed: SpecSeed = 0


@dataclass(frozen=True)
class _SplitSource(_StoredSource):
    split: SpecText = _UNSAID


def _with_path(value: Any) -> Any:
    return {"path": value} if isinstance(value, str) else value


StoredSourceEntry = Annotated[
    _StoredSource, BeforeValidator(_with_path), Field(description="a path, or {path, sample, seed}")
]
SplitSourceEntry = Annotated[
    _SplitSource,
    BeforeValidator(_with_path),
    Field(description="a path, or {path, split, sample, seed}"),
]


@dataclass(frozen=True, kw_only=True)
class _OneSource:
    """A source of prompts under the key that says its kind."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    primer: _PrimerSource = _UNSAID
    file: StoredSourceEntry = _UNSAID
    questions: StoredSourceEntry = _UNSAID
    ihalla: StoredSourceEntry = _UNSAID
    factualbench: StoredSourceEntry = _UNSAID
    t2i_compbench: Annotated[SplitSourceEntry, Field(alias="t2i-compbench")] = _UNSAID
    drawbench: StoredSourceEntry = _UNSAID
    coco: SplitSourceEntry = _UNSAID

    def given_sources(self) -> Iterator[tuple[SourceKind, _PrimerSource | _StoredSource]]:
        """Yield each source that the file says, with its kind."""
        for one in fields(self):
            if (source := getattr(self, one.name)) is not None:
                yield cast("SourceKind", one.name.replace("_", "-")), source


def _prompt(text: str) -> PromptSource:
    try:
        return PromptSource(kind="text", path=checked_prompt(text))
    except BadRequest as error:
        raise ValueError(str(error)) from error


def _source(found: _OneSource) -> PromptSource:
    said = list(found.given_sources())
    if len(said) != 1:
        raise ValueError(
            f"{len(said)} keys stand where one source of prompts belongs: write each as an item of"
            " its own (`- file: PATH`)."
        )
    ((kind, source),) = said
    if isinstance(source, _PrimerSource):
        return PromptSource(kind=kind, sample=source.count, seed=source.seed)
    split = source.split if isinstance(source, _SplitSource) else None
    return PromptSource(
        kind=kind, path=source.path, sample=source.sample, seed=source.seed, split=split
    )


def _kind_of_prompt(value: Any) -> str:
    return "(source)" if isinstance(value, dict) else "(text)"


def _items(value: Any) -> Any:
    """Return a text alone as the one file that it names."""
    return [{"file": value}] if isinstance(value, str) else _as_list(value)


PromptSources = Annotated[
    tuple[
        Annotated[
            Annotated[SpecText, AfterValidator(_prompt), Tag("(text)")]
            | Annotated[_OneSource, AfterValidator(_source), Tag("(source)")],
            Discriminator(_kind_of_prompt),
        ],
        ...,
    ],
    BeforeValidator(_items),
    Field(
        min_length=1,
        description="prompts, e.g. `prompts: [a ladybug]`, or see examples/primer.yaml",
    ),
]

# --- the file
# --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Lineup:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    judge: Annotated[SpecText | None, BeforeValidator(_none)] = None
    captioner: SpecText = ""
    writer: SpecText = ""
    detector: SpecText = ""
    segmenter: SpecText = ""
    embedder: SpecText = ""
    reader: SpecText = ""


@dataclass(frozen=True, kw_only=True)
class SweepFile:
    """The keys of the file in the order of docs/sweeps.md; those of `Spec`, but `lineup`."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    title: SpecText = field(default="", kw_only=True)
    prompts: PromptSources
    models: Annotated[
        tuple[SpecText, ...],
        BeforeValidator(_as_list),
        AfterValidator(_each_once),
        Field(min_length=1, description="generators by name, e.g. `models: [primer/exact]`"),
    ]
    metrics: Annotated[
        tuple[SpecText, ...], BeforeValidator(_as_list), AfterValidator(_each_once)
    ] = ()
    judge: Annotated[SpecText | None, BeforeValidator(_none)] = None
    lineup: _Lineup = field(default_factory=_Lineup)
    trials: Annotated[int, _whole(1, MAX_TRIALS)] = 1
    seeds: SpecSeeds = (0,)
    inject: Annotated[
        tuple[Knowledge, ...], BeforeValidator(_as_list), AfterValidator(_each_once)
    ] = ()
    budget: SpecAmount = 0.0
    budget_day: SpecAmount = 0.0
    unpriced: Annotated[bool, Field(description="true or false")] = False
    store: SpecText = ""


def _spec(document: Document, path: Path) -> Spec:
    file: SweepFile = document.read(SweepFile, document.value)
    said = {name: getattr(file, name) for name in document.value if name != "lineup"}
    roles = {role: getattr(file.lineup, role) for role in document.value.get("lineup", {})}
    if "judge" in said and "judge" in roles:
        twice = "The judge is named twice: leave it out of `lineup`, or leave out `judge`."
        raise BadYaml.in_file(document.file, [Fault(document.line("judge"), twice)])
    if "judge" in roles:
        said["judge"] = roles.pop("judge")
    sources = cast("tuple[PromptSource, ...]", file.prompts)
    said["prompts"] = _each_once(tuple(_with_lines(sources, document)))
    return Spec(**said, roles=roles, file=path, lines=_lines(document))


def _with_lines(sources: tuple[PromptSource, ...], document: Document) -> Iterator[PromptSource]:
    """Yield the sources with their lines."""
    for number, source in enumerate(sources):
        yield replace(source, line=document.line("prompts", number))


def _lines(document: Document) -> Mapping[str, int]:
    """Return where every key stands, and the names under it; sources of prompts know their own."""
    lines: dict[str, int] = {}
    for key, value in document.value.items():
        lines[key] = document.line(key)
        for part, name in _names(value) if key != "prompts" else ():
            lines.setdefault(f"{key} {_one_line(name)}", document.line(key, *part))
    return lines


def _names(value: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the texts of a value that is one, a list of them, or a mapping to them.

    With its part.
    """
    match value:
        case str():
            yield (), value
        case list():
            yield from (
                ((number,), item) for number, item in enumerate(value) if isinstance(item, str)
            )
        case dict():
            yield from (((key,), item) for key, item in value.items() if isinstance(item, str))
