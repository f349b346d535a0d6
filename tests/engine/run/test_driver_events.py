"""A reply says whether it came from the cache: it did where no call took time for it."""

import pytest

from hallascope.data.requests import Answer, Write
from hallascope.engine.run.driver_events import PlanReply


@pytest.mark.parametrize(("seconds", "cached"), [(None, True), (0.0, False), (1.5, False)])
def test_only_a_reply_without_seconds_came_from_the_cache(
    seconds: float | None, cached: bool
) -> None:
    reply = PlanReply(
        key="plan", request=Write("a"), reply=Answer("b"), done=1, of=1, seconds=seconds
    )
    assert reply.cached is cached
