"""A judge and a writer who make five questions about a cat."""

import json
from typing import Any

from hallascope.data.requests import Answer, Usage

PROMPT = "a cat on a mat"


SETS = [
    {
        "coi": "counting",
        "question": f"How many paws are on part {i} of the image?",
        "choices": ["One", "Two", "Three", "Four", "None of the above"],
        "answer": "D",
    }
    for i in range(5)
]


def looks(ask: Any) -> Answer:
    """A judge that is wrong once in five."""
    response = "Weird" if ask.seed == 2 else "Normal"
    return Answer(
        json.dumps(
            {
                "response": response,
                "visual_evidence": f"Paws, look {ask.seed}.",
                "contextual_evidence": "Cats have four.",
            }
        )
    )


def writes(request: Any) -> Answer:
    said = json.dumps({"sets": SETS}) if request.schema else "A cat has four paws, all on the mat."
    return Answer(said, usage=Usage(output_tokens=1))


def last(events: list[Any], kind: type) -> Any:
    assert isinstance(events[-1], kind)
    return events[-1]
