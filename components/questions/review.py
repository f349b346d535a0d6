"""The review of questions: a set as the editor in the browser holds it, and back.

It asks no model and saves nothing.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast, get_args

import gradio as gr

from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import text
from hallascope.data.files.tidy import line
from hallascope.data.records import (
    COIS,
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

BY_HAND = "added by hand"
EDITED = "edited"
HAND = "by hand"  # the source of a set that a person wrote
EditorSheet = dict[str, Any]  # what the browser holds, as JSON
EditorRow = Mapping[str, Any]
_CONTENT = ("coi", "text", "choices", "gold")
_BODY = '<div class="review"></div>'


# --- from a set to the editor
# ---------------------------------------------------------------------------------------


def sheet(found: QuestionSet) -> EditorSheet:
    """The set as the editor takes it.

    Its stamp is new, so that the editor tells it from an echo of what it sent itself.
    """
    return {
        "stamp": secrets.token_hex(6),
        "prompt": found.prompt,
        "about": {
            "category": found.category,
            "domain": found.domain,
            "source": found.source,
            "provenance": asdict(found.provenance) if found.provenance else None,
        },
        "rows": [row(question) for question in found.questions],
    }


def row(question: Question) -> dict[str, Any]:
    """A question as a row; `was` is how it came, by which a change is known."""
    content: dict[str, Any] = {
        "coi": question.coi,
        "text": question.text,
        "choices": list(question.choices[:4]),
        "gold": question.gold,
    }
    return {**content, "origin": question.origin, "regions": list(question.regions), "was": content}


# --- and back
# --------------------------------------------------------------------------------------------------


def questions(held: object) -> QuestionSet:
    """What the editor holds, as a set.

    What is not finished stays as it is: `hallascope.data.files.tidy` says what is missing.
    """
    found = _fields(held)
    about = _fields(found.get("about"))
    return QuestionSet(
        prompt=_text(found, "prompt"),
        questions=tuple(question(one) for one in _rows(found)),
        category=next((one for one in Category if one == about.get("category")), None),
        domain=next((one for one in get_args(Domain) if one == about.get("domain")), None),
        source=_text(about, "source"),
        provenance=_provenance(about.get("provenance")),
    )


def question(found: EditorRow) -> Question:
    """One row as a question, with who made it and whether a person changed it."""
    choices = (*_texts(found, "choices"), NONE_OF_THE_ABOVE)
    regions = _texts(found, "regions")
    # what is no letter or no composition of interest is told where the set is checked
    return Question(
        text=_text(found, "text"),
        choices=choices,
        gold=cast(Letter, _text(found, "gold")),
        coi=cast(CoI, _text(found, "coi")),
        regions=regions,
        origin=origin(found),
    )


def origin(found: EditorRow) -> str:
    """Who made the question.

    One that came with the set and was changed says so, one without a past was added by hand.
    """
    if not isinstance(found.get("was"), dict):
        return BY_HAND
    said = line(_text(found, "origin"))
    known = said == BY_HAND or said.endswith(EDITED)
    return said if known or not is_edited(found) else ", ".join(filter(None, (said, EDITED)))


def is_edited(found: EditorRow) -> bool:
    """Whether a person wrote it or changed anything in it, white space aside."""
    return _content(found) != _content(_fields(found.get("was")))


def edited_rows(held: object, prompt: str) -> list[EditorRow]:
    """Return the rows of a sheet that a person wrote or changed, which stay as others are made.

    The sheet is of the same prompt.
    """
    found = _fields(held)
    if _text(found, "prompt").split() != prompt.split():
        return []
    return [
        one
        for one in _rows(found)
        if _text(one, "text").strip() and (is_edited(one) or _by_hand(one))
    ]


def _by_hand(found: EditorRow) -> bool:
    return origin(found).endswith((BY_HAND, EDITED))


def _content(found: EditorRow) -> list[list[str]]:
    return [
        [
            line(text)
            for text in (_texts(found, name) if name == "choices" else (_text(found, name),))
        ]
        for name in _CONTENT
    ]


def _fields(value: object) -> EditorRow:
    return value if isinstance(value, dict) else {}


def _rows(found: EditorRow) -> list[EditorRow]:
    rows = found.get("rows")
    return [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []


def _text(found: EditorRow, name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _texts(found: EditorRow, name: str) -> tuple[str, ...]:
    value = found.get(name)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _provenance(value: object) -> Provenance | None:
    if not isinstance(value, dict):
        return None
    said = {name: _fields(value.get(name)) for name in ("templates", "difficulty")}
    templates = {name: _text(said["templates"], name) for name in said["templates"]}
    levels = {
        name: level for name, level in said["difficulty"].items() if level in get_args(Difficulty)
    }
    judge, writer, reasoning, made = (
        _text(value, name) for name in ("judge", "writer", "reasoning", "made")
    )
    return Provenance(
        judge=judge,
        writer=writer,
        reasoning=reasoning,
        templates=templates,
        difficulty=levels,
        made=made,
    )


# --- what a reviewer should look at
# ----------------------------------------------------------------------------------


def remarks(held: object) -> dict[str, list[Any]]:
    """Sentences about each row in its order, and about all together.

    What is not finished is not remarked upon.
    """
    found = questions(held)
    finished = [
        one for one in found.questions if one.gold in LETTERS and len(one.choices) == len(LETTERS)
    ]
    each = [list(concerns(found.prompt, one)) if one in finished else [] for one in found.questions]
    return {"each": each, "all": list(concerns_of_all(finished))}


def empty_sheet(prompt: str = "") -> EditorSheet:
    """A sheet without questions, to write some by hand."""
    return sheet(QuestionSet(prompt=prompt, questions=(), source=HAND))


def refill(held: object, made: QuestionSet) -> EditorSheet:
    """The sheet with other questions in it: those a person wrote or changed stay, at its end.

    None is there twice.
    """
    kept = edited_rows(held, made.prompt)
    told = {line(_text(one, "text")) for one in kept}
    fresh = replace(
        made, questions=tuple(one for one in made.questions if line(one.text) not in told)
    )
    new = sheet(fresh)
    return {**new, "rows": [*new["rows"], *kept]}


# --- what is shown
# --------------------------------------------------------------------------------------------------


def editor(elem_id: str) -> gr.HTML:
    """The editor.

    Its value is a sheet; a sheet that Python sets is shown, what the person does in it comes back
    as its value.
    """
    return holder(
        "questions/review",
        _BODY,
        empty_sheet(),
        cois=list(COIS),
        none=NONE_OF_THE_ABOVE,
        by_hand=BY_HAND,
        edited=EDITED,
        server_functions=[remarks],
        elem_id=elem_id,
    )


def rejected_sets(rejected: Sequence[RejectedQuestion], reply: str = "") -> str:
    """The sets of a reply that cannot stand, each with the reason and as it came.

    Or the whole reply where it holds no set.
    """
    if reply:
        return (
            '<section class="turned-down"><details><summary>The reply as it'
            f" came</summary><pre>{text(reply)}</pre></details></section>"
        )
    if not rejected:
        return ""
    each = "".join(
        f"<li><details><summary>Set {one.number}:"
        f" {text(one.reason)}</summary><pre>{text(one.raw)}</pre></details></li>"
        for one in rejected
    )
    number = "1 set was" if len(rejected) == 1 else f"{len(rejected)} sets were"
    return f'<section class="turned-down"><p>{number} not taken:</p><ul>{each}</ul></section>'
