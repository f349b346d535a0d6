"""A run by FiG on one picture, and models that answer it."""

from typing import Any

from hallascope.data import masks
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
    Detected,
    ReadText,
    Segment,
    Segmented,
    TextRead,
    Usage,
    Write,
)
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.services import Services

PROMPT = "a red circle and two blue squares"


LEFT, RIGHT = Box(0.1, 0.3, 0.4, 0.7), Box(0.6, 0.3, 0.9, 0.7)


CHOSEN = {"captioner": "m/captioner", "detector": "m/detector", "segmenter": "m/segmenter"}


FIG = EvaluateRequest(
    prompt=PROMPT,
    models=("m/painter",),
    metrics=("fig",),
    judge=None,
    **CHOSEN,  # type: ignore[arg-type]
)


def sees(request: Any) -> Any:
    """One red circle on the left and one green square on the right."""
    match request:
        case Detect():
            return Detected((Detection("circle", LEFT, 0.9), Detection("square", RIGHT, 0.8)))
        case Segment():
            return Segmented(
                tuple(masks.encode(masks.box_pixels(box, 32, 32)) for box in request.boxes)
            )
        case Describe():
            return Answer(
                "A red circle." if request.region == LEFT else "A green square.",
                usage=Usage(output_tokens=1),
            )
        case ReadText():
            return TextRead(())
        case Write():
            return "In the image, a red circle is to the left of a green square."
        case _:
            raise AssertionError(request)


def evaluate_fig(services: Services, request: EvaluateRequest) -> Any:
    (said,) = [
        event.evaluation for event in services.evaluate(request) if isinstance(event, Evaluated)
    ]
    return said
