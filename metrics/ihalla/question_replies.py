"""Reads a writer's reply as sets of composition, question, choices and answer.

The source is I-HallA, appendix J.

A set that is not whole is rejected with the reason; no field is ever taken from one set into
another.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hallascope.data.files import cells
from hallascope.data.files.tidy import tidy
from hallascope.data.records import COIS, LETTERS, Question
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking

SETS = 5  # what is asked for; more are not taken
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "sets": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "coi": {"type": "string", "enum": list(COIS)},
                    "question": {"type": "string"},
                    "choices": {"type": "array", "items": {"type": "string"}},
                    "answer": {"type": "string", "enum": list(LETTERS)},
                },
                "required": ["coi", "question", "choices", "answer"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sets"],
    "additionalProperties": False,
}
# every name under which a field may stand, the first of them ours
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
_LABEL = re.compile(
    rf"^[ \t>#*•-]*({'|'.join(sorted(_OURS, key=len, reverse=True))})(?:\s+\d+)?[*_]*\s*:[*_]*["
    r" \t]*",
    re.IGNORECASE | re.MULTILINE,
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
    for number, piece in enumerate(_pieces(strip_thinking(text)), 1):
        try:
            question = _question(piece, origin, questions)
        except ValueError as problem:
            rejected.append(RejectedQuestion(number, str(problem), piece.raw))
        else:
            questions.append(question)
    return tuple(questions), tuple(rejected)


def _question(piece: structured.ReplyObject, origin: str, others: Sequence[Question]) -> Question:
    """Raises ValueError with the reason."""
    if not piece.fields:
        raise ValueError("it breaks off, or is no readable JSON")
    said = {
        ours: structured.text_of(piece.fields, *names)
        for ours, names in _NAMES.items()
        if ours != "choices"
    }
    if missing := [name for name in ("coi", "question", "answer") if not said[name]]:
        raise ValueError(f"it has no {' and no '.join(missing)}")
    choices = _choices(piece.fields)
    gold = cells.answer(said["answer"].strip(" *_`\"'"), choices)
    question = tidy(
        Question(
            text=said["question"],
            choices=choices,
            gold=gold,
            coi=cells.coi(said["coi"].strip(" *_`\"'<>")),
            origin=origin,
        )
    )
    if any(_same_words(question.text, other.text) for other in others):
        raise ValueError("its question stands there twice")
    if len(others) >= SETS:
        raise ValueError("more than five")
    return question


def _same_words(one: str, other: str) -> bool:
    return re.findall(r"\w+", one.casefold()) == re.findall(r"\w+", other.casefold())


def _choices(fields: structured.ReplyFields) -> tuple[str, ...]:
    """Read the choices from a list, an object by letter, or lines. Raises ValueError."""
    value = next((fields[name] for name in _NAMES["choices"] if name in fields), None)
    if isinstance(value, dict):
        value = [f"{letter}) {text}" for letter, text in value.items() if isinstance(text, str)]
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return cells.split_choices(value)
    if isinstance(value, str):
        return cells.choices(value)
    raise ValueError("it has no choices" if value is None else "its choices are no list of texts")


def _pieces(text: str) -> list[structured.ReplyObject]:
    """Return the sets of a reply, of JSON or of text."""
    return structured.objects(text, tuple(_OURS)) or _of_text(text)


def _of_text(text: str) -> list[structured.ReplyObject]:
    """Split a text into sets, each from its heading or from the first of all labels.

    The label counts where there are no headings, wherever it comes again.
    """
    heads = list(_HEAD.finditer(text))
    if heads:
        starts = [head.end() for head in heads]
        ends = [head.start() for head in heads[1:]]
        blocks = [
            (text[head.start() : end], text[start:end])
            for head, start, end in zip(heads, starts, [*ends, len(text)], strict=True)
        ]
    else:
        labels = list(_LABEL.finditer(text))
        first = [
            label.start()
            for label in labels
            if _OURS[label[1].casefold()] == _OURS[labels[0][1].casefold()]
        ]
        blocks = [(text[start:end],) * 2 for start, end in pairwise([*first, len(text)])]
    return [structured.ReplyObject(raw.strip(), _fields(inside)) for raw, inside in blocks]


def _fields(block: str) -> dict[str, object]:
    """Return what stands after each label, up to the next.

    A label that comes again makes the field one that stands there twice.
    """
    block = _RULE.sub("", block)
    labels = list(_LABEL.finditer(block))
    fields: dict[str, object] = {"raw": block}
    for label, end in zip(
        labels, [*(label.start() for label in labels[1:]), len(block)], strict=False
    ):
        name = _OURS[label[1].casefold()]
        value = re.sub(r"\*\*|__", "", block[label.end() : end]).strip()
        if name in fields:
            fields[name] = structured.DuplicateField()
        elif name == "answer":
            # people and models add a remark below the last answer
            fields[name] = re.split(r"\n\s*\n", value)[0]
        else:
            fields[name] = value
    return fields
