"""Tests how long the calls of a model are said to take."""

from collections.abc import Sequence
from itertools import count

from hallascope.backends.base import OnStep
from hallascope.data.requests import Answer, Ask, Reply, Request
from hallascope.engine.models.roles import (
    BoundModel,
    Delegation,
    MemberRequest,
    leaf_requests,
)
from hallascope.engine.sweep.model_speed import Stopwatch

QUESTION = Ask(images=(), text="Is it red?", question="Is it red?", choices=("Yes", "No"))


def ignore_step(done: int, of: int) -> None:
    """Take no note of progress."""


def answer(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
    return [Answer("A")] * len(requests)


def test_the_first_call_of_a_model_is_left_out_and_the_others_are_summed() -> None:
    seconds = count()
    stopwatch = Stopwatch(clock=lambda: float(next(seconds)))
    model = stopwatch.measure(BoundModel(model="scripted/judge", revision="1", call=answer))
    assert model.call([QUESTION], ignore_step) == [Answer("A")]
    assert stopwatch.drain() == [], "it was loaded then"
    model.call([QUESTION] * 3, ignore_step)
    model.call([QUESTION], ignore_step)
    assert stopwatch.drain() == [("scripted/judge", "judge", 4, 2.0)]
    assert stopwatch.drain() == [], "only what came since the last time"


def test_of_a_judge_that_answers_through_others_these_are_measured() -> None:
    stopwatch = Stopwatch(clock=lambda: 0.0)
    member = BoundModel(model="scripted/member", revision="1", call=answer)
    delegation = Delegation(
        split=lambda request: [MemberRequest(member, request)],
        combine=lambda request, replies: replies[0],
    )
    jury = stopwatch.measure(
        BoundModel(model="scripted/jury", revision="1", call=answer, delegation=delegation)
    )
    for _ in range(2):
        (leaf,) = leaf_requests(jury, QUESTION)
        leaf.model.call([leaf.request], ignore_step)
    assert stopwatch.drain() == [("scripted/member", "judge", 1, 0.0)]
