"""Reading a judge's choice of one word, a writer's questions and its answers, for scene-graph QA.

It knows no picture and no model.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from hallascope.data.files.tidy import line
from hallascope.data.graphs import AnswerValue
from hallascope.data.records import CANNOT_TELL
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.scene_graph.attributes import normal

QUESTIONS: Mapping[str, object] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
    "additionalProperties": False,
}
ANSWER: Mapping[str, object] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no", "unknown"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_LONGEST = 300  # characters of a question
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_SAYS: Mapping[str, AnswerValue] = {
    "yes": "yes",
    "true": "yes",
    "no": "no",
    "false": "no",
    "unknown": "unknown",
}


def schema(choices: Sequence[str]) -> Mapping[str, object]:
    """JSON with one of the choices as its answer, or that it cannot be told."""
    answer = {"type": "string", "enum": [*choices, CANNOT_TELL]}
    return {
        "type": "object",
        "properties": {"answer": answer},
        "required": ["answer"],
        "additionalProperties": False,
    }


def choice(text: str, choices: Sequence[str]) -> str | Literal[False] | None:
    """The one choice that a reply names.

    False where it says that it cannot tell, None where nothing or several can be read.

    A choice is named by itself, in JSON, or by its words in a sentence; words that say the same
    count ("circular" for "round").
    """
    said = _folded(_answer(text))
    if said == _folded(CANNOT_TELL):
        return False
    plain = {_folded(each): each for each in choices}
    if said in plain or normal(said) in plain:
        return plain.get(said) or plain[normal(said)]
    found = _mentioned_choices(said, plain)
    return plain[found[0]] if len(found) == 1 else None


def _mentioned_choices(said: str, choices: Mapping[str, str]) -> list[str]:
    """Return the choices whose words stand in a reply, the longest first, none in another.

    "Light blue" is no "blue".
    """
    left = " ".join(normal(word) for word in _WORD.findall(said))
    found = []
    for each in sorted(choices, key=len, reverse=True):
        pattern = rf"(?<![\w-]){re.escape(each)}(?![\w-])"
        if re.search(pattern, left):
            found.append(each)
            left = re.sub(pattern, " ", left)
    return found


def questions(text: str, count: int | None = None) -> tuple[str, ...] | None:
    """Return questions as a writer phrased them, None where they are too few or one is empty.

    As many are wanted as given (None: any).
    """
    for piece in structured.objects(strip_thinking(text), ("questions",)):
        said = piece.fields.get("questions")
        if (
            isinstance(said, list)
            and len(said) == (len(said) if count is None else count)
            and all(isinstance(one, str) and line(one) for one in said)
        ):
            return tuple(line(one)[:_LONGEST] for one in said)
    return None


def answer(text: str) -> AnswerValue | None:
    """Yes, no or unknown, None where a writer says something else."""
    return _SAYS.get(_folded(_answer(text)))


def _answer(text: str) -> str:
    """What stands in JSON as the answer, else the whole reply."""
    plain = strip_thinking(text)
    for piece in structured.objects(plain, ("answer",)):
        said = piece.fields.get("answer")
        if isinstance(said, str):
            return said
    return plain


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?*_\"'`()")
