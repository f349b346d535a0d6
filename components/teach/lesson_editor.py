"""Shows the editor in which a teacher makes a set of exercises, and what a class answered."""

from collections.abc import Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import tag
from hallascope.components.people.agreement import table
from hallascope.components.teach.exercise import ServerFunction, sorts
from hallascope.data.teaching.lesson import LessonItem, as_plain

BODY = Markup('<div class="bench"></div>')
_PLACES = "The first answer to each exercise counts. Places: right of those asked for."


def editor_panel(
    functions: Sequence[ServerFunction], prompts: Sequence[str], elem_id: str
) -> gr.HTML:
    """Return the editor.

    In the browser `functions` are called `begin`, `faults`, `chance`, `wrongs`, `make`, `answers`,
    `as_page`.
    """
    known = {"sorts": sorts(), "prompts": list(prompts)}
    return holder(
        "teach/lesson_editor",
        BODY,
        None,
        known=known,
        server_functions=list(functions),
        elem_id=elem_id,
    )


def exercise_entry(item: LessonItem, words: str) -> dict[str, Any]:
    """Return an exercise as it stands in the list."""
    return {"item": as_plain(item), "words": words}


def existing_set(
    title: str, items: Sequence[dict[str, Any]], token: str, key: str
) -> dict[str, Any]:
    """Return a set that is there already, with the key to its answers."""
    return {"title": title, "items": list(items), "token": token, "key": key}


def class_results(
    standings: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], heads: Sequence[str]
) -> Markup:
    """Return how far everybody is, then every answer."""
    if not rows:
        return tag("p", "No answers yet.", class_="soft")
    summary = table("The class", ("name", "facts", "places"), standings, _PLACES)
    return summary + table("Every answer", heads, rows)
