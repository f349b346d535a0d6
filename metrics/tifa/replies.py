"""Reads a writer's reply as the elements of a prompt with their questions (Hu et al. 2023).

A question without its answer among its choices is left out, as Hu et al. leave out what another
model does not confirm.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hallascope.data.files.tidy import line
from hallascope.data.records import LETTERS, CoI, Question
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking

ORIGIN = "TIFA-style, by the writer"
MOST = 24  # questions of one prompt
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "elements": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "element": {"type": "string"},
                    "kind": {
                        "type": "string",
                        "enum": ["existence", "color", "counting", "relation", "others"],
                    },
                    "yes_no": {"type": "string"},
                    "question": {"type": "string"},
                    "choices": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["element", "kind", "yes_no", "question", "choices"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["elements"],
    "additionalProperties": False,
}
# the kinds of Hu et al. as compositions of interest
_KINDS: dict[str, CoI] = {
    **dict.fromkeys(
        ("existence", "object", "human", "person", "animal", "food", "location", "place"),
        "existence",
    ),
    **dict.fromkeys(("color", "colour"), "color"),
    **dict.fromkeys(("counting", "count", "number"), "counting"),
    **dict.fromkeys(("relation", "spatial", "position"), "relation"),
}
_ABOUT = re.compile(r"About\s++(?P<element>.+)", re.IGNORECASE)
_KIND = re.compile(r"(?<=.)\((?P<kind>[^()]*)\)\s*:?\Z")
_LINE = re.compile(r"(?P<label>Q|Question|Choices|A|Answer)\s*:\s*(?P<said>.*)", re.IGNORECASE)


class RawQuestion(NamedTuple):
    """Holds a question as a reply gives it, its right answer in words."""

    text: str
    choices: tuple[str, ...]
    gold: str
    kind: str


def parse_element_questions(text: str) -> tuple[Question, ...] | None:
    """Return the questions of a reply that can stand, none twice.

    () where it says that there are no elements, None where nothing can be read.
    """
    text = strip_thinking(text)
    raw = [*_of_json(text)] or [*_of_text(text)]
    found: dict[str, Question] = {}
    for question in filter(None, map(_question, raw)):
        found.setdefault(
            question.text.casefold() + "\n".join(question.choices).casefold(), question
        )
    if not found:
        return (
            ()
            if not raw
            and any(
                piece.fields.get("elements") == []
                for piece in structured.objects(text, ("elements",))
            )
            else None
        )
    return tuple(found.values())[:MOST]


def _question(raw: RawQuestion) -> Question | None:
    choices = tuple(map(line, raw.choices))
    plain = [_plain(choice) for choice in choices]
    gold = _plain(raw.gold)
    whole = (
        line(raw.text)
        and 2 <= len(choices) <= len(LETTERS)
        and all(plain)
        and len(set(plain)) == len(plain)
    )
    if not whole or gold not in plain:
        return None
    return Question(
        text=line(raw.text),
        choices=choices,
        gold=LETTERS[plain.index(gold)],
        coi=_KINDS.get(_plain(raw.kind), "others"),
        origin=ORIGIN,
    )


def _plain(text: str) -> str:
    return line(text).casefold().strip(" .,;\"'")


def _of_json(text: str) -> Iterator[RawQuestion]:
    for piece in structured.objects(text, ("yes no", "question")):
        try:
            yield from _of_fields(piece.fields)
        except ValueError:  # a field that is no text: the element is left out
            continue


def _of_fields(fields: structured.ReplyFields) -> Iterator[RawQuestion]:
    """Our form has two questions an element, that of Hu et al. one question with its answer.

    Raises ValueError.
    """
    element = structured.text_of(fields, "element")
    kind = structured.text_of(fields, "kind", "element type", "type")
    if asked := structured.text_of(fields, "yes no"):
        yield RawQuestion(asked, ("Yes", "No"), "Yes", kind)
    choices = fields.get("choices")
    if isinstance(choices, list) and all(isinstance(choice, str) for choice in choices):
        yield RawQuestion(
            structured.text_of(fields, "question"),
            tuple(choices),
            structured.text_of(fields, "answer") or element,
            kind,
        )


def _kind(element: str) -> str:
    """Return the kind that stands in brackets behind an element."""
    found = _KIND.search(element)
    return (found["kind"] if found else "") or "existence"


def _of_text(text: str) -> Iterator[RawQuestion]:
    """Read the lines that Hu et al. have written.

    They are "About molecule (object):", "Q: ...", "Choices: yes, no", "A: yes".
    """
    kind = asked = ""
    choices: tuple[str, ...] = ()
    for each in (part.strip(" \t*#>-") for part in text.splitlines()):
        if about := _ABOUT.fullmatch(each):
            kind = _kind(about["element"])
            asked = ""
            choices = ()
        elif found := _LINE.fullmatch(each):
            match found["label"][0].casefold():
                case "q":
                    asked = found["said"]
                    choices = ()
                case "c":
                    choices = tuple(part.strip() for part in found["said"].split(","))
                case _:
                    yield RawQuestion(asked, choices, found["said"], kind)
                    asked = ""
                    choices = ()
