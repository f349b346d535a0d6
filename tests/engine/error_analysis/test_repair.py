"""A repair draws, judges and refines, round by round, and stores each of them.

That a more explicit prompt helps is not tested: Primer's models draw by chance.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
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
from hallascope.engine.storage.store import Store
from tests.support.board_rows import leaderboard_rows

PROMPT = "a molecule of methane"
ALWAYS_WRONG = RepairRequest(prompt=PROMPT, model="primer/exact", judge="a/judge", rounds=2)


def build(folder: Path, judge: Any, writer: Any = None) -> Services:
    """Services whose judge and writer say what the tests say."""

    def scripted(name: str, role: Any, replies: Any) -> Scripted:
        spec = ModelSpec(id=name, title=name, roles=(role,), backend="scripted")
        return Scripted(spec, replies)

    models = {"a/judge": scripted("a/judge", "judge", judge)}
    if writer:
        models["a/writer"] = scripted("a/writer", "writer", writer)
    return Services(Store(folder=folder), read_models(), models)


@pytest.fixture
def nothing_fits(tmp_path: Path) -> Iterator[Services]:
    services = build(tmp_path, lambda ask: Answer("E"))
    yield services
    services.store.close()


def split(repairs: Iterator[Repair]) -> tuple[list[RepairRound], Repair]:
    *_, last = repairs
    assert last.end
    return last.rounds, last


def test_each_round_is_drawn_by_a_more_explicit_prompt_and_judged_by_the_first_ones_questions(
    nothing_fits: Services,
) -> None:
    rounds, repair = split(repair_prompt(nothing_fits, ALWAYS_WRONG))
    assert [each.number for each in rounds] == [0, 1]
    assert rounds[0].prompt == PROMPT
    assert rounds[1].prompt.startswith(f"{PROMPT}{STATED_FACTS}")
    questions = nothing_fits.sets.for_prompt(PROMPT).questions
    assert all(question.text in rounds[1].prompt for question in questions)
    assert [verdict.question for verdict in rounds[1].wrong] == list(questions)
    assert not repair.repaired
    assert "states all that is wrong already" in repair.end


def test_every_round_is_stored_with_where_its_image_comes_from(nothing_fits: Services) -> None:
    rounds, _ = split(repair_prompt(nothing_fits, ALWAYS_WRONG))
    drawn = nothing_fits.store.run(rounds[1].draw_run)
    judged = nothing_fits.store.run(rounds[1].run)
    assert (drawn.request.prompt, judged.request.prompt) == (rounds[1].prompt, PROMPT)
    (origin,) = judged.request.origins
    assert (origin.file, origin.layout) == (f"run {rounds[1].draw_run}", LAYOUT)
    ranked = {row.model for row in leaderboard_rows(nothing_fits.store)}
    assert ranked == {"primer/exact", "primer/exact + refined prompt 1"}


def test_an_image_without_a_wrong_answer_needs_no_repair(tmp_path: Path) -> None:
    right: dict[str, str] = {}

    def judge(ask: Any) -> Any:
        return Answer(right[ask.question])

    services = build(tmp_path, judge)
    right.update({one.text: one.gold for one in services.sets.for_prompt(PROMPT).questions})
    rounds, repair = split(repair_prompt(services, ALWAYS_WRONG))
    assert [each.score.value for each in rounds if each.score] == [1.0]
    assert (repair.end, repair.repaired) == ("Every question is answered right.", True)
    services.store.close()


def test_a_judge_that_fails_ends_the_repair_and_no_round_is_scored_0(tmp_path: Path) -> None:
    services = build(tmp_path, lambda ask: Failure("timeout", "The service did not answer."))
    rounds, repair = split(repair_prompt(services, ALWAYS_WRONG))
    assert [each.score.value for each in rounds if each.score] == [None]
    assert not repair.repaired
    assert "no score" in repair.end
    services.store.close()


def test_a_writer_refines_the_prompt_and_one_that_cannot_be_read_ends_the_repair(
    tmp_path: Path,
) -> None:
    replies = iter([Answer('{"prompt": "A molecule of methane. Facts: four atoms."}'), Answer("")])
    services = build(tmp_path, lambda ask: Answer("E"), lambda request: next(replies, Answer("")))
    request = replace(ALWAYS_WRONG, writer="a/writer", rounds=3)
    rounds, repair = split(repair_prompt(services, request))
    assert [each.prompt for each in rounds] == [PROMPT, "A molecule of methane. Facts: four atoms."]
    assert "the facts are added by rule" in repair.end
    services.store.close()


def test_judge_and_writer_are_sent_the_texts_of_the_pack(tmp_path: Path) -> None:
    pack = tmp_path / "my-lab"
    pack.mkdir()
    (pack / "ihalla_ask.txt").write_text("Mine: {question} {choices}", encoding="utf-8")
    (pack / "ihalla_repair.txt").write_text("Mine: {caption} {current} {wrong}", encoding="utf-8")
    sent: list[str] = []

    def reply(request: Any) -> Answer:
        sent.append(request.text)
        return Answer("E")

    services = build(tmp_path / "home", reply, reply)
    request = replace(ALWAYS_WRONG, writer="a/writer", wording=str(pack))
    split(repair_prompt(services, request))
    assert len(sent) == 6, "five questions of the first round and one more exact prompt"
    assert all(text.startswith("Mine: ") for text in sent)
    services.store.close()


@pytest.mark.parametrize("rounds", [0, 11])
def test_the_number_of_rounds_is_checked(nothing_fits: Services, rounds: int) -> None:
    with pytest.raises(BadRequest, match="a whole number from 1 to 10"):
        repair_prompt(nothing_fits, replace(ALWAYS_WRONG, rounds=rounds))
