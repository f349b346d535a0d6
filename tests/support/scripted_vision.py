"""Eyes that see what a test says: they answer a detector's, a segmenter's and a judge's questions
about things of a name at a place.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hallascope.data import masks
from hallascope.data.evidence import Evidence
from hallascope.data.records import CANNOT_TELL, Picture, Report
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Reply,
    Request,
    Role,
    Segment,
    Segmented,
)
from hallascope.metrics.base import Case, Metric, Plan

PICTURE = Picture("ab" * 32, Path("scene.png"))


@dataclass(frozen=True)
class Shown:
    """A thing of a picture: its name, where it is, what is said of it by kind ("color": "red"), and
    what it also is ("sleeping").
    """

    label: str
    box: Box
    said: Mapping[str, str] = field(default_factory=dict)
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Things, and what they do to each other: (name, other name) -> a relation.

    `caption` is what a captioner says.
    """

    things: tuple[Shown, ...] = ()
    doing: Mapping[tuple[str, str], str] = field(default_factory=dict)
    caption: str = ""

    def reply(self, request: Request) -> Reply:
        match request:
            case Detect(phrases=phrases):
                found = [
                    (phrase, one)
                    for phrase in phrases
                    for one in self.things
                    if phrase.casefold() == one.label
                ]
                return Detected(tuple(Detection(phrase, one.box, 0.9) for phrase, one in found))
            case Segment(boxes=boxes):
                return Segmented(
                    tuple(masks.encode(masks.box_pixels(box, 20, 20)) for box in boxes)
                )
            case Describe():
                return Answer(self.caption)
            case Ask(region=Box() as region, question=question):
                return Answer(self._told(question, region))
            case _:
                raise AssertionError(f"nobody should ask {request!r}")

    def _told(self, question: str, region: Box) -> str:
        thing = next((one for one in self.things if one.box == region), None)
        if thing is None:
            return self._related(question)
        if question.startswith("What "):
            return thing.said.get(question.split()[1], CANNOT_TELL)
        said = question.removeprefix("Is this ").removesuffix("?")
        own = (
            thing.label,
            f"a {thing.label}",
            f"an {thing.label}",
            *thing.states,
            *thing.said.values(),
        )
        return "Yes" if said in own else "No"

    def _related(self, question: str) -> str:
        pairs = (
            words
            for (one, other), words in self.doing.items()
            if f" the {one} " in question and question.endswith(f" the {other}?")
        )
        return next(pairs, "None of these")


def box(left: float, top: float, size: float = 0.2) -> Box:
    return Box(left, top, left + size, top + size)


def thing(label: str, at: Box, *states: str, **said: str) -> Shown:
    return Shown(label, at, said, states)


def look(
    metric: Metric,
    prompt: str,
    reply: Callable[[Request], Reply],
    asked: list[Request] | None = None,
    **case: str | frozenset[Role],
) -> Report:
    """The report of a metric on a picture about which somebody answers.

    `asked` gathers what it asks.
    """
    plan: Plan = metric.plan(
        Case(
            prompt=prompt,
            image=PICTURE,
            **{"vocabulary": "primer", **case},  # type: ignore[arg-type]
        )
    )
    try:
        step = next(plan)
        while True:
            if asked is not None:
                asked += step
            step = plan.send([reply(request) for request in step])
    except StopIteration as done:
        report: Report = done.value
        return report


def evidence_of(report: Report) -> Evidence:
    assert report.evidence is not None
    return report.evidence
