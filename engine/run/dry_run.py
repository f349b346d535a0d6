"""Runs a plan ahead of time to find out what it is going to ask.

Replies are those that are there, and likely ones for the rest.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from hallascope.data import masks
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Embed,
    Embedded,
    Failure,
    Generate,
    Match,
    Matched,
    ReadPrompt,
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    TextRead,
    Write,
)
from hallascope.metrics.base import Plan
from hallascope.metrics.reading.model_reading import write_model_reading
from hallascope.metrics.reading.prompt import read_prompt

# more steps than any plan has, unless something is wrong
STEPS = 20
# things that a detector is taken to find; few pictures show more
THINGS = 8
# px of a likely mask
_SIDE = 64
_UNKNOWN = Failure("stopped", "This is an estimate: nothing was asked.", attempts=0)

# gives the replies to a step that are there already, by place in the step
FindReplies = Callable[[Sequence[Request]], Mapping[int, Reply]]


def requests(plan: Plan, find_replies: FindReplies) -> Iterator[Request]:
    """Yield what a plan asks that nobody has answered yet, step by step to its likely end."""
    try:
        step = next(plan)
        for _ in range(STEPS):
            stored = find_replies(step)
            yield from (request for i, request in enumerate(step) if i not in stored)
            replies = [stored.get(i) or likely(request) for i, request in enumerate(step)]
            step = plan.send(replies)
    except StopIteration:
        return
    finally:
        plan.close()


def likely(request: Request) -> Reply:
    """Return a reply with which most plans go on.

    It is a failure where its words would decide how, as with a choice or a writer's JSON.
    """
    match request:
        case Detect():
            return _detect_side_by_side(request.phrases)
        case Segment():
            pixels = [masks.box_pixels(box, _SIDE, _SIDE) for box in request.boxes]
            return Segmented(tuple(masks.encode(mask) for mask in pixels))
        case Describe():
            return Answer("A cat.")
        case Ask() if not request.choices and request.schema is None:
            return Answer("A cat.")
        case Embed():
            return Embedded((1.0,))
        case Match():
            return Matched(1.0)
        case ReadText():
            return TextRead(())
        case ReadPrompt():
            return _read_by_rules(request.prompt)
        case Ask() | Write() | Generate():
            return _UNKNOWN


def _read_by_rules(prompt: str) -> Reply:
    """Return the reading of the rules as a parser would write it.

    What they cannot read is taken to ask for a cat.
    """
    reading = read_prompt(prompt)
    if reading.unreadable:
        cat = AskedObject(id="o1", name="cat")
        reading = PromptReading(prompt=prompt, objects=(cat,), translation="a cat")
    return Answer(write_model_reading(reading))


def _detect_side_by_side(phrases: Sequence[str]) -> Detected:
    """Return a box for each phrase; none overlaps another, so no plan takes two for one thing."""
    boxes = [Box(i / THINGS, 0, (i + 1) / THINGS, 1) for i in range(THINGS)]
    pairs = zip(phrases, boxes, strict=False)
    return Detected(tuple(Detection(phrase, box, 1.0) for phrase, box in pairs))
