"""Reads the cells of a question table: number, composition, choices, answer, category.

Every function raises `UnreadableCell` with a problem that can follow "row 7: "; nothing is guessed
and nothing moved from one field to another.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hallascope.data.files.sheets import Complaint
from hallascope.data.records import (
    COIS,
    DIFFICULTIES,
    DOMAINS,
    FIELDS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    Category,
    CoI,
    Difficulty,
    Domain,
    IHallaField,
    Letter,
)

_CHOICE = re.compile(r"\(?([A-Ea-e])\s*[).:]\s*(.*)", re.DOTALL)
_MARKS = {letter: re.compile(rf"\s+(?=\(?{letter}\s*[).:]\s)") for letter in "BCDE"}
_ANSWER = re.compile(r"\(?([A-Ea-e])(?:\s*[).:]+\s*(.*))?", re.DOTALL)
_SPELLINGS: dict[str, CoI] = {
    **{coi: coi for coi in COIS},
    **{f"{coi}s": coi for coi in COIS},
    "colour": "color",
    "colours": "color",
    "count": "counting",
    "counts": "counting",
    "other": "others",
}


T = TypeVar("T", bound=str)


class UnreadableCell(ValueError):
    """A cell or a row does not say what it must; the message is the problem."""


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a text, None where it is none."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def field_text(fields: Mapping[str, Any], name: str, whose: str = "") -> str:
    """Return the text of that name in a JSON object, "" where there is none."""
    text = fields.get(name)
    if not isinstance(text, str | None):
        raise UnreadableCell(f"{whose}{name!r} is no text")
    return text or ""


def utf_8_lines(path: Path, file: str, complaints: list[Complaint]) -> list[str]:
    """Return the lines of a file; none of one that cannot be read, which is named."""
    try:
        return path.read_bytes().decode("utf-8-sig").split("\n")
    except OSError as error:
        why = error.strerror or error
        problem = f"cannot be opened ({why}); check that it is there and may be read"
    except UnicodeDecodeError:
        problem = "is no UTF-8 text; save it as UTF-8"
    complaints.append(Complaint(file, None, None, problem))
    return []


class Row(Protocol):
    """Is a row of a table, which knows its place."""

    def complaint(self, problem: str) -> Complaint: ...


@contextmanager
def leave_out(row: Row, complaints: list[Complaint], what: str = "row") -> Iterator[None]:
    """Name the row where the block raises UnreadableCell, and go on; `what` is left out."""
    try:
        yield
    except UnreadableCell as problem:
        complaints.append(row.complaint(f"{problem}; the {what} is left out"))


def _folded(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).casefold()


def _place_and_time(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", text.casefold())
    return ["african" if word == "africa" else word for word in words if word != "and"]


def number(cell: str) -> int:
    """Return a data_index: a whole number from 0."""
    if not re.fullmatch(r"[0-9]{1,9}", cell):
        raise UnreadableCell(
            f"the data_index {cell!r} is not a whole number"
            if cell
            else "the cell 'data_index' is empty"
        )
    return int(cell)


def coi(cell: str) -> CoI:
    """Return a composition of interest, whatever its case, plural or spelling of "colour"."""
    known = _SPELLINGS.get(cell.strip(" .").casefold())
    if not known:
        raise UnreadableCell(
            f"the composition of interest {cell!r} is none of {', '.join(COIS)}"
            if cell
            else "the composition of interest is missing"
        )
    return known


def choices(cell: str) -> tuple[str, ...]:
    """Return five choices out of one cell with a line each, "A) ..." to "E) ...".

    E is added where it is missing.

    A line without a letter goes on the choice before it. One line may hold them all, in their
    order.
    """
    lettered: list[tuple[str, str]] = []
    for line in filter(None, map(str.strip, _below(cell.strip()).splitlines())):
        match = _CHOICE.fullmatch(line)
        if match:
            lettered.append((match[1].upper(), match[2].strip()))
        elif lettered:
            lettered[-1] = (lettered[-1][0], f"{lettered[-1][1]} {line}".strip())
        else:
            raise UnreadableCell(f"the choices begin with {line!r} and not with 'A) ...'")
    return _five(lettered)


def _below(cell: str) -> str:
    """Return choices that stand on one line ("A) Red B) Blue ...") put below one another.

    Left as they are where a letter stands twice.
    """
    marks = [list(mark.finditer(cell)) for mark in _MARKS.values()]
    starts = [found[0].start() for found in marks if found]
    if (
        "\n" in cell
        or [len(found) for found in marks] not in ([1, 1, 1, 0], [1, 1, 1, 1])
        or starts != sorted(starts)
    ):
        return cell
    return "\n".join(
        cell[start:end].strip() for start, end in zip([0, *starts], [*starts, None], strict=True)
    )


def split_choices(texts: Sequence[str]) -> tuple[str, ...]:
    """Return five choices out of a list of four or five.

    Letters before all of the first four are taken off, E is added where it is missing.
    """
    texts = [text.strip() for text in texts]
    if len(texts) not in (4, 5) and not (texts and is_none_of_the_above(texts[-1])):
        raise UnreadableCell(f"there are {len(texts)} choices and not five")
    while all(_own(letter, text) is not None for letter, text in zip("ABCD", texts, strict=False)):
        texts = [
            text if (own := _own(letter, text)) is None else own
            for letter, text in zip("ABCDE", texts, strict=False)
        ]
    return _five(list(zip("ABCDE", texts, strict=False)))


def _own(letter: str, text: str) -> str | None:
    """Return the text without the letter of its own place before it, None where it has none."""
    match = _CHOICE.fullmatch(text)
    return match[2].strip() if match and match[1].upper() == letter else None


def _five(lettered: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    letters = "".join(letter for letter, _ in lettered)
    ends = bool(lettered) and is_none_of_the_above(lettered[-1][1])
    if letters not in ("ABCD", "ABCDE") and not (ends and letters in ("ABC", "AB")):
        raise UnreadableCell(
            f"the choices are {', '.join(letters)} and not A to D or A to E, one a line"
            if letters
            else "the choices are missing"
        )
    empty = [letter for letter, text in lettered if not text]
    if empty:
        raise UnreadableCell(f"choice {empty[0]} is empty")
    texts = [text for _, text in lettered]
    if len(texts) == len(LETTERS) and not ends:
        raise UnreadableCell(f"choice E is {texts[-1]!r} and not {NONE_OF_THE_ABOVE!r}")
    if len({_words(text) for text in texts}) < len(texts):
        raise UnreadableCell("two choices are the same")
    return (*(texts[:-1] if ends else texts), NONE_OF_THE_ABOVE)


def is_none_of_the_above(choice: str) -> bool:
    """Return whether a choice is "None of the above", in any case and with a full stop or not."""
    return _words(choice) == _words(NONE_OF_THE_ABOVE)


def answer(cell: str, texts: Sequence[str]) -> Letter:
    """Return the gold letter from "B", "B)", "B) Red" or the full text of one choice."""
    same = [
        letter for letter, text in zip(LETTERS, texts, strict=False) if _words(text) == _words(cell)
    ]
    match = _ANSWER.fullmatch(cell)
    if match and (not same or not match[2]):
        letter = LETTERS["ABCDE".index(match[1].upper())]
        if match[2] and _words(match[2]) != _words(texts[LETTERS.index(letter)]):
            raise UnreadableCell(
                f"the answer {cell!r} contradicts choice {letter}, {texts[LETTERS.index(letter)]!r}"
            )
        return letter
    if len(same) != 1:
        raise UnreadableCell(
            f"the answer {cell!r} is neither a letter A to E nor the text of a choice"
        )
    return same[0]


def one_of(cell: str, what: str, known: Iterable[T], key: Callable[[str], object] = _folded) -> T:
    """Return which of the known texts a cell holds; `key` says what of them is compared."""
    for own in known:
        if key(own) == key(cell):
            return own
    raise UnreadableCell(f"the {what} {cell!r} is none of {', '.join(known)}")


# of T2I-FactualBench; whatever its case, as all of these
domain: Callable[[str], Domain] = partial(one_of, what="domain", known=DOMAINS)
ihalla_field: Callable[[str], IHallaField] = partial(one_of, what="field", known=FIELDS)
level: Callable[[str], Difficulty] = partial(one_of, what="difficulty", known=DIFFICULTIES)
# whatever the signs between its words: "Western & Africa/Ancient"
category: Callable[[str], Category] = partial(
    one_of, what="category", known=tuple(Category), key=_place_and_time
)


def regions(cell: str) -> tuple[str, ...]:
    """Return the names of parts of a picture, one a line."""
    return tuple(filter(None, map(str.strip, cell.splitlines())))


def pairs(cell: str) -> dict[str, str]:
    """Return texts by name out of one JSON object."""
    texts = json_object(cell)
    if texts is None or not all(isinstance(text, str) for text in texts.values()):
        shown = cell if len(cell) <= 60 else f"{cell[:57]}..."
        raise UnreadableCell(f"{shown!r} is no JSON object of texts")
    return texts


def levels(cell: str) -> dict[str, Difficulty]:
    """Return the difficulty by picture out of one JSON object."""
    texts = pairs(cell)
    return {picture: level(text) for picture, text in texts.items()}


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")
