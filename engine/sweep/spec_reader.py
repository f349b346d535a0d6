"""Reads the YAML of a sweep and names every fault with its line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from hallascope.data.models.specs import CURRENCY, Knowledge
from hallascope.data.prompt_reading import PromptReader
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import SHIPPED, find_folder
from hallascope.data.yaml_file import BadYaml, Document, Fault, read_document
from hallascope.engine.errors import BadRequest
from hallascope.engine.run.validation import MAX_TRIALS, checked_prompt
from hallascope.engine.sweep.spec import KINDS, BadSpec, PromptSource, SourceKind, Spec

MAX_SEED = 2**31 - 1
MAX_SEEDS = 4096
MAX_SAMPLE = 1_000_000  # prompts that may be drawn
_CLOSED = ConfigDict(extra="forbid")
_UNSET: Any = None  # the default of a key that may be missing, but may not be None
T = TypeVar("T")


def read(path: Path) -> Spec:
    """Return the sweep that a file specifies.

    Raises BadSpec with a sentence for every fault, BadRequest where the file cannot be opened.
    """
    return _read(lambda: read_document(path, texts=True), path)


def parse(text: str, path: Path) -> Spec:
    """Return the sweep that a text specifies; `path` is where it stands. Raises BadSpec."""
    return _read(lambda: Document(text, str(path), texts=True), path)


def _read(open_document: Callable[[], Document], path: Path) -> Spec:
    try:
        return _spec(open_document(), path)
    except BadYaml as error:
        if error.faults:
            raise BadSpec(str(path), error.faults) from None
        raise BadRequest(str(error)) from None


# --- kinds of values; every scalar comes as a text ---


def _one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _unique(values: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _none_word(value: Any) -> Any:
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
SampleSize = Annotated[int, _whole(1, MAX_SAMPLE)]


@dataclass(frozen=True)
class _SeedRange:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    first: SpecSeed = 0
    count: Annotated[int, _whole(1, MAX_SEEDS)] = 1


def _seeds(value: tuple[int, ...] | _SeedRange) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return _unique(value)
    end = value.first + value.count
    if end - 1 > MAX_SEED:
        raise ValueError(f"The last of these seeds is over {MAX_SEED:,}: begin with a smaller one.")
    return tuple(range(value.first, end))


SpecSeeds = Annotated[
    Annotated[tuple[SpecSeed, ...], Field(min_length=1), Tag("(list)")]
    | Annotated[_SeedRange, Tag("(range)")],
    Discriminator(lambda value: "(range)" if isinstance(value, dict) else "(list)"),
    AfterValidator(_seeds),
    Field(description="a list of seeds, [0], or {first: 0, count: 3}"),
]

# --- sources of prompts ---


@dataclass(frozen=True)
class _PrimerSource:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    count: SampleSize = 200
    seed: SpecSeed = 0


@dataclass(frozen=True)
class _StoredSource:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    path: Annotated[SpecText, Field(description="`path:` with its file or folder")]
    sample: SampleSize = _UNSET
    seed: SpecSeed = 0


@dataclass(frozen=True)
class _SplitSource(_StoredSource):
    split: SpecText = _UNSET


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
class _SourceMapping:
    """Holds a source of prompts under the key that names its kind."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    primer: _PrimerSource = _UNSET
    file: StoredSourceEntry = _UNSET
    questions: StoredSourceEntry = _UNSET
    ihalla: StoredSourceEntry = _UNSET
    factualbench: StoredSourceEntry = _UNSET
    t2i_compbench: Annotated[SplitSourceEntry, Field(alias="t2i-compbench")] = _UNSET
    drawbench: StoredSourceEntry = _UNSET
    coco: SplitSourceEntry = _UNSET

    def sources(self) -> dict[SourceKind, _PrimerSource | _StoredSource]:
        """Return every source that is set, by its kind."""
        return {
            cast("SourceKind", field.name.replace("_", "-")): source
            for field in fields(self)
            if (source := getattr(self, field.name)) is not None
        }


def _with_options(value: Any) -> Any:
    """Return a source with the options that stand beside its kind, as in {file: F, sample: 5}."""
    if not isinstance(value, dict) or len(kinds := [key for key in KINDS if key in value]) != 1:
        return value
    options = {key: value[key] for key in ("sample", "seed", "split") if key in value}
    source = _with_path(value[kinds[0]])
    if not isinstance(source, dict):
        return value
    others = {key: other for key, other in value.items() if key not in options}
    return {**others, kinds[0]: {**source, **options}}


def _prompt(text: str) -> PromptSource:
    try:
        return PromptSource(kind="text", path=checked_prompt(text))
    except BadRequest as error:
        raise ValueError(str(error)) from error


def _source(mapping: _SourceMapping) -> PromptSource:
    sources = mapping.sources()
    if len(sources) != 1:
        raise ValueError(
            f"{len(sources)} keys stand where one source of prompts belongs: write each as an item"
            " of its own (`- file: PATH`)."
        )
    ((kind, source),) = sources.items()
    if isinstance(source, _PrimerSource):
        return PromptSource(kind=kind, sample=source.count, seed=source.seed)
    split = source.split if isinstance(source, _SplitSource) else None
    return PromptSource(
        kind=kind, path=source.path, sample=source.sample, seed=source.seed, split=split
    )


def _prompt_list(value: Any) -> Any:
    """Return the list of sources; a single text is the name of a file."""
    return [{"file": value}] if isinstance(value, str) else _as_list(value)


PromptSources = Annotated[
    tuple[
        Annotated[
            Annotated[SpecText, AfterValidator(_prompt), Tag("(text)")]
            | Annotated[
                _SourceMapping,
                BeforeValidator(_with_options),
                AfterValidator(_source),
                Tag("(source)"),
            ],
            Discriminator(lambda value: "(source)" if isinstance(value, dict) else "(text)"),
        ],
        ...,
    ],
    BeforeValidator(_prompt_list),
    Field(
        min_length=1,
        description="prompts, e.g. `prompts: [a ladybug]`, or see examples/primer.yaml",
    ),
]

# --- the file ---


@dataclass(frozen=True, kw_only=True)
class _Lineup:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    judge: Annotated[SpecText | None, BeforeValidator(_none_word)] = None
    captioner: SpecText = ""
    writer: SpecText = ""
    parser: SpecText = ""
    detector: SpecText = ""
    segmenter: SpecText = ""
    embedder: SpecText = ""
    reader: SpecText = ""


@dataclass(frozen=True, kw_only=True)
class SweepFile:
    """Holds the keys of the file in the order of docs/sweeps.md; all but `lineup` are of `Spec`."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    title: SpecText = field(default="", kw_only=True)
    prompts: PromptSources
    models: Annotated[
        tuple[SpecText, ...],
        BeforeValidator(_as_list),
        AfterValidator(_unique),
        Field(min_length=1, description="generators by name, e.g. `models: [primer/exact]`"),
    ]
    metrics: Annotated[
        tuple[SpecText, ...], BeforeValidator(_as_list), AfterValidator(_unique)
    ] = ()
    judge: Annotated[SpecText | None, BeforeValidator(_none_word)] = None
    lineup: _Lineup = field(default_factory=_Lineup)
    trials: Annotated[int, _whole(1, MAX_TRIALS)] = 1
    seeds: SpecSeeds = (0,)
    inject: Annotated[
        tuple[Knowledge, ...], BeforeValidator(_as_list), AfterValidator(_unique)
    ] = ()
    budget: SpecAmount = 0.0
    budget_day: SpecAmount = 0.0
    unpriced: Annotated[bool, Field(description="true or false")] = False
    store: SpecText = ""
    wording: SpecText = OURS
    prompt_reader: PromptReader | None = None
    accept_readings: Annotated[bool, Field(description="true or false")] = False


def _spec(document: Document, path: Path) -> Spec:
    file: SweepFile = document.read(SweepFile, document.value)
    values = {name: getattr(file, name) for name in document.value if name != "lineup"}
    roles = {role: getattr(file.lineup, role) for role in document.value.get("lineup", {})}
    if "judge" in values and "judge" in roles:
        message = "The judge is named twice: leave it out of `lineup`, or leave out `judge`."
        raise BadYaml.in_file(document.file, [Fault(document.line("judge"), message)])
    if "judge" in roles:
        values["judge"] = roles.pop("judge")
    sources = cast("tuple[PromptSource, ...]", file.prompts)
    values["prompts"] = _unique(
        tuple(
            replace(source, line=document.line("prompts", number))
            for number, source in enumerate(sources)
        )
    )
    if "wording" in values:
        values["wording"] = _wording(values["wording"], path)
    return Spec(**values, roles=roles, file=path, lines=_lines(document))


def _wording(name: str, path: Path) -> str:
    """Return the name of a pack; of a folder, seen from that of the file, its whole path."""
    folder = None if name in SHIPPED else find_folder(name, path.parent)
    return str(folder) if folder else name


def _lines(document: Document) -> Mapping[str, int]:
    """Return the line of every key and of the names under it; sources of prompts hold their own."""
    lines: dict[str, int] = {}
    for key, value in document.value.items():
        lines[key] = document.line(key)
        if key == "prompts":
            continue
        for parts, name in _names(value):
            lines.setdefault(f"{key} {_one_line(name)}", document.line(key, *parts))
    return lines


def _names(value: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """Return the texts in a text, list or mapping, each with the keys that lead to it."""
    items: list[tuple[tuple[str | int, ...], Any]]
    match value:
        case list():
            items = [((number,), item) for number, item in enumerate(value)]
        case dict():
            items = [((key,), item) for key, item in value.items()]
        case _:
            items = [((), value)]
    return [(parts, item) for parts, item in items if isinstance(item, str)]
