"""Reads the facts of concepts from the TOML file of a domain.

A file holds one table a concept, under the key of its drawing (`bat.svg` or `bat.py` beside it):

    [bat]
    name = "bat"
    phrase = "a bat"            # its prompt
    plural = "bats"             # after a number
    category = "Biology"        # of I-HallA (table 1)
    definition = "A bat is a furry mammal that is active at night."
    scene = "night"             # the backdrop; "plain" where left out
    tilt = 3                    # degrees that it may be turned by; 5 where left out
    mirror = false              # whether it may be mirrored; true where left out

    [[bat.facts]]               # one or more, in the order in which they are asked
    parameter = "wings"         # of the drawing
    coi = "counting"            # the composition of interest
    criterion = "details"       # of T2I-FactualBench
    question = "How many wings does the animal have in the image?"
    values = [[2, "Two"], [4, "Four"], [1, "One"]]  # with their answers; the first is the truth
    parts = ["wing"]            # of the drawing, those that the question is about
    others = ["Six"]            # wrong answers that are never drawn; may be left out

    [bat.variation]             # may be left out
    phrase = "a white bat"      # the prompt that changes the concept
    task = "attribute"          # of T2I-FactualBench, level SKCU
    base = "brown"              # the value in every other prompt

    [bat.variation.fact]        # its truth is what the phrase asks for
    parameter = "fur"
    coi = "color"
    criterion = "color"
    question = "What color is the animal's fur in the image?"
    values = [["white", "White"], ["brown", "Brown"], ["green", "Green"]]
    parts = ["body", "head"]
    others = ["Red"]

`hallascope.primer.world` says what the fields mean to a drawing.
"""

import tomllib
from collections.abc import Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    ValidationError,
    model_validator,
)

from hallascope.data.records import Category, CoI, Criterion, Domain, Task
from hallascope.primer.drawing.svg_files import SvgDrawing
from hallascope.primer.world import Concept, ConceptRenderer, Fact, Variation


class BadFacts(ValueError):
    """A table of facts is wrong; the message names the file, the concept and the field."""


NonEmptyText = Annotated[str, Field(min_length=1)]
TableValue = StrictStr | StrictInt
Texts = Annotated[tuple[NonEmptyText, ...], Field(strict=False)]


class _StrictTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FactTable(_StrictTable):
    """Holds a fact as it stands in the file."""

    parameter: NonEmptyText
    coi: CoI
    criterion: Criterion
    question: NonEmptyText
    values: list[Annotated[tuple[TableValue, NonEmptyText], Field(strict=False)]]
    parts: Texts
    others: Texts = ()

    @model_validator(mode="after")
    def _has_distinct_values_and_answers(self) -> Self:
        values = [value for value, _ in self.values]
        answers = [*(answer for _, answer in self.values), *self.others]
        if len(values) < 2:
            raise ValueError("`values` needs the truth and at least one violation")
        if len(set(values)) < len(values):
            raise ValueError("`values` names a value twice")
        if len(set(answers)) < len(answers):
            raise ValueError("`values` and `others` name an answer twice")
        return self

    def fact(self) -> Fact:
        """Return the fact that a drawing is made by."""
        return Fact(**{**dict(self), "values": dict(self.values)})


class VariationTable(_StrictTable):
    """Holds a variation as it stands in the file."""

    phrase: NonEmptyText
    task: Task
    base: TableValue
    fact: FactTable

    @model_validator(mode="after")
    def _has_a_violation_as_its_base(self) -> Self:
        if self.base not in [value for value, _ in self.fact.values[1:]]:
            raise ValueError("`base` is none of the violations of its fact")
        return self


class ConceptTable(_StrictTable):
    """Holds a concept as it stands in the file: all that is known of it but how it is drawn."""

    name: NonEmptyText
    phrase: NonEmptyText
    plural: NonEmptyText
    category: Annotated[Category, Field(strict=False)]
    definition: NonEmptyText
    scene: NonEmptyText = "plain"
    tilt: Annotated[float, Field(ge=0, le=180)] = 5.0
    mirror: bool = True
    facts: Annotated[list[FactTable], Field(min_length=1)]
    variation: VariationTable | None = None

    @model_validator(mode="after")
    def _has_one_fact_a_parameter(self) -> Self:
        parameters = [fact.parameter for fact in self.facts]
        if len(set(parameters)) < len(parameters):
            raise ValueError("`facts` names a parameter twice")
        return self

    def concept(self, domain: Domain, draw: ConceptRenderer) -> Concept:
        """Return the concept, drawn by `draw`."""
        facts = tuple(fact.fact() for fact in self.facts)
        varied = self.variation
        variation = Variation(**{**dict(varied), "fact": varied.fact.fact()}) if varied else None
        own = {**dict(self), "facts": facts, "variation": variation}
        return Concept(**own, domain=domain, draw=draw)


def read_concepts(file: Path, domain: Domain, package: str = "") -> tuple[Concept, ...]:
    """Return the concepts of a file in its order, with the drawings beside it.

    `package` is the package of the Python files beside it, "" where there are none. Raise BadFacts
    where a table is wrong or has no drawing, and where a drawing has no table.
    """
    tables = read_tables(file)
    for drawing in sorted(file.parent.glob("*.svg")):
        if drawing.stem not in tables:
            raise BadFacts(f"{drawing} has no facts: write the table [{drawing.stem}] in {file}.")
    return tuple(
        table.concept(domain, _drawing(file, key, table, package)) for key, table in tables.items()
    )


def _drawing(file: Path, key: str, table: ConceptTable, package: str) -> ConceptRenderer:
    svg = file.with_name(f"{key}.svg")
    module = f"{package}.{key}" if package and svg.with_suffix(".py").is_file() else ""
    if svg.is_file():
        facts = [*table.facts, *([table.variation.fact] if table.variation else [])]
        values: dict[str, frozenset[str]] = {}
        for fact in facts:
            own = frozenset(str(value) for value, _ in fact.values)
            values[fact.parameter] = values.get(fact.parameter, frozenset()) | own
        parts = frozenset(part for fact in table.facts for part in fact.parts)
        return SvgDrawing(svg, values, parts, module)
    if not module:
        raise BadFacts(f"{file}: concept “{key}” has no drawing: add {svg}.")
    draw: ConceptRenderer = import_module(module).draw
    return draw


def read_tables(file: Path) -> dict[str, ConceptTable]:
    """Return the tables of a file by their keys, in its order.

    Raise BadFacts where one is wrong.
    """
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadFacts(f"{file} cannot be read as TOML: {error}.") from error
    return {key: _validated(file, key, table) for key, table in tables.items()}


def _validated(file: Path, key: str, table: object) -> ConceptTable:
    try:
        return ConceptTable.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        raise BadFacts(f"{file}: concept “{key}”, {_place(first['loc'])}: {message}.") from error


def _place(location: Sequence[str | int]) -> str:
    """Return where in a table an error is, counted from 1: "facts 3, values 2"."""
    words: list[str] = []
    for step, following in zip_longest(location, location[1:]):
        if isinstance(step, str):
            words.append(f"{step} {following + 1}" if isinstance(following, int) else step)
    return ", ".join(words) or "the whole table"
