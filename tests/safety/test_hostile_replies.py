"""A judge that replies with megabytes, markup, control characters or riddles for a reader: read or
refused, kept and shown harmlessly.
"""

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from hallascope.backends.base import Transient
from hallascope.backends.openai.connection import MAX_CHAT_BYTES
from hallascope.data.requests import Answer, Ask, Write
from hallascope.engine.events import Evaluated
from hallascope.metrics.replies.letters import read_letter, strip_thinking
from hallascope.pages.evaluate.run import EvaluateSettings, frames, request
from tests.support.fake_service import Service, chat, piece, stream
from tests.support.viewer_app import EVIL

CHOICES = ("Four", "Three", "Two", "One", "None of the above")
ASK = Ask(images=(), text="Reply with a letter.", question="How many?", choices=CHOICES)
MEGABYTE = 2**20
LONG = 20_000  # characters: what takes the square of it would not come to an end
RIDDLES = [
    "<think>" * (LONG // 7),
    "</think>" * (LONG // 8),
    "{" * LONG,
    '{"answer": ' * (LONG // 11),
    "answer is " * (LONG // 10),
    "answer" + " " * LONG,
    "A" + " " * LONG + "x",
    "B" + "\n" * LONG,
    ", A" * (LONG // 3),
    "(" * LONG + "A",
    "`" * LONG,
    "**" * (LONG // 2),
    "\ufdfa" * (LONG // 20),  # one sign that becomes eighteen
    "1" * LONG,
    "\x00\x1b[2J\u202e" * (LONG // 6),
]


@pytest.mark.parametrize("riddle", RIDDLES, ids=lambda text: repr(text[:8]))
def test_a_reply_of_any_shape_is_read_to_its_end(riddle: str) -> None:
    for reply in (riddle, f"B) {riddle}", f"{riddle} Answer: B"):
        assert read_letter(reply, CHOICES) in (None, "A", "B")
        assert len(strip_thinking(reply)) <= len(reply)


def endless(sent: list[int]) -> Iterator[bytes]:
    while True:
        sent.append(MEGABYTE)
        yield b"x" * MEGABYTE


@pytest.mark.parametrize(
    "form, call", [("application/json", "ask"), ("text/event-stream", "write")]
)
def test_a_reply_without_an_end_is_refused_while_it_comes(form: str, call: str) -> None:
    sent: list[int] = []
    service = Service(httpx2.Response(200, content=endless(sent), headers={"content-type": form}))
    with pytest.raises(Transient, match="longer than 16 MB"):
        getattr(service.model(), call)([ASK if call == "ask" else Write("Write.")])
    assert sum(sent) <= MAX_CHAT_BYTES + 2 * MEGABYTE


@pytest.mark.parametrize("text", ["\x00B\x00", "B \ud83d", f"B) {EVIL}", "B\x1b[31m\u202e"])
def test_signs_that_no_store_takes_do_not_get_past_the_reader(text: str) -> None:
    whole = chat("it").text.replace('"it"', json.dumps(text))  # halves of signs come as escapes
    replies = (
        Service(httpx2.Response(200, text=whole)).model().ask([ASK]),
        Service(stream(piece(text, "stop"))).model().write([Write("W")]),
    )
    for (answer,) in replies:
        assert isinstance(answer, Answer)
        assert "\x00" not in answer.text
        assert answer.text.encode("utf-8")


def test_what_a_hostile_judge_says_is_kept_and_shown_as_text(make_services: Any) -> None:
    services = make_services(lambda _: Answer(f"B) {EVIL}\u202e\x1b[2J"))
    asked = request(
        EvaluateSettings(
            prompt="a molecule of methane",
            models=["primer/exact"],
            judge="primer/judge",
        )
    )
    *_, last = frames(services, asked, threading.Event())
    assert "<script" not in last.cards + last.status
    said = [
        event.evaluation.report
        for event in services.evaluate(asked)
        if isinstance(event, Evaluated)
    ]
    assert all(EVIL in verdict.raw for report in said for verdict in report.verdicts)
    assert said
