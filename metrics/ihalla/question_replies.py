"""Reads a writer's reply as sets of composition, question, choices and answer.

The source is I-HallA, appendix J.

A set that is not whole is rejected with the reason; no field is ever taken from one set into
another.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hallascope.data.files.questions import (
    parse_question,
    read_choices,
    split_choices,
)
from hallascope.data.records import COIS, LETTERS, Question
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema

SETS = 5  # what is asked for; more are not taken
SCHEMA = object_schema(
    sets=array_of(
        object_schema(
            coi={"type": "string", "enum": list(COIS)},
            question=TEXT,
            choices=array_of(TEXT),
            answer={"type": "string", "enum": list(LETTERS)},
        )
    )
)
# Every name under which a field may stand; the first of them is ours.
_NAMES: dict[str, tuple[str, ...]] = {
    "coi": (
        "coi",
        "cois",
        "composition of interest",
        "compositions of interest",
        "composition",
        "compositions",
    ),
    "question": ("question",),
    "choices": ("choices", "options"),
    "answer": ("answer", "gold", "gold answer", "correct answer", "correct choice"),
}
_OURS = {name: ours for ours, names in _NAMES.items() for name in names}
_HEAD = re.compile(
    r"^[ \t#>*•-]*(?:(?:qa|question)[ -]?)?set\s*#?\d+[*_]*[ \t]*(?:[:.)-][*_]*|$)",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = structured.label_pattern(
    "|".join(sorted(_OURS, key=len, reverse=True)), more=r"(?:\s+\d+)?"
)
_RULE = re.compile(r"^[ \t]*(?:[-*_=]{3,}|```\w*)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class RejectedQuestion:
    """Holds a set that is not taken: its place, the reason, and the set as it came.

    The place in the reply is counted from 1, and the reason is a sentence's end.
    """

    number: int
    reason: str
    raw: str


def parse_questions(
    text: str, origin: str = ""
) -> tuple[tuple[Question, ...], tuple[RejectedQuestion, ...]]:
    """Return the questions of a reply that can stand, at most five, and what was rejected.

    Never raises.
    """
    questions: list[Question] = []
    rejected: list[RejectedQuestion] = []
    text = strip_thinking(text)
    sets = structured.objects(text, tuple(_OURS)) or _labeled_sets(text)
    for number, question_set in enumerate(sets, 1):
        try:
            question = _question(question_set.fields, origin, questions)
        except ValueError as problem:
            rejected.append(RejectedQuestion(number, str(problem), question_set.raw))
        else:
            questions.append(question)
    return tuple(questions), tuple(rejected)


def _question(fields: structured.ReplyFields, origin: str, others: Sequence[Question]) -> Question:
    """Return the question of a set. Raises ValueError with the reason where it cannot stand."""
    if not fields:
        raise ValueError("it breaks off, or is no readable JSON")
    texts = {
        name: structured.text_of(fields, *_NAMES[name]) for name in ("coi", "question", "answer")
    }
    if missing := [name for name, text in texts.items() if not text]:
        raise ValueError(f"it has no {' and no '.join(missing)}")
    choices = _choices(fields)
    question = parse_question(
        {
            "question": texts["question"],
            "choices": choices,
            "answer": texts["answer"].strip(" *_`\"'"),
            "coi": texts["coi"].strip(" *_`\"'<>"),
            "origin": origin,
        }
    )
    if any(_words(question.text) == _words(other.text) for other in others):
        raise ValueError("its question stands there twice")
    if len(others) >= SETS:
        raise ValueError("more than five")
    return question


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _choices(fields: structured.ReplyFields) -> tuple[str, ...]:
    """Read the choices from a list, an object by letter, or lines. Raises ValueError."""
    value = next((fields[name] for name in _NAMES["choices"] if name in fields), None)
    if isinstance(value, dict):
        value = [f"{letter}) {text}" for letter, text in value.items() if isinstance(text, str)]
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return split_choices(value)
    if isinstance(value, str):
        return read_choices(value)
    raise ValueError("it has no choices" if value is None else "its choices are no list of texts")


def _labeled_sets(text: str) -> list[structured.ReplyObject]:
    """Split a text into sets, each from its heading; without headings, from its first label.

    That is the label with which the text begins, wherever it comes again.
    """
    if headed := list(structured.labeled_texts(_HEAD, text)):
        return [
            structured.ReplyObject(f"{head[0]}{block}".strip(), _labeled_fields(block))
            for head, block in headed
        ]
    labels = [(_OURS[label[1].casefold()], label.start()) for label in _LABEL.finditer(text)]
    starts = [start for name, start in labels if name == labels[0][0]]
    blocks = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    return [structured.ReplyObject(block.strip(), _labeled_fields(block)) for block in blocks]


def _labeled_fields(block: str) -> dict[str, object]:
    """Return what stands after each label, up to the next.

    A label that comes again makes the field one that stands there twice.
    """
    block = _RULE.sub("", block)
    fields: dict[str, object] = {"raw": block}
    for label, labeled in structured.labeled_texts(_LABEL, block):
        name = _OURS[label[1].casefold()]
        value = re.sub(r"\*\*|__", "", labeled).strip()
        if name in fields:
            fields[name] = structured.DuplicateField()
        elif name == "answer":
            # People and models add a remark below the last answer.
            fields[name] = re.split(r"\n\s*\n", value)[0]
        else:
            fields[name] = value
    return fields
