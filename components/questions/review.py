"""Turns a set of questions into what the editor in the browser holds, and back."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast, get_args

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import input_html
from hallascope.components.html.markup import tag
from hallascope.data.files.questions import renumber
from hallascope.data.files.tidy import line
from hallascope.data.records import (
    COIS,
    DIFFICULTIES,
    FIELDS,
    LETTERS,
    NONE_OF_THE_ABOVE,
    Category,
    CoI,
    Difficulty,
    Domain,
    Letter,
    Provenance,
    Question,
    QuestionSet,
)
from hallascope.metrics.ihalla.question_replies import RejectedQuestion
from hallascope.metrics.ihalla.review_hints import concerns, concerns_of_all

ADDED_ORIGIN = "added by hand"
EDITED = "edited"
WRITTEN_SOURCE = "by hand"  # of a set that a person wrote
EditorSheet = dict[str, Any]  # what the browser holds, as JSON
EditorRow = Mapping[str, Any]
_BODY = Markup('<div class="review"></div>')


# --- from a set to the editor ---


def sheet(question_set: QuestionSet) -> EditorSheet:
    """Return the set as the editor takes it.

    Its stamp is new, so that the editor tells it from an echo of what it sent itself.
    """
    return {
        "stamp": secrets.token_hex(6),
        "prompt": question_set.prompt,
        "about": {
            "category": question_set.category,
            "domain": question_set.domain,
            "field": question_set.field,
            "difficulty": question_set.difficulty,
            "source": question_set.source,
            "provenance": asdict(question_set.provenance) if question_set.provenance else None,
        },
        "rows": [
            {**row(question), "number": number}
            for number, question in enumerate(question_set.questions, 1)
        ],
    }


def row(question: Question) -> dict[str, Any]:
    """Return a question as a row; `was` is how it came, by which a change is known."""
    content: dict[str, Any] = {
        "coi": question.coi,
        "text": question.text,
        "choices": [own for own in question.choices if own != NONE_OF_THE_ABOVE],
        "gold": question.gold,
    }
    return {
        **content,
        "origin": question.origin,
        "regions": list(question.regions),
        "parents": list(question.parents),
        "was": content,
    }


# --- and back ---


def questions(held: object) -> QuestionSet:
    """Return what the editor holds as a set.

    What is not finished stays as it is: `hallascope.data.files.tidy` says what is missing. Parents
    are numbered by where they stand now; one that was deleted is no parent any more.
    """
    editor_sheet = _fields(held)
    about = _fields(editor_sheet.get("about"))
    rows = _rows(editor_sheet)
    places = {
        number: place
        for place, row in enumerate(rows, 1)
        if isinstance(number := row.get("number"), int)
    }
    domain = about.get("domain")
    return QuestionSet(
        prompt=_text(editor_sheet, "prompt"),
        questions=renumber(map(question, rows), places),
        category=next((known for known in Category if known == about.get("category")), None),
        domain=domain if domain in get_args(Domain) else None,
        source=_text(about, "source"),
        provenance=_provenance(about.get("provenance")),
        field=next((known for known in FIELDS if known == about.get("field")), None),
        difficulty=next(
            (known for known in DIFFICULTIES if known == about.get("difficulty")), None
        ),
    )


def question(editor_row: EditorRow) -> Question:
    """Return one row as a question, with who made it and whether a person changed it."""
    # what is no letter or no composition of interest is told where the set is checked
    return Question(
        text=_text(editor_row, "text"),
        choices=(*_texts(editor_row, "choices"), NONE_OF_THE_ABOVE),
        gold=cast(Letter, _text(editor_row, "gold")),
        coi=cast(CoI, _text(editor_row, "coi")),
        regions=_texts(editor_row, "regions"),
        origin=origin(editor_row),
        parents=tuple(own for own in editor_row.get("parents") or () if isinstance(own, int)),
    )


def origin(editor_row: EditorRow) -> str:
    """Say who made the question.

    One that came with the set and was changed says so, one without a past was added by hand.
    """
    if not isinstance(editor_row.get("was"), dict):
        return ADDED_ORIGIN
    maker = line(_text(editor_row, "origin"))
    if maker == ADDED_ORIGIN or maker.endswith(EDITED) or not is_edited(editor_row):
        return maker
    return f"{maker}, {EDITED}" if maker else EDITED


def is_edited(editor_row: EditorRow) -> bool:
    """Say whether a person wrote it or changed anything in it, white space aside."""
    return _content(editor_row) != _content(_fields(editor_row.get("was")))


def edited_rows(held: object, prompt: str) -> list[EditorRow]:
    """Return the rows of a sheet that a person wrote or changed, which stay as others are made.

    The sheet is of the same prompt.
    """
    editor_sheet = _fields(held)
    if _text(editor_sheet, "prompt").split() != prompt.split():
        return []
    return [
        row
        for row in _rows(editor_sheet)
        if _text(row, "text").strip()
        and (is_edited(row) or origin(row).endswith((ADDED_ORIGIN, EDITED)))
    ]


def _content(editor_row: EditorRow) -> list[str]:
    """Return what makes a question, to compare two states of it."""
    texts = [_text(editor_row, name) for name in ("coi", "text", "gold")]
    return [line(text) for text in (*texts, *_texts(editor_row, "choices"))]


def _fields(value: object) -> EditorRow:
    return value if isinstance(value, dict) else {}


def _rows(editor_sheet: EditorRow) -> list[EditorRow]:
    rows = editor_sheet.get("rows")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(fields: EditorRow, name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _texts(fields: EditorRow, name: str) -> tuple[str, ...]:
    value = fields.get(name)
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _provenance(value: object) -> Provenance | None:
    if not isinstance(value, dict):
        return None
    templates = _fields(value.get("templates"))
    levels = _fields(value.get("difficulty"))
    return Provenance(
        judge=_text(value, "judge"),
        writer=_text(value, "writer"),
        reasoning=_text(value, "reasoning"),
        templates={name: _text(templates, name) for name in templates},
        difficulty={name: level for name, level in levels.items() if level in get_args(Difficulty)},
        made=_text(value, "made"),
    )


# --- what a reviewer should look at ---


def remarks(held: object) -> dict[str, list[Any]]:
    """Return sentences about each row in its order, and about all together.

    What is not finished is not remarked upon.
    """
    question_set = questions(held)
    finished = [
        question
        for question in question_set.questions
        if question.gold in LETTERS and len(question.choices) == len(LETTERS)
    ]
    each = [
        list(concerns(question_set.prompt, question)) if question in finished else []
        for question in question_set.questions
    ]
    return {"each": each, "all": list(concerns_of_all(finished))}


def empty_sheet(prompt: str = "") -> EditorSheet:
    """Return a sheet without questions, to write some by hand."""
    return sheet(QuestionSet(prompt=prompt, questions=(), source=WRITTEN_SOURCE))


def refill(held: object, made: QuestionSet) -> EditorSheet:
    """Return the sheet with other questions: those a person wrote or changed stay, at its end.

    None is there twice. Those that stay depend on none: their parents were in the old sheet.
    """
    own_rows = [{**row, "number": None, "parents": []} for row in edited_rows(held, made.prompt)]
    own_texts = {line(_text(row, "text")) for row in own_rows}
    new = sheet(made)
    others = [row for row in new["rows"] if line(row["text"]) not in own_texts]
    return {**new, "rows": [*others, *own_rows]}


# --- what is shown ---


def editor(elem_id: str) -> gr.HTML:
    """Return the editor.

    Its value is a sheet; a sheet that Python sets is shown, what the person does in it comes back
    as its value.
    """
    return input_html(
        "questions/review",
        _BODY,
        empty_sheet(),
        {"cois": COIS, "none": NONE_OF_THE_ABOVE, "by_hand": ADDED_ORIGIN, "edited": EDITED},
        server_functions=[remarks],
        elem_id=elem_id,
    )


def rejected_sets(rejected: Sequence[RejectedQuestion], reply: str = "") -> Markup:
    """Return the sets of a reply that cannot stand, each with the reason and as it came.

    It is the whole reply where this holds no set.
    """
    if reply:
        return tag("section", _folded("The reply as it came", reply), class_="turned-down")
    if not rejected:
        return Markup()
    items = (tag("li", _folded(f"Set {each.number}: {each.reason}", each.raw)) for each in rejected)
    number = "1 set was" if len(rejected) == 1 else f"{len(rejected)} sets were"
    return tag("section", tag("p", f"{number} not taken:"), tag("ul", *items), class_="turned-down")


def _folded(summary: str, raw: str) -> Markup:
    return tag("details", tag("summary", summary), tag("pre", raw))
