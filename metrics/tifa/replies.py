"""Reads a writer's reply as the elements of a prompt with their questions (Hu et al. 2023).

A question without its answer among its choices is left out, as Hu et al. leave out what another
model does not confirm.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from hallascope.data.files.tidy import line
from hallascope.data.records import LETTERS, CoI, Question
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema

ORIGIN = "TIFA-style, by the writer"
MOST = 24  # questions of one prompt
SCHEMA = object_schema(
    elements=array_of(
        object_schema(
            element=TEXT,
            kind={
                "type": "string",
                "enum": ["existence", "color", "counting", "relation", "others"],
            },
            yes_no=TEXT,
            question=TEXT,
            choices=array_of(TEXT),
        )
    )
)
# The kinds of Hu et al. as compositions of interest.
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
_LINE = re.compile(r"(?P<label>Q|Question|Choices|A|Answer)\s*:\s*(?P<value>.*)", re.IGNORECASE)


@dataclass(frozen=True)
class RawQuestion:
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
    raw = [*_json_questions(text)] or [*_labeled_questions(text)]
    questions: dict[str, Question] = {}
    for question in filter(None, map(_question, raw)):
        key = question.text.casefold() + "\n".join(question.choices).casefold()
        questions.setdefault(key, question)
    if questions:
        return tuple(questions.values())[:MOST]
    objects = structured.objects(text, ("elements",))
    if not raw and any(item.fields.get("elements") == [] for item in objects):
        return ()
    return None


def _question(raw: RawQuestion) -> Question | None:
    """Return a question that can stand: with a text, different choices, and its answer in them."""
    text = line(raw.text)
    choices = tuple(map(line, raw.choices))
    plain = [_plain(choice) for choice in choices]
    gold = _plain(raw.gold)
    if not text or not 2 <= len(choices) <= len(LETTERS):
        return None
    if not all(plain) or len(set(plain)) < len(plain) or gold not in plain:
        return None
    return Question(
        text=text,
        choices=choices,
        gold=LETTERS[plain.index(gold)],
        coi=_KINDS.get(_plain(raw.kind), "others"),
        origin=ORIGIN,
    )


def _plain(text: str) -> str:
    return line(text).casefold().strip(" .,;\"'")


def _json_questions(text: str) -> Iterator[RawQuestion]:
    """Yield the questions of each element: two in our form, in that of Hu et al. the one it has."""
    for item in structured.objects(text, ("yes no", "question")):
        fields = item.fields
        # Where a field is no text, the rest of its element is left out.
        with suppress(ValueError):
            element = structured.text_of(fields, "element")
            kind = structured.text_of(fields, "kind", "element type", "type")
            yes_no = structured.text_of(fields, "yes no")
            if yes_no:
                yield RawQuestion(yes_no, ("Yes", "No"), "Yes", kind)
            choices = fields.get("choices")
            if isinstance(choices, list) and all(isinstance(choice, str) for choice in choices):
                question = structured.text_of(fields, "question")
                gold = structured.text_of(fields, "answer") or element
                yield RawQuestion(question, tuple(choices), gold, kind)


def _labeled_questions(text: str) -> Iterator[RawQuestion]:
    """Read the lines that Hu et al. have written.

    They are "About molecule (object):", "Q: ...", "Choices: yes, no", "A: yes".
    """
    kind = ""
    question = ""
    choices: tuple[str, ...] = ()
    for text_line in text.splitlines():
        plain = text_line.strip(" \t*#>-")
        if about := _ABOUT.fullmatch(plain):
            in_brackets = _KIND.search(about["element"])
            kind = (in_brackets["kind"] if in_brackets else "") or "existence"
            question = ""
            choices = ()
        elif labeled := _LINE.fullmatch(plain):
            match labeled["label"][0].casefold():
                case "q":
                    question = labeled["value"]
                    choices = ()
                case "c":
                    choices = tuple(choice.strip() for choice in labeled["value"].split(","))
                case _:
                    yield RawQuestion(question, choices, labeled["value"], kind)
                    question = ""
                    choices = ()
