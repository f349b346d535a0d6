"""A judge tried on other questions than I-HallA's: each has the answer of the drawing, and what it
cannot tell is counted.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.judge_eval.question_kinds import (
    KindQuestion,
    is_same_answer,
    kind_questions,
    kind_shares,
    try_kinds,
)
from hallascope.primer.benchmark.judge_samples import sitting


class Fixed:
    """A judge whose every reply comes from a function of the request."""

    limits = CallLimits()
    revision = "test"

    def __init__(self, reply: Callable[[Ask], Answer | Failure]) -> None:
        self.spec = ModelSpec(id="test/fixed", title="test", roles=("judge",), backend="scripted")
        self.reply = reply

    def ask(self, requests: Sequence[Ask], on_step: object = None) -> list[Answer | Failure]:
        return [self.reply(request) for request in requests]


@pytest.fixture
def asked(tmp_path: Path) -> list[KindQuestion]:
    found = []
    for n in range(6):
        chance = random.Random(f"trial of kinds 0 {n}")
        found += kind_questions(sitting(f"trial of kinds 0 {n}", chance), str(n), tmp_path, chance)
    return found


def _key(ask: Ask) -> tuple[object, ...]:
    return tuple(p.sha256 for p in ask.images), ask.question, ask.region


def test_one_who_knows_the_truth_is_right_in_every_kind(asked: list[KindQuestion]) -> None:
    truth = {_key(task.ask): task.answer for task in asked}
    trial = try_kinds(Fixed(lambda ask: Answer(f"{truth[_key(ask)]}.")), 6)
    assert {share.value for share in trial.by_kind.values()} == {1.0}
    assert (trial.precision.value, trial.recall.value, trial.unanswered) == (1.0, 1.0, 0)
    assert {kind.split(":")[0] for kind in trial.by_kind} == {"region", "picture", "pair"}


def test_one_who_never_knows_has_full_recall_and_little_precision() -> None:
    trial = try_kinds(Fixed(lambda ask: Answer("I cannot tell")), 6)
    assert trial.recall.value == 1.0
    assert trial.precision.value is not None
    assert trial.precision.value < 0.5
    assert trial.by_kind["region: name"].value == 0.0


def test_what_a_judge_does_not_answer_is_left_out_and_counted(asked: list[KindQuestion]) -> None:
    pairs = sum(len(task.ask.images) == 2 for task in asked)
    trial = try_kinds(
        Fixed(
            lambda ask: Failure("broken", "One image.") if len(ask.images) > 1 else Answer("Red")
        ),
        6,
    )
    assert trial.unanswered == pairs > 0
    assert not [kind for kind in trial.by_kind if kind.startswith("pair")]


def test_regions_lie_in_the_first_picture_and_pairs_have_a_reference(
    asked: list[KindQuestion],
) -> None:
    for task in asked:
        kind = task.kind.split(":")[0]
        assert len(task.ask.images) == (2 if kind == "pair" else 1)
        if kind != "pair":
            assert (task.ask.region is not None) == (kind == "region")
        assert "I cannot tell" in task.ask.text


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("red", "Red", True),
        ("The red wing  of a ladybug.", "the red wing of a ladybug", True),
        ("ladybug", "A ladybug", True),
        ("I cannot tell.", CANNOT_TELL, True),
        ("Red and blue", "Red", False),
        ("", "Red", False),
    ],
)
def test_a_reply_is_right_where_it_says_the_answer_and_nothing_else(
    text: str, answer: str, right: bool
) -> None:
    assert is_same_answer(text, answer) is right


def test_nothing_asked_gives_no_share(asked: list[KindQuestion]) -> None:
    nothing = kind_shares(0, [(asked[0], None)])
    assert (nothing.by_kind, nothing.precision.value, nothing.recall.value, nothing.unanswered) == (
        {},
        None,
        None,
        1,
    )
