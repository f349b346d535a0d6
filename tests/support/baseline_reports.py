"""Judges a picture by a baseline, with replies that a test gives."""

from collections.abc import Callable

from hallascope import metrics
from hallascope.data.records import Report, Score
from hallascope.data.requests import Reply, Request
from tests.support.scripted_vision import look

PROMPT = "a red circle and two blue squares"
LEFT_OUT = Score(None, 0, 1)


def judge_by(
    name: str,
    reply: Callable[[Request], Reply],
    requests: list[Request] | None = None,
    prompt: str = PROMPT,
) -> Report:
    """Return the report of the baseline of that name; its requests go to `requests`."""
    return look(metrics.get(name), prompt, reply, requests)
