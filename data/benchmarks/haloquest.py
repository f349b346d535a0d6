"""Reads HaloQuest's questions and their released files (Wang et al., ECCV 2024).

Files: ``haloquest-eval.csv`` (608 rows) and ``haloquest-train.csv`` (7,140 rows), pictures by name
and by address.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import unquote_plus, urlsplit

from hallascope.data.benchmarks.prompt_lists import count_values
from hallascope.data.benchmarks.spellings import spellings
from hallascope.data.files.questions import one_of
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    TableRow,
    UnreadableCell,
    column_name,
    leave_out,
    read_rows,
)
from hallascope.data.files.tidy import line

NAME = "haloquest"
Hallucination = Literal["false premises", "visual challenge", "insufficient context"]
HALLUCINATIONS: tuple[Hallucination, ...] = get_args(Hallucination)
HaloImageType = Literal["generated", "real"]
HALO_IMAGE_TYPES: tuple[HaloImageType, ...] = get_args(HaloImageType)
COLUMNS = (
    "image name",
    "url",
    "image type",
    "hallucination type",
    "question",
    "groundtruth responses",
    "split",
)
_SPELLINGS = spellings("hallucination", HALLUCINATIONS)
_NO_NAME = ("", ".", "..")


@dataclass(frozen=True)
class HaloQuestion:
    """Holds a question about one picture, its right replies and what it tempts to invent."""

    text: str
    references: tuple[str, ...]
    hallucination: Hallucination
    image_type: HaloImageType


@dataclass(frozen=True)
class HaloRow:
    """Holds one row of a file: the question, its picture by name and address, and its part.

    The name or address is "" where it has none; the part is that of the data set.

    `source` is where it stands: "haloquest-eval.csv:12", the line counted from 1; `repeated` are
    the rows that ask the same question about the same image again.
    """

    source: str
    image: str
    url: str
    question: HaloQuestion
    split: str
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class HaloQuest:
    """Holds what was read of HaloQuest.

    `complaints` name what was left out. `notes` name what is odd but was read: an image with two
    addresses, a reference written twice, a question asked twice about one image.
    """

    files: tuple[str, ...]
    rows: tuple[HaloRow, ...]
    complaints: tuple[Complaint, ...]
    notes: tuple[Complaint, ...] = ()

    def summary(self) -> dict[str, object]:
        """Return what was read, as JSON-able counts."""
        questions = [row.question for row in self.rows]
        return {
            "benchmark": NAME,
            "files": list(self.files),
            "questions": len(self.rows),
            "images": len({row.image for row in self.rows}),
            "by_split": count_values(row.split for row in self.rows),
            "by_image_type": count_values(
                (question.image_type for question in questions), HALO_IMAGE_TYPES
            ),
            "by_hallucination_type": count_values(
                (question.hallucination for question in questions), HALLUCINATIONS
            ),
            "references": sum(len(question.references) for question in questions),
            "complaints": len(self.complaints),
            "notes": len(self.notes),
        }


def read_haloquest(path: Path | str) -> HaloQuest:
    """Read one of the CSV files, or the folder that holds them.

    What cannot be read is left out whole and named with file and line. Of a question that is asked
    twice about the same image, the first row is kept with the references of both.

    Raises BadTable where nothing of HaloQuest is there.
    """
    path = Path(path)
    reader = _HaloReader()
    files = _files(path)
    for file in files:
        reader.read_file(file)
    if not reader.questions:
        first = (
            reader.complaints[0]
            if reader.complaints
            else f"{path.name}: holds no row below its header"
        )
        raise BadTable(f"no question of HaloQuest was read: {first}")
    return HaloQuest(
        files=tuple(file.name for file in files),
        rows=tuple(reader.questions.values()),
        complaints=tuple(reader.complaints),
        notes=tuple(reader.notes),
    )


def _files(path: Path) -> list[Path]:
    """Return the file itself, or the tables in a folder that are called as HaloQuest's are.

    Raises BadTable.
    """
    if not path.is_dir():
        return [path]
    tables = sorted(file for file in path.glob("*.csv") if file.name.casefold().startswith(NAME))
    if not tables:
        raise BadTable(
            f"the folder {str(path)!r} holds no table of HaloQuest: put 'haloquest-eval.csv' there,"
            " or name the file itself"
        )
    return tables


class _HaloReader:
    """Reads tables and gathers their questions, by image and text, and what was wrong in them."""

    def __init__(self) -> None:
        self.complaints: list[Complaint] = []
        self.notes: list[Complaint] = []
        self.questions: dict[tuple[str, str], HaloRow] = {}
        self._addresses: dict[str, str] = {}

    def read_file(self, path: Path) -> None:
        for row in read_rows(path, COLUMNS, self.complaints):
            with leave_out(row, self.complaints):
                parsed = self._row(row)
                first = self.questions.setdefault((parsed.image, parsed.question.text), parsed)
                if first is not parsed:
                    self._add_references(row, first, parsed)
                elif self._addresses.setdefault(parsed.image, parsed.url) != parsed.url:
                    oddity = "has another address here than further up; each row keeps its own"
                    self._note(row, f"the image {parsed.image!r} {oddity}")

    def _add_references(self, row: TableRow, first: HaloRow, again: HaloRow) -> None:
        """Give the first row of a question the references of the row that asks it again."""
        listed = dict.fromkeys((*first.question.references, *again.question.references))
        question = replace(first.question, references=tuple(listed))
        repeated = (*first.repeated, again.source)
        self.questions[first.image, question.text] = replace(
            first, question=question, repeated=repeated
        )
        self._note(
            row,
            f"the same question about the same image stands at {first.source}; it is asked once,"
            " with the references of both rows",
        )

    def _row(self, row: TableRow) -> HaloRow:
        """Raises UnreadableCell."""
        cells = row.cells
        text = line(cells["question"])
        if not text:
            raise UnreadableCell("the question is empty")
        kind = column_name(cells["hallucination type"])
        kinds = (
            one_of(_SPELLINGS.get(kind, kind), "hallucination type", HALLUCINATIONS),
            one_of(cells["image type"], "image type", HALO_IMAGE_TYPES),
        )
        listed = [own for own in map(line, cells["groundtruth responses"].split(";")) if own]
        if not listed:
            raise UnreadableCell("there is no reference answer")
        url = cells["url"].strip()
        if url and not _is_address(url):
            problem = f"the url {url!r} is no address that begins with http:// or https://"
            self.complaints.append(row.complaint(f"{problem}; it is left out"))
            url = ""
        image = _image(cells["image name"], url)
        if twice := next((text for text in listed if listed.count(text) > 1), None):
            self._note(row, f"the reference {twice!r} appears twice; it is kept once")
        question = HaloQuestion(text, tuple(dict.fromkeys(listed)), *kinds)
        return HaloRow(f"{row.file}:{row.line}", image, url, question, line(cells["split"]))

    def _note(self, row: TableRow, oddity: str) -> None:
        self.notes.append(row.complaint(oddity))


def _is_address(url: str) -> bool:
    """Return whether it is a whole address of the web."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not any(sign.isspace() for sign in url)
        )
    except ValueError:
        return False


def _image(cell: str, url: str) -> str:
    """Return the name of the picture's file, from its address where the cell is empty.

    Raises UnreadableCell.
    """
    name = cell.strip() or unquote_plus(urlsplit(url).path).rpartition("/")[2]
    if name in _NO_NAME:
        raise UnreadableCell("the image has neither a name nor an address")
    if not name.isprintable() or any(sign in name for sign in "/\\"):
        raise UnreadableCell(f"the image name {name!r} is no plain name of a file")
    return name


def pictures(folder: Path, wanted: Sequence[HaloRow]) -> dict[str, Path]:
    """Return the files of a folder and the folders in it by image name.

    A name matches whatever its case, and as it stands in the address.
    """
    there: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            there.setdefault(line(path.name).casefold(), path)
    by_name = {}
    for row in wanted:
        names = (
            row.image,
            urlsplit(row.url).path.rpartition("/")[2],
            unquote_plus(urlsplit(row.url).path).rpartition("/")[2],
        )
        for name in (line(name).casefold() for name in reversed(names)):
            if name in there:
                by_name[row.image] = there[name]
    return by_name
