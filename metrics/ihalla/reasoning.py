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

Response = Literal["Normal", "Weird"]
ReasoningState = Literal["correct", "incorrect", "unreadable", "failed"]

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "response": {"type": "string", "enum": ["Normal", "Weird"]},
        "visual_evidence": {"type": "string"},
        "contextual_evidence": {"type": "string"},
    },
    "required": ["response", "visual_evidence", "contextual_evidence"],
    "additionalProperties": False,
}
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
_LABEL = re.compile(
    rf"^[ \t>#*•-]*({'|'.join(_NAMES)})[*_]*\s*:[*_]*[ \t]*", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True)
class LabeledPicture:
    """A picture whose label is known: a reference is factual, one that a person rejects is not."""

    picture: Picture
    factual: bool


@dataclass(frozen=True, kw_only=True)
class Reasoning:
    """Holds one of the judge's answers about a picture: whether it told right, and its evidence.

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
        labelled = [f"{name}: {said}" for name, said in parts.items() if said]
        return "\n".join(filter(None, [self.general, *labelled]))

    @property
    def is_usable(self) -> bool:
        """Return whether it tells right and says why."""
        return self.state == "correct" and bool(self.text)


def parse_reasoning(material: LabeledPicture, reply: Reply) -> Reasoning:
    """Read one reply about a picture.

    Raises TypeError where the reply is no text, which no judge gives.
    """
    answer = text_reply(reply, "judge")
    if isinstance(answer, Failure):
        return Reasoning(material=material, state="failed", failure=answer.message)
    said = _fields(answer.text)
    response = _response(said.get("response", ""))
    if response is None:
        state: ReasoningState = "unreadable"
    elif (response == "Normal") == material.factual:
        state = "correct"
    else:
        state = "incorrect"
    visual, contextual, general = (paragraphs(said.get(name, "")) for name in _NAMES[1:])
    return Reasoning(
        material=material,
        state=state,
        response=response,
        visual=visual,
        contextual=contextual,
        general=general,
        raw=answer.text,
    )


def response(text: str) -> Response | None:
    """Return what a reply calls the picture, None where it cannot be read."""
    return _response(_fields(text).get("response", ""))


def _fields(text: str) -> Mapping[str, str]:
    """Return the fields of a reply, of JSON or of lines that begin with their names.

    None where the reply contradicts itself.
    """
    text = strip_thinking(text)
    pieces = [piece for piece in structured.objects(text, _NAMES[:1]) if piece.fields]
    if len(pieces) == 1:
        try:
            return _of_json(pieces[0].fields)
        except ValueError:
            return {}
    return {} if pieces else _of_lines(text)


def _of_json(fields: structured.ReplyFields) -> dict[str, str]:
    """Raises ValueError where a field is no text; evidence may lie within the reasoning."""
    inner = fields.get("reasoning")
    if isinstance(inner, dict):
        fields = {**fields, "reasoning": "", **inner}
    return {
        name: structured.text_of(fields, name, name.removesuffix(" evidence")) for name in _NAMES
    }


def _of_lines(text: str) -> dict[str, str]:
    labels = list(_LABEL.finditer(text))
    names = [label[1].casefold() for label in labels]
    if not labels and len(text.split()) == 1:
        return {"response": text}
    if len(set(names)) < len(names):
        return {}
    ends = [*(label.start() for label in labels[1:]), len(text)]
    return {
        name: _bare(text[label.end() : end])
        for name, label, end in zip(names, labels, ends, strict=False)
    }


def _bare(text: str) -> str:
    return re.sub(r"\*\*|__|^```\w*$", "", text, flags=re.MULTILINE).strip()


def _response(text: str) -> Response | None:
    """Read Normal or Weird where the first line begins with one and never says the other."""
    plain = text.strip().partition("\n")[0].strip("*_`\"'<>([{. ")
    found = _RESPONSE.match(plain)
    said = {
        _WORDS[word.casefold()]
        for word in re.findall(rf"\b(?:{'|'.join(_WORDS)})\b", plain, re.IGNORECASE)
    }
    return _WORDS[found[1].casefold()] if found and len(said) == 1 else None
