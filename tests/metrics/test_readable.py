"""What a metric cannot read is not worth keeping, so it is asked again another time."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.records import Picture
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Failure,
    ReadPrompt,
    Reply,
    Request,
    Write,
)
from hallascope.metrics.factualbench import plan as factualbench
from hallascope.metrics.factualbench import replies as rounds
from hallascope.metrics.fig import plan as fig
from hallascope.metrics.fig import replies as fig_replies
from hallascope.metrics.haloquest import plan as haloquest
from hallascope.metrics.ihalla import agents, categories, prompt_repair
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.reading.case_reading import is_readable_reading
from hallascope.metrics.tifa import plan as tifa
from tests.support.tifa_questions import TEXT

PICTURE = Picture("aa" * 32, Path("image.png"))
ASK = Ask(images=(PICTURE,), text="t", question="q")
DESCRIBE, WRITE = Describe(PICTURE, ""), Write("t")
Readable = Callable[[Request, Reply], bool]
READ = ReadPrompt("two dogs", "?")
LETTERED = replace(ASK, choices=("a", "b"))
ROUND, TASK = (
    replace(ASK, schema=schema) for schema in (rounds.CONCEPT_SCHEMA, rounds.TASK_SCHEMA)
)
DOGS = json.dumps({"objects": [{"id": "1", "name": "dog", "count": "3"}]})
DONE = json.dumps({"concepts": [], "reason": "seen", "done": 1})
HALO = '{"reply_main_point": "a", "reference_main_point": "b", "agree": true}'
SAYS = '{"response": "Weird", "visual_evidence": "v", "contextual_evidence": "c"}'


@pytest.mark.parametrize(
    "readable, request_, good, bad",
    [
        (ihalla.readable, LETTERED, "B", "perhaps"),
        (tifa.readable, LETTERED, "B", "C"),
        (tifa.readable, WRITE, TEXT, "no"),
        (tifa.readable, READ, DOGS, "Sorry."),
        (haloquest.readable, ASK, "red", "<think>red"),
        (haloquest.readable, WRITE, HALO, "perhaps"),
        (factualbench.readable, ROUND, "Total Rating: 2", "Total Rating: 7"),
        (factualbench.readable, TASK, DONE, "perhaps"),
        (factualbench.readable, LETTERED, "B", "C"),
        (fig.readable, DESCRIBE, "A dog", "<think>a dog</think>"),
        (fig.readable, Write("", schema=fig_replies.SCHEMA), '{"phrases": []}', "no"),
        (agents.readable, ASK, SAYS, "perhaps"),
        (agents.readable, WRITE, "Four.", " "),
        (categories.readable, WRITE, "Physics", "Physics or Biology"),
        (prompt_repair.readable, WRITE, '{"prompt": "A dog."}', '{"prompt": '),
        (is_readable_reading, READ, DOGS, '{"objects": [{"id": "1", "na'),
    ],
)
def test_only_what_can_be_read_is_worth_keeping(
    readable: Readable, request_: Request, good: str, bad: str
) -> None:
    assert readable(request_, Answer(good))
    assert not readable(request_, Answer(bad))
    assert not readable(request_, Failure("timeout", "late"))


@pytest.mark.parametrize(
    "readable, request_",
    [(fig.readable, WRITE), (agents.readable, WRITE), (is_readable_reading, READ)],
)
def test_what_was_cut_off_is_not_worth_keeping(readable: Readable, request_: Request) -> None:
    assert not readable(request_, Answer(DOGS, truncated=True))
    assert not tifa.readable(WRITE, Answer(TEXT, truncated=True))
