"""Runs a plan ahead of time to find out what it is going to ask.

Replies are those that are there, and likely ones for the rest.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from hallascope.data import masks
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
    ReadText,
    Reply,
    Request,
    Segment,
    Segmented,
    TextRead,
    Write,
)
from hallascope.metrics.base import Plan

STEPS = 20  # more than any plan takes where nothing is odd
THINGS = 8  # that a detector is taken to find: few pictures show more
_SIDE = 64  # px of a likely mask
_UNKNOWN = Failure("stopped", "This is an estimate: nothing was asked.", attempts=0)

KnownReplies = Callable[
    [Sequence[Request]], Mapping[int, Reply]
]  # the replies that are there already, by place in the step


def requests(plan: Plan, known: KnownReplies) -> Iterator[Request]:
    """What a plan asks that nobody has answered yet, step by step to its likely end."""
    try:
        step = next(plan)
        for _ in range(STEPS):
            there = known(step)
            yield from (request for i, request in enumerate(step) if i not in there)
            step = plan.send(
                [there[i] if i in there else likely(request) for i, request in enumerate(step)]
            )
    except StopIteration:
        return
    finally:
        plan.close()


def likely(request: Request) -> Reply:
    """A reply with which most plans go on.

    A failure where its words would decide how, as with a choice or a writer's JSON.
    """
    match request:
        case Detect():
            return Detected(
                tuple(
                    Detection(phrase, box, 1.0)
                    for phrase, box in zip(request.phrases, _side_by_side(), strict=False)
                )
            )
        case Segment():
            return Segmented(
                tuple(masks.encode(masks.inside(box, _SIDE, _SIDE)) for box in request.boxes)
            )
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
        case Ask() | Write() | Generate():
            return _UNKNOWN


def _side_by_side() -> list[Box]:
    """Boxes of which none overlaps another, so that no plan takes two for one thing."""
    return [Box(i / THINGS, 0, (i + 1) / THINGS, 1) for i in range(THINGS)]
