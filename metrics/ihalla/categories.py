"""Plans the category of a prompt: a writer assigns one of I-HallA's nine, and says why.

The paper takes the category of a prompt from the textbook that it stands in (table 1)
and prints no agent that assigns one. This one does so for any prompt, in the manner of its other
agents. A person reviews what it says.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hallascope.data.files.questions import read_category
from hallascope.data.files.tables import UnreadableCell
from hallascope.data.files.tidy import line
from hallascope.data.records import Category
from hallascope.data.requests import Answer, Reply, Request, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import PlanSteps
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, object_schema
from hallascope.metrics.written import Written, ask_writer

NO_CATEGORY = "none"
SCHEMA = object_schema(
    category={"type": "string", "enum": [*(str(each) for each in Category), NO_CATEGORY]},
    reason=TEXT,
)
_NAMES = ("category", "reason")
_LABEL = structured.label_pattern("|".join(_NAMES))
_NONE = re.compile(r"none(?: of (?:these|them|the above))?", re.IGNORECASE)
_MARKS = " \t\n.*_`\"'"
_UNREADABLE = (
    "The writer's reply names no category: ask again, choose another writer, or write the category"
    " into the file of the questions."
)


class AssignedCategory(NamedTuple):
    """Holds the category of a prompt, None where none of the nine fits, and the reason for it."""

    category: Category | None
    reason: str


def ask_category(
    prompt: str, *, prompts: Path | None = None
) -> PlanSteps[Written[AssignedCategory]]:
    """Plan one writing that assigns a category.

    `prompts`: a folder whose template goes before ours. Raises TemplateError, before anything is
    asked, where it cannot be used.
    """
    form = template("ihalla_category", prompts)
    request = Write(form.fill({"caption": line(prompt)}), form.version, SCHEMA)
    return ask_writer(request, lambda answer: parse_category(answer.text), _UNREADABLE)


def parse_category(text: str) -> AssignedCategory | None:
    """Return the category of a reply and its reason; None where it names no category, or two."""
    fields = _fields(strip_thinking(text))
    name = fields.get("category", "").strip(_MARKS)
    try:
        category = None if _NONE.fullmatch(name) else read_category(name)
    except UnreadableCell:
        return None
    return AssignedCategory(category, line(fields.get("reason", "")))


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply is worth keeping in a cache."""
    return isinstance(reply, Answer) and parse_category(reply.text) is not None


def _fields(text: str) -> Mapping[str, str]:
    """Return the fields of a reply: of one JSON object, of labeled lines, or of one line alone.

    There are none where the reply holds two answers, or a field is no text.
    """
    objects = structured.objects(text, ("category",))
    if len(objects) > 1:
        return {}
    labeled = structured.labeled_fields(_LABEL, text) or {"category": text}
    fields = objects[0].fields if objects else labeled
    try:
        return {name: structured.text_of(fields, name) for name in _NAMES}
    except ValueError:
        return {}
