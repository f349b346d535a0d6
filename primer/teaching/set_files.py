"""Reads a set of exercises that a teacher wrote as YAML."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag

from hallascope.data.records import Category, CoI
from hallascope.data.teaching.exercise import LEVELS, ExerciseLevel
from hallascope.data.teaching.lesson import (
    BadLesson,
    DrawnItem,
    Lesson,
    LessonItem,
    item_of,
    lesson,
)
from hallascope.data.yaml_file import BadYaml, read_document
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.exercises import fact_name, find_fact, scene_of
from hallascope.primer.teaching.faults import ExerciseCriteria

_CLOSED = ConfigDict(extra="forbid")
_LARGEST = 2**31 - 1
ItemText = Annotated[str, Field(min_length=1, description="a text")]
StoredName = Annotated[
    str, Field(min_length=1, description="what stands there in an export of `hallascope export`")
]
Seed = Annotated[int, Field(ge=0, le=_LARGEST, description="a whole number from 0 on")]


@dataclass(frozen=True)
class _DrawnEntry:
    """Names a wrong fact by its parameter.

    `shown`: its value, or the wrong answer in words.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    prompt: ItemText
    wrong: ItemText = ""
    shown: ItemText = ""
    seed: Seed = 0


@dataclass(frozen=True)
class _KeptEntry:
    """Names a picture of a run and the question that it answers wrongly."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    run: StoredName
    picture: StoredName
    question: StoredName


@dataclass(frozen=True)
class _SampledEntry:
    """Asks for exercises by chance, of a level, a composition of interest, a category."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    number: Annotated[int, Field(ge=1, le=_LARGEST, description="a whole number from 1 on")]
    level: Literal["1", "2", "3"] | None = None
    coi: CoI | None = None
    category: Category | None = None
    seed: Seed = 0


# the key that an exercise has, and the kind that it makes it
_KINDS = {"prompt": "(drawn)", "run": "(kept)", "number": "(sampled)"}


def _checked_kind(entry: Any) -> Any:
    if isinstance(entry, dict) and not set(_KINDS) & set(entry):
        raise ValueError("It has neither `prompt` nor `run` nor `number`: say what image it is.")
    return entry


def _kind(entry: Any) -> str:
    keys = entry if isinstance(entry, dict) else ()
    return next((kind for key, kind in _KINDS.items() if key in keys), "(drawn)")


Entry = Annotated[
    Annotated[_DrawnEntry, Tag("(drawn)")]
    | Annotated[_KeptEntry, Tag("(kept)")]
    | Annotated[_SampledEntry, Tag("(sampled)")],
    Discriminator(_kind),
    BeforeValidator(_checked_kind),
]


@dataclass(frozen=True)
class _Set:
    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED

    exercises: Annotated[
        tuple[Entry, ...],
        Field(description="a list of exercises, an entry each, and a `title` above it"),
    ]
    title: str | None = None


def read_lesson(path: Path) -> Lesson:
    """Return the set of a file.

    Raises BadLesson with one sentence that names the file and the line.
    """
    try:
        document = read_document(path, texts=True)
        file: _Set = document.read(_Set, document.value)
    except BadYaml as error:
        raise BadLesson(error.first) from error
    items: list[LessonItem] = []
    for number, entry in enumerate(file.exercises):
        try:
            items += _items(entry)
        except BadLesson as error:
            line = document.line("exercises", number)
            raise BadLesson(f"{path}, line {line}: {error}") from error
    try:
        return lesson(file.title, items)
    except BadLesson as error:
        raise BadLesson(f"{path}, line {document.line('title')}: {error}") from error


def _items(entry: _DrawnEntry | _KeptEntry | _SampledEntry) -> list[LessonItem]:
    """Return the exercises of an entry. Raises BadLesson."""
    if isinstance(entry, _DrawnEntry):
        return [_drawn_item(entry)]
    if isinstance(entry, _SampledEntry):
        return [*_sampled(entry)]
    try:
        return [item_of(["", entry.run, entry.picture, entry.question])]
    except BadLesson as error:
        needed = (
            "`run`, `picture` and `question` must be as `hallascope export` writes them: copy them."
        )
        raise BadLesson(needed) from error


def _drawn_item(entry: _DrawnEntry) -> DrawnItem:
    """Return the exercise; without a wrong fact or its value, the first there is."""
    scene = scene_of(entry.prompt)
    first = next(fact for fact in scene.facts if fact.violations)
    fact = find_fact(scene, entry.wrong) if entry.wrong else first
    shown = (entry.shown or str(fact.violations[0])).casefold()
    for value in fact.violations:
        if shown in (str(value).casefold(), fact.values[value].casefold()):
            return DrawnItem(scene.prompt, fact.parameter, value, entry.seed)
    known = ", ".join(fact.values[value] for value in fact.violations)
    raise BadLesson(f"{entry.shown!r} is no fault of {fact_name(fact)!r}: choose one of {known}.")


def _sampled(entry: _SampledEntry) -> list[DrawnItem]:
    level: ExerciseLevel | None = next(
        (level for level in LEVELS if str(level) == entry.level), None
    )
    sort = ExerciseCriteria(level, entry.coi, entry.category)
    items = faults.sample(entry.number, sort, random.Random(entry.seed))
    if len(items) < entry.number:
        raise BadLesson(
            f"{entry.number} exercises are asked for where there are {len(items)}: ask for fewer,"
            " or of fewer conditions."
        )
    return items
