"""Reads a person's list of attributes of objects: a row an object, an attribute and a value.

A knowledge source says what a prompt leaves out: "penguin, material, feathered". Rows are cells
with commas, semicolons or tabs between; a first row "object, attribute, value" is skipped.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files import tidy
from hallascope.data.files.tables import BadTable, read_text

MOST_ATTRIBUTES = 500  # rows of one list
HEADER = ("object", "attribute", "value")
# names that the scores of FiG have already
TAKEN = ("object", "number", "position", "text", "score", "soft", "strict", "published")
_NAME = re.compile(r"[a-z]{2,30}")
_VALUE = re.compile(r"[^\W\d_]+(-[^\W\d_]+)*")
_LONGEST_OBJECT = 60  # characters


@dataclass(frozen=True, order=True)
class ObjectAttribute:
    """Says that an object has a value of an attribute: ("chair", "material", "wooden").

    `noun` is the name of the object, `attribute` one word in lower case, `value` one word.
    """

    noun: str
    attribute: str
    value: str


def read_object_attributes(path: Path) -> tuple[ObjectAttribute, ...]:
    """Return the rows of a file, each once. Raises BadTable with one sentence."""
    return parse_object_attributes(read_text(path), f"the file {path.name!r}")


def parse_object_attributes(text: str, source: str = "the list") -> tuple[ObjectAttribute, ...]:
    """Return the rows of a text, each once; `source` names it in what is said of a fault.

    Raises BadTable with one sentence that names the line.
    """
    found: dict[ObjectAttribute, None] = {}
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    sign = next((sign for sign in "\t;" if sign in first), ",")
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            cells = [tidy.line(cell).casefold() for cell in row]
            if any(cells) and (found or tuple(cells) != HEADER):
                found[_object_attribute(cells)] = None
    except csv.Error as error:
        raise BadTable(
            f"Line {reader.line_num} of {source} cannot be read ({error}): write object, attribute,"
            " value."
        ) from error
    except BadTable as problem:
        raise BadTable(f"Line {reader.line_num} of {source}: {problem}") from None
    if len(found) > MOST_ATTRIBUTES:
        raise BadTable(
            f"There are {len(found)} attributes in {source} and at most {MOST_ATTRIBUTES} are"
            " taken: leave out those that no prompt needs."
        )
    return tuple(found)


def require_object_attribute(item: ObjectAttribute) -> None:
    """Raise BadTable with one clause where a row that was not read here cannot stand."""
    if _object_attribute([cell.casefold() for cell in vars(item).values()]) != item:
        raise BadTable(f"{item!r} is not written as a list has it: use lower case")


def _object_attribute(cells: list[str]) -> ObjectAttribute:
    """Return a row of cells in lower case. Raises BadTable with a clause and what to do."""
    if len(cells) != len(HEADER):
        raise BadTable(
            f"it has {len(cells)} cells and not three; write object, attribute, value, such as"
            " chair, material, wooden."
        )
    noun, attribute, value = cells
    if not noun or len(noun) > _LONGEST_OBJECT or not any(map(str.isalpha, noun)):
        raise BadTable(
            f"the object {noun[:_LONGEST_OBJECT]!r} is no name of a thing; write one of at most"
            f" {_LONGEST_OBJECT} characters."
        )
    if attribute in TAKEN:
        raise BadTable(
            f"the attribute {attribute!r} is one that FiG reads in the prompt itself; name another,"
            " such as material."
        )
    if not _NAME.fullmatch(attribute):
        raise BadTable(
            f"the attribute {attribute!r} is not one word of letters a to z; write one, such as"
            " material."
        )
    if not _VALUE.fullmatch(value):
        raise BadTable(
            f"the value {value!r} is not one word; write the word that a caption would say, such as"
            " wooden."
        )
    return ObjectAttribute(noun, attribute, value)
