"""A plan asks and is sent replies; what a metric declares holds for its reports."""

import subprocess
import sys
from pathlib import Path

import pytest

from hallascope import metrics
from hallascope.data.records import Picture, Report, Score
from hallascope.data.requests import Answer, Ask, Detected, Embedded, Reply
from hallascope.metrics.base import (
    Case,
    Plan,
    mean_score,
    reply_of,
    run,
    text_reply,
)

PICTURE = Picture("ab" * 32, Path("picture.png"))
CASE = Case(prompt="a dog", image=PICTURE)


def ask(text: str) -> Ask:
    return Ask(images=(PICTURE,), text=text, question=text)


def two_steps(case: Case) -> Plan:
    """Ask one question, then one more, and count the letters of both answers."""
    (first,) = yield [ask(case.prompt)]
    (second,) = yield [ask("and what else?")]
    texts = [reply.text for reply in (first, second) if isinstance(reply, Answer)]
    return Report(
        metric="letters",
        version="1",
        prompt=case.prompt,
        image=case.image.sha256,
        scores={"score": Score(float(sum(map(len, texts))), len(texts), 2 - len(texts))},
    )


@pytest.mark.parametrize("steps", [0, 1])
def test_a_plan_that_asks_on_after_the_last_reply_is_refused(steps: int) -> None:
    replies: list[list[Reply]] = [[Answer("dog")]] * steps
    with pytest.raises(ValueError, match=f"asks on after {steps} steps"):
        run(two_steps(CASE), replies)


def test_a_reply_of_another_kind_names_the_role_and_what_it_should_be() -> None:
    with pytest.raises(TypeError, match="a detector replied with Answer, not with Detected"):
        reply_of(Answer("dog"), Detected, "detector")
    with pytest.raises(TypeError, match="a judge replied with Embedded, not in words"):
        text_reply(Embedded((1.0,)), "judge")


def test_a_mean_is_of_what_was_answered_and_says_what_was_not() -> None:
    assert mean_score([1.0, None, 0.5]) == Score(0.75, 2, 1)
    assert mean_score([None, None]) == Score(None, 0, 2)
    assert mean_score([]) == Score(None, 0, 0)


def test_metrics_are_found_by_name_and_a_near_name_is_suggested() -> None:
    assert metrics.get("ihalla").name == "ihalla"
    with pytest.raises(metrics.UnknownMetric, match="did you mean 'ihalla'"):
        metrics.get("I-HalA")
    with pytest.raises(metrics.UnknownMetric, match="there are: ihalla"):
        metrics.get("zzz")


HEAVY = ("numpy", "scipy", "pandas", "torch", "pydantic", "gradio", "transformers", "PIL")


def test_importing_the_metrics_loads_nothing_heavy() -> None:
    modules = "agents, hallascope.metrics.aggregate, hallascope.metrics.statistics.intervals"
    code = (
        f"import sys, hallascope.metrics.ihalla.{modules}; from hallascope import metrics;"
        f" metrics.get('ihalla'); metrics.get('tifa');"
        f" print([name for name in {HEAVY} if name in sys.modules])"
    )
    folder = Path(metrics.__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder
    )
    assert found.stdout.strip() == "[]"
