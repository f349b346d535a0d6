"""Keeps a folder of pictures to be labeled: its items, its labels, and typed labels.

``items.jsonl`` holds a picture a line with its questions, ``pictures/017.webp`` is the picture of
item 017, and ``labels.jsonl`` the labels as they were given: the last line of an item by a labeler
wins. Several people may label the same items. Files such as ``labels-second.jsonl`` hold labels in
the same form that are compared with these and are no truth, as those of a model are.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from hallascope.data.files.questions import parse_question, question_fields
from hallascope.data.files.row_records import CleanText, parse_record
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    TableRow,
    UnreadableCell,
    leave_out,
    read_json_lines,
    read_text,
)
from hallascope.data.files.tidy import line
from hallascope.data.lexicon import shorten
from hallascope.data.records import Question

ITEMS = "items.jsonl"
LABELS = "labels.jsonl"
SECOND_LABELS = "labels-*.jsonl"
PICTURES = "pictures"
NOBODY = "unnamed"  # the labeller where none is named
LabelMark = Literal["A", "B", "C", "D", "E", "?"]
CANNOT_BE_TOLD: Literal["?"] = "?"
MARKS: tuple[LabelMark, ...] = get_args(LabelMark)
_TYPED = re.compile(r"(\w+)\s*:(.*)")


def clean_labeler_name(labeller: str) -> str:
    """Return the labeler's name on one line, at most 80 characters of it."""
    return line(labeller)[:80].strip() or NOBODY


def _questions(given: object) -> tuple[Question, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(own, dict) for own in given):
        raise ValueError("there is no list 'questions'")
    return tuple(map(parse_question, given))


@dataclass(frozen=True, kw_only=True)
class LabelItem:
    """One image with its questions. `id` names its file; `sha256` is of the file's bytes."""

    id: Annotated[CleanText, Field(pattern=r"^\w+$", description="a plain word or number")]
    prompt: CleanText = ""
    model: CleanText = ""
    seed: Annotated[int, Field(strict=True, description="a whole number")]
    sha256: CleanText = ""
    questions: Annotated[tuple[Question, ...], BeforeValidator(_questions)]


@dataclass(frozen=True)
class Label:
    """Holds what a person saw in an image: a mark a question, None where there is none yet."""

    id: CleanText
    labeller: Annotated[CleanText, AfterValidator(clean_labeler_name)]
    answers: Annotated[
        tuple[LabelMark | None, ...],
        Field(description=f"a list of {', '.join(MARKS)} or null"),
    ]

    @property
    def whole(self) -> bool:
        return None not in self.answers


def picture(folder: Path, item: str) -> Path:
    return folder / PICTURES / f"{item}.webp"


# --- items


def item_line(item: LabelItem) -> str:
    """Return the item as a line of ``items.jsonl``, with its line feed."""
    return _line(vars(item) | {"questions": list(map(question_fields, item.questions))})


def read_items(folder: Path) -> tuple[list[LabelItem], list[Complaint]]:
    """Read the items in their order, and what was wrong.

    A line that cannot be read is left out. Raises BadTable where there are none.
    """
    complaints: list[Complaint] = []
    items: dict[str, LabelItem] = {}
    for row, fields in read_json_lines(Path(folder) / ITEMS, complaints):
        with leave_out(row, complaints, "line"):
            item = parse_record(LabelItem, fields)
            if item.id in items:
                raise UnreadableCell(f"the item {item.id} appears twice")
            items[item.id] = item
    if not items:
        first = f" ({complaints[0]})" if complaints else ""
        raise BadTable(
            f"the folder {str(folder)!r} holds no {ITEMS} with items{first}: make it with"
            " `hallascope label make`"
        )
    return list(items.values()), complaints


# --- labels


def read_labels(
    folder: Path, items: Sequence[LabelItem], files: str = LABELS
) -> tuple[dict[str, dict[str, Label]], list[Complaint]]:
    """Read the last label of each item by each labeler, and what was wrong.

    The labels are by labeler, in the order of their first labels, and then by item. Those of
    `SECOND_LABELS` are only compared with the others.
    """
    complaints: list[Complaint] = []
    asked = {item.id: len(item.questions) for item in items}
    by_labeler: dict[str, dict[str, Label]] = {}
    for path in sorted(Path(folder).glob(files)):
        for row, fields in read_json_lines(path, complaints):
            with leave_out(row, complaints, "line"):
                label = label_of(fields, asked)
                by_labeler.setdefault(label.labeller, {})[label.id] = label
    return by_labeler, complaints


def labels_of(item: LabelItem, by_labeler: Mapping[str, Mapping[str, Label]]) -> list[Label]:
    """Return the labels of an item, one of each labeler who has one."""
    return [own[item.id] for own in by_labeler.values() if item.id in own]


def agreed_answers(labels: Sequence[Label]) -> tuple[LabelMark | None, ...]:
    """Return for each question of an item what all its labelers say who could tell.

    None where they differ, or nobody marked it; "?" where all who marked it could not tell. The
    labels are of one item.
    """
    agreed: list[LabelMark | None] = []
    for marks in zip(*(label.answers for label in labels), strict=True):
        marked = set(marks) - {None}
        told = marked - {CANNOT_BE_TOLD} or marked
        agreed.append(told.pop() if len(told) == 1 else None)
    return tuple(agreed)


def label_of(fields: Mapping[str, Any], asked: Mapping[str, int]) -> Label:
    """Return a label out of a JSON object; `asked`: the number of questions by item.

    Raises ValueError with what is wrong.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    label = parse_record(Label, {"labeller": ""} | given)
    if label.id not in asked:
        raise UnreadableCell(f"there is no item {label.id!r}")
    if len(label.answers) != asked[label.id]:
        raise UnreadableCell(f"the answers to item {label.id} are no list of {asked[label.id]}")
    return label


def add_labels(folder: Path, labels: Sequence[Label]) -> None:
    """Append the labels, each a line, in one write. Raises OSError."""
    path = Path(folder) / LABELS
    lines = "".join(_line(vars(label)) for label in labels)
    with path.open("ab+") as file:
        # A write that stopped within a line must not spoil the next.
        if file.tell() and (file.seek(-1, 2), file.read(1))[1] != b"\n":
            lines = f"\n{lines}"
        file.write(lines.encode())


# --- labels as plain text


def read_typed(
    path: Path, items: Sequence[LabelItem], labeller: str
) -> tuple[list[Label], list[Complaint]]:
    """Read labels of lines such as ``017: B A E C ?``, a mark for each question of the item.

    ``?`` is for what cannot be told. Spaces and commas between marks, small letters and zeros left
    out of the number do not matter; a line that begins with # is passed over. A line that cannot be
    read is left out and named by file and line. Raises BadTable where the file cannot be
    read.
    """
    known = {item.id.lstrip("0") or "0": item for item in items}
    labels: dict[str, Label] = {}
    complaints: list[Complaint] = []
    for number, line_of_file in enumerate(read_text(path).split("\n"), 1):
        text = line_of_file.strip()
        if not text or text.startswith("#"):
            continue
        with leave_out(TableRow(path.name, number, {}), complaints, "line"):
            match = _TYPED.fullmatch(text)
            if not match:
                raise UnreadableCell(f"{shorten(text, 40)!r} is not of the form '017: B A E C ?'")
            if (item := known.get(match[1].lstrip("0") or "0")) is None:
                raise UnreadableCell(f"there is no item {shorten(match[1], 40)!r}")
            marks = read_marks(match[2], len(item.questions))
            if item.id in labels:
                raise UnreadableCell(f"item {item.id} appears twice, the second time")
            labels[item.id] = Label(item.id, clean_labeler_name(labeller), marks)
    return list(labels.values()), complaints


def read_marks(text: str, questions: int) -> tuple[LabelMark, ...]:
    """Return the marks of a text such as ``B A E C ?``, one a question.

    Spaces and commas between marks and small letters do not matter. Raises ValueError with what is
    wrong.
    """
    marks = re.sub(r"[\s,]", "", text).upper()
    if wrong := next((mark for mark in marks if mark not in MARKS), None):
        raise UnreadableCell(f"{wrong!r} is none of {', '.join(MARKS)}")
    if len(marks) != questions:
        raise UnreadableCell(f"there are {len(marks)} marks and {questions} questions")
    return tuple(MARKS["ABCDE?".index(mark)] for mark in marks)


def _line(fields: Mapping[str, object]) -> str:
    return f"{json.dumps(fields, ensure_ascii=False, allow_nan=False)}\n"
