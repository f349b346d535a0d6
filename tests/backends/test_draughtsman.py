"""The draughtsmen draw what they are asked and violate as often as they say.

Their truth stays apart from the picture.
"""

from typing import Any

import pytest

from hallascope.backends.draughtsman import Draughtsman
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Failure, Generate, Generated


def _draughtsman(violation: float) -> Draughtsman:
    return Draughtsman(
        ModelSpec(
            id=f"primer/{violation}",
            title="test",
            roles=("generator",),
            backend="draughtsman",
            settings={"violation": violation},
        )
    )


def _draw(violation: float, prompt: str, seed: int = 0) -> Generated:
    (reply,) = _draughtsman(violation).generate([Generate(prompt, seed)])
    assert isinstance(reply, Generated)
    return reply


@pytest.mark.parametrize("violation", [0.15, 0.75])
def test_facts_are_violated_about_as_often_as_stated(violation: float) -> None:
    truths = [_draw(violation, "a molecule of methane", seed).truth for seed in range(25)]
    lists: list[Any] = [truth["violated"] for truth in truths if truth]
    violated = sum(map(len, lists))
    assert abs(violated / (6 * len(truths)) - violation) < 0.1


def test_a_prompt_it_cannot_draw_is_a_failure_that_says_why() -> None:
    (bad, good) = _draughtsman(0).generate(
        [Generate("a steam engine", 0), Generate("a ladybug", 0)]
    )
    assert isinstance(bad, Failure)
    assert bad.kind == "cannot_draw"
    assert "steam engine" in bad.message
    assert isinstance(good, Generated)
