"""Defines what a probe varies: the axes, and the levels of a prompt on one of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hallascope.data.records import Question
from hallascope.engine.errors import BadRequest

AxisName = Literal[
    "number",
    "color",
    "material",
    "relation",
    "distractors",
    "negation",
    "position",
    "paraphrase",
    "language",
]
AXES: Mapping[AxisName, str] = {
    "number": "how many of the thing the prompt asks for",
    "color": "the color of the thing",
    "material": "what the thing is made of",
    "relation": "how two things stand to each other",
    "distractors": "how many further things the prompt names",
    "negation": "what the prompt says is not there",
    "position": "where in the sentence the thing is named",
    "paraphrase": "the words of the prompt; its meaning stays",
    "language": "the language of the prompt; its meaning stays",
}
ORDERED: frozenset[AxisName] = frozenset({"number", "distractors"})
# What a writer is asked for, by axis: how each version differs, by its label.
WRITTEN_VERSIONS: Mapping[AxisName, Mapping[str, str]] = {
    "paraphrase": {
        "other words": "say the same in other words",
        "shorter": "say the same in as few words as you can",
        "longer": "say the same in a full sentence or two",
        "as a question": "ask for the image in a question",
        "as keywords": "list what is to be seen as words between commas",
        "other order": "name the same things in another order",
    },
    "language": {
        language: f"translate the prompt into {language}"
        for language in ("German", "Spanish", "Chinese", "Hindi", "Arabic", "Swahili")
    },
}


class CannotVary(BadRequest):
    """Raised where a prompt cannot be varied so; the message says which prompt or axis can."""


@dataclass(frozen=True, kw_only=True)
class ProbeLevel:
    """Holds one level of an axis: its name, the prompt that is drawn, and what counts as failure.

    `value` is the place on an ordered axis, None on others. `counted` are the texts of the
    questions that decide whether an image fails; empty: all questions do. `judged_as` is the prompt
    whose questions are asked, where the meaning is that of another prompt; "": its own.
    `questions` are asked in place of those of the prompt. What rests on these, or on another
    prompt's, counts on no leaderboard.
    """

    label: str
    prompt: str
    value: float | None = None
    counted: frozenset[str] = frozenset()
    judged_as: str = ""
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PromptVariation:
    """Holds the levels of a prompt on an axis, in their order, and one sentence on what is left
    out ("" where nothing is).
    """

    levels: tuple[ProbeLevel, ...]
    note: str = ""
