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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import zip_longest
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from hallascope.data.records import Domain
from hallascope.primer.drawing.svg_files import SvgDrawing
from hallascope.primer.world import Concept, ConceptRenderer

_CONCEPT = TypeAdapter(Concept)


class BadFacts(ValueError):
    """A table of facts is wrong; the message names the file, the concept and the field."""


def read_concepts(file: Path, domain: Domain, package: str = "") -> tuple[Concept, ...]:
    """Return the concepts of a file in its order, with the drawings beside it.

    `package` is the package of the Python files beside it, "" where there are none. Raise BadFacts
    where a table is wrong or has no drawing, and where a drawing has no table.
    """
    tables = read_tables(file, domain)
    for drawing in sorted(file.parent.glob("*.svg")):
        if drawing.stem not in tables:
            raise BadFacts(f"{drawing} has no facts: write the table [{drawing.stem}] in {file}.")
    return tuple(
        replace(concept, draw=_drawing(file, key, concept, package))
        for key, concept in tables.items()
    )


def _drawing(file: Path, key: str, concept: Concept, package: str) -> ConceptRenderer:
    svg = file.with_name(f"{key}.svg")
    module = f"{package}.{key}" if package and svg.with_suffix(".py").is_file() else ""
    if svg.is_file():
        values: dict[str, frozenset[str]] = {}
        for fact in concept.all_facts:
            own = frozenset(map(str, fact.values))
            values[fact.parameter] = values.get(fact.parameter, frozenset()) | own
        parts = frozenset(part for fact in concept.facts for part in fact.parts)
        return SvgDrawing(svg, values, parts, module)
    if not module:
        raise BadFacts(f"{file}: concept “{key}” has no drawing: add {svg}.")
    draw: ConceptRenderer = import_module(module).draw
    return draw


def read_tables(file: Path, domain: Domain) -> dict[str, Concept]:
    """Return the concepts of a file by the keys of their tables, in its order; they draw nothing.

    Raise BadFacts where a table is wrong.
    """
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadFacts(f"{file} cannot be read as TOML: {error}.") from error
    return {key: _validated(file, key, table, domain) for key, table in tables.items()}


def _validated(file: Path, key: str, table: object, domain: Domain) -> Concept:
    try:
        own = table if isinstance(table, Mapping) else {}
        return _CONCEPT.validate_python({"domain": domain, "draw": lambda *_: (), **own})
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
