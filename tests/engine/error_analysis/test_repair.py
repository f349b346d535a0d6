"""A repair draws, judges and refines, round by round, and stores each of them.

That a more explicit prompt helps is not tested: Primer's models draw by chance.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.records import STATED_FACTS
from hallascope.data.requests import Answer, Failure
from hallascope.engine.error_analysis.repair import (
    LAYOUT,
    Repair,
    RepairRequest,
    RepairRound,
    repair_prompt,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from tests.engine.error_analysis.conftest import Serve
from tests.support.board_rows import leaderboard_rows

PROMPT = "a molecule of methane"
ALWAYS_WRONG = RepairRequest(prompt=PROMPT, model="primer/exact", judge="a/judge", rounds=2)
Build = Callable[..., Services]


@pytest.fixture
def build(serve: Serve) -> Build:
    """Return services by what the judge and the writer say."""
    silent = lambda request: Answer("")  # noqa: E731
    return lambda judge, writer=silent: serve(
        {"a/judge": ("judge", judge), "a/writer": ("writer", writer)}
    )


def nothing_fits(ask: Any) -> Answer:
    return Answer("E")


def split(repairs: Iterator[Repair]) -> tuple[list[RepairRound], Repair]:
    *_, last = repairs
    assert last.end
    return last.rounds, last


def test_each_round_is_drawn_by_a_more_explicit_prompt_judged_by_the_first_ones_questions_and_kept(
    build: Build,
) -> None:
    services = build(nothing_fits)
    (first, second), repair = split(repair_prompt(services, ALWAYS_WRONG))
    assert (first.number, second.number) == (0, 1)
    assert first.prompt == PROMPT
    assert second.prompt.startswith(f"{PROMPT}{STATED_FACTS}")
    questions = services.sets.for_prompt(PROMPT).questions
    assert all(question.text in second.prompt for question in questions)
    assert [verdict.question for verdict in second.wrong] == list(questions)
    assert not repair.repaired
    assert "states all that is wrong already" in repair.end
    drawn, judged = services.store.run(second.draw_run), services.store.run(second.run)
    assert (drawn.request.prompt, judged.request.prompt) == (second.prompt, PROMPT)
    (origin,) = judged.request.origins
    assert (origin.file, origin.layout) == (f"run {second.draw_run}", LAYOUT)
    ranked = {row.model for row in leaderboard_rows(services.store)}
    assert ranked == {"primer/exact", "primer/exact + refined prompt 1"}


def test_an_image_without_a_wrong_answer_needs_no_repair(build: Build) -> None:
    right: dict[str, str] = {}

    def judge(ask: Any) -> Any:
        return Answer(right[ask.question])

    services = build(judge)
    right.update({one.text: one.gold for one in services.sets.for_prompt(PROMPT).questions})
    rounds, repair = split(repair_prompt(services, ALWAYS_WRONG))
    assert [each.score.value for each in rounds if each.score] == [1.0]
    assert (repair.end, repair.repaired) == ("Every question is answered right.", True)


def test_a_judge_that_fails_ends_the_repair_and_no_round_is_scored_0(build: Build) -> None:
    services = build(lambda ask: Failure("timeout", "The service did not answer."))
    rounds, repair = split(repair_prompt(services, ALWAYS_WRONG))
    assert [each.score.value for each in rounds if each.score] == [None]
    assert not repair.repaired
    assert "no score" in repair.end


def test_a_writer_refines_the_prompt_and_one_that_cannot_be_read_ends_the_repair(
    build: Build,
) -> None:
    replies = iter([Answer('{"prompt": "A molecule of methane. Facts: four atoms."}'), Answer("")])
    services = build(nothing_fits, lambda request: next(replies, Answer("")))
    request = replace(ALWAYS_WRONG, writer="a/writer", rounds=3)
    rounds, repair = split(repair_prompt(services, request))
    assert [each.prompt for each in rounds] == [PROMPT, "A molecule of methane. Facts: four atoms."]
    assert "the facts are added by rule" in repair.end


@pytest.mark.parametrize("rounds", [0, 11])
def test_the_number_of_rounds_is_checked(build: Build, rounds: int) -> None:
    with pytest.raises(BadRequest, match="a whole number from 1 to 10"):
        repair_prompt(build(nothing_fits), replace(ALWAYS_WRONG, rounds=rounds))
