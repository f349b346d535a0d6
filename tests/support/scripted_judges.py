"""Judges that follow a script: one that knows the truth, and others with a fault each."""

import random
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.judge_eval.answers import TrialAnswer, read_answer
from hallascope.engine.judge_eval.ihalla import none_right_items, primer_items, summarize_results
from hallascope.engine.judge_eval.runner import (
    JudgeTrialRequest,
    run_judge_trials,
)
from hallascope.engine.trials.records import Trial

PICTURES = 16


Say = Callable[[Ask], Answer | Failure]


class FixedJudge:
    """A judge whose every reply comes from a function of the request."""

    limits = CallLimits()
    revision = "test"

    def __init__(self, reply: Say) -> None:
        self.spec = ModelSpec(id="test/fixed", title="test", roles=("judge",), backend="scripted")
        self.asked: list[Ask] = []
        self.reply = reply

    def ask(self, requests: Sequence[Ask], on_step: object = None) -> list[Answer | Failure]:
        self.asked += requests
        return [self.reply(request) for request in requests]


def knows(truth: dict[tuple[str, str], str]) -> Say:
    """Answers right, also where the true choice was taken out, and is quite sure of it."""

    def say(ask: Ask) -> Answer:
        if ask.question == "Is the image normal or weird?":
            return Answer(
                '{"response": "Normal", "visual_evidence": "", "contextual_evidence": ""}'
            )
        right = truth[ask.images[0].sha256, ask.question]
        shown = right if right in ask.choices else NONE_OF_THE_ABOVE
        letters = LETTERS[: len(ask.choices)]
        letter = letters[ask.choices.index(shown)]
        return Answer(letter, tuple(0.9 if one == letter else 0.025 for one in letters))

    return say


def always_a(ask: Ask) -> Answer:
    return Answer("A")


def at_random() -> Say:
    chance = random.Random(7)
    return lambda ask: Answer(chance.choice(LETTERS[: len(ask.choices)]))


def refuses_a_third(know: Say) -> Say:
    asked = iter(range(100_000))
    return lambda ask: (
        Failure("refused", "I will not say: ask another.") if next(asked) % 3 == 0 else know(ask)
    )


def run_trials(services: Any, *judges: str, **wanted: Any) -> list[Trial]:
    names = tuple(f"scripted/{name}" for name in judges)
    told = run_judge_trials(services, JudgeTrialRequest(judges=names, pictures=PICTURES, **wanted))
    return [one for one in told if isinstance(one, Trial)]


def try_on_primer(judge: Any, pictures: int, seed: int = 0) -> Trial:
    """Ask a loaded judge all five questions about held-out Primer pictures, past the cache.

    A part of them is asked once more without the true choice.
    """
    answers: list[TrialAnswer] = []
    with tempfile.TemporaryDirectory() as folder:
        items = primer_items(pictures, Path(folder), seed)
        while of_picture := list(islice(items, len(LETTERS))):
            asked = [*of_picture, *none_right_items(of_picture, seed)]
            answers += map(
                read_answer, asked, judge.ask([question.request() for question in asked])
            )
    return summarize_results(judge.spec.id, answers, seed)
