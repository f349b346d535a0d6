"""A request for pictures of methane, a judge with an opinion, and events by kind."""

from collections.abc import Iterator
from typing import Any

from hallascope.data.requests import Ask
from hallascope.engine.events import (
    EvaluateRequest,
    Event,
)

PROMPT = "a molecule of methane"


REQUEST = EvaluateRequest(prompt=PROMPT, models=("scripted/painter",), judge="scripted/judge")


def events_of(events: Iterator[Event] | list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def first_choice(ask: Ask) -> str:
    """The first choice, whatever it is: a judge with an opinion."""
    return f"A) {ask.choices[0]}"
