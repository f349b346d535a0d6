"""Reads what a judge says of a picture whose label is known: Normal or Weird, and why.

The source is I-HallA, appendix J.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hallascope.data.files.tidy import paragraphs
from hallascope.data.records import Picture
from hallascope.data.requests import Failure, Reply
from hallascope.metrics.base import text_reply
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, object_schema

Response = Literal["Normal", "Weird"]
ReasoningState = Literal["correct", "incorrect", "unreadable", "failed"]

SCHEMA = object_schema(
    response={"type": "string", "enum": ["Normal", "Weird"]},
    visual_evidence=TEXT,
    contextual_evidence=TEXT,
)
_WORDS: dict[str, Response] = {
    "normal": "Normal",
    "factual": "Normal",
    "weird": "Weird",
    "hallucinated": "Weird",
}
_RESPONSE = re.compile(
    rf"(?:(?:the|this) (?:image|picture) is )?({'|'.join(_WORDS)})\b", re.IGNORECASE
)
_NAMES = ("response", "visual evidence", "contextual evidence", "reasoning")
_LABEL = structured.label_pattern("|".join(_NAMES))
_MARKS = re.compile(r"\*\*|__|^```\w*$", re.MULTILINE)


@dataclass(frozen=True)
class LabeledPicture:
    """Holds a picture whose label is known.

    A reference is factual, a picture that a person rejects is not.
    """

    picture: Picture
    factual: bool


@dataclass(frozen=True, kw_only=True)
class Reasoning:
    """Holds one of the judge's answers about a picture: whether it is right, and its evidence.

    `general` is what stands under "Reasoning" itself, where the reply has both that and evidence.
    `failure` is the sentence of a reply that never came.
    """

    material: LabeledPicture
    state: ReasoningState
    response: Response | None = None
    visual: str = ""
    contextual: str = ""
    general: str = ""
    raw: str = ""
    failure: str | None = None

    @property
    def text(self) -> str:
        """Return the evidence in words, "" where there is none."""
        parts = {"Visual evidence": self.visual, "Contextual evidence": self.contextual}
        labeled = [f"{label}: {evidence}" for label, evidence in parts.items() if evidence]
        return "\n".join(filter(None, [self.general, *labeled]))

    @property
    def is_usable(self) -> bool:
        """Return whether it is right and says why."""
        return self.state == "correct" and bool(self.text)


def parse_reasoning(material: LabeledPicture, reply: Reply) -> Reasoning:
    """Read one reply about a picture.

    Raises TypeError where the reply is no text, which no judge gives.
    """
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return Reasoning(material=material, state="failed", failure=answer.message)
    fields = _fields(answer.text)
    response = _response(fields.get("response", ""))
    if response is None:
        state: ReasoningState = "unreadable"
    elif (response == "Normal") == material.factual:
        state = "correct"
    else:
        state = "incorrect"
    return Reasoning(
        material=material,
        state=state,
        response=response,
        visual=paragraphs(fields.get("visual evidence", "")),
        contextual=paragraphs(fields.get("contextual evidence", "")),
        general=paragraphs(fields.get("reasoning", "")),
        raw=answer.text,
    )


def response(text: str) -> Response | None:
    """Return what a reply calls the picture, None where it cannot be read."""
    return _response(_fields(text).get("response", ""))


def _fields(text: str) -> Mapping[str, str]:
    """Return the fields of a reply, of JSON or of lines that begin with their names.

    There are none where the reply contradicts itself, or a field is no text.
    """
    text = strip_thinking(text)
    objects = [item for item in structured.objects(text, ("response",)) if item.fields]
    if len(objects) > 1:
        return {}
    if objects:
        fields = objects[0].fields
    else:
        fields = structured.labeled_fields(_LABEL, _MARKS.sub("", text))
        if not fields and len(text.split()) == 1:
            fields = {"response": text}
    inner = fields.get("reasoning")
    if isinstance(inner, dict):
        # Some judges put the evidence into the reasoning.
        fields = {**fields, "reasoning": "", **inner}
    try:
        return {
            name: structured.text_of(fields, name, name.removesuffix(" evidence"))
            for name in _NAMES
        }
    except ValueError:
        return {}


def _response(text: str) -> Response | None:
    """Read Normal or Weird where the first line begins with one and never says the other."""
    first_line = text.strip().partition("\n")[0].strip("*_`\"'<>([{. ")
    match = _RESPONSE.match(first_line)
    responses = {
        _WORDS[word.casefold()]
        for word in re.findall(rf"\b(?:{'|'.join(_WORDS)})\b", first_line, re.IGNORECASE)
    }
    if not match or len(responses) != 1:
        return None
    return _WORDS[match[1].casefold()]
