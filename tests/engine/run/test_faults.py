"""Faults of a service, through the real `openai` backend, engine and store: how often it is asked,
what the score leaves out, and what is kept.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fake_service import KEY, NAME, PUBLIC, Reply, Service, chat, error, piece, stream

PROMPT = "a molecule of methane"
SPEC = ModelSpec(
    id="service/judge",
    title="A judge",
    roles=("judge", "writer"),
    backend="openai",
    repository="judge",
    kind="api",
    base_url="https://pretend.example/v1",
    needs=(f"key:{NAME}",),
    price=Price("2026-04-06", 1.0, 2.0, picture_tokens=100),
    settings={"temperature": 0},
)
REQUEST = EvaluateRequest(prompt=PROMPT, models=("primer/exact",), judge=SPEC.id)
WRITTEN = EvaluateRequest(
    prompt=PROMPT, models=("primer/exact",), metrics=("tifa",), judge=SPEC.id, writer=SPEC.id
)
TRIES = 3  # as often as the tests let the engine try
REFUSED = chat(message={"role": "assistant", "content": None, "refusal": "I cannot help with it."})
FAULTS: dict[str, tuple[Reply, str, int]] = {  # what it does, what it says, how often it is asked
    "429": (error(429, f"Too many: {KEY}", headers={"retry-after-ms": "10"}), "", TRIES),
    "no credit": (error(429, "Your quota is used up", code="insufficient_quota"), "credit", 1),
    "time-out": (httpx2.ReadTimeout("timed out"), "in time", TRIES),
    "no JSON": (httpx2.Response(200, text=f"<html>{KEY}</html>"), "no JSON", TRIES),
    "refusal": (REFUSED, "I cannot help with it", 1),
    "empty": (chat(None), "", 1),
    "wrong key": (error(401, f"Incorrect API key provided: {KEY}"), NAME, 1),
    # once more, and once in plainer words
    "not taken": (error(400, f"Invalid value {KEY}"), "Invalid value", 3),
}


class World:
    """Services on a judge and writer that is a service, which each run may have anew."""

    def __init__(self, folder: Path) -> None:
        self.home, self.service = folder / "home", Service(chat("A"))
        client = httpx2.Client(transport=httpx2.MockTransport(lambda sent: self.service(sent)))
        backend = OpenAICompatible(SPEC, ApiKeys({NAME: KEY}), client, lambda host: [PUBLIC])
        self.services = Services(Store(folder=self.home), read_models(), {SPEC.id: backend})

    @property
    def calls(self) -> int:
        return len(self.service.requests)

    def run(self, *replies: Reply, request: EvaluateRequest = REQUEST) -> Any:
        """The report of the one image, as the store has it after the end of the run."""
        self.service = Service(*replies)
        run = [event.run for event in self.services.evaluate(request)][-1]
        (evaluation,) = self.services.view(run).evaluations
        return evaluation.report

    def holds_the_key(self) -> bool:
        self.services.store.close()
        files = [file for file in self.home.rglob("*") if file.is_file()]
        return any(KEY.encode() in file.read_bytes() for file in files)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.services.store.close()


@pytest.mark.parametrize("reply, said, asked", FAULTS.values(), ids=FAULTS)
def test_a_fault_that_stays_fails_every_question_with_a_sentence_and_is_not_kept(
    world: World, reply: Reply, said: str, asked: int
) -> None:
    report = world.run(reply)
    assert [verdict.state for verdict in report.verdicts] == ["failed"] * 5
    assert (report.score.value, report.score.counted, report.score.left_out) == (None, 0, 5)
    whoever_is_denied_is_not_asked_on = said in ("credit", NAME)
    assert world.calls == 5 * asked or (whoever_is_denied_is_not_asked_on and 0 < world.calls < 5)
    for verdict in report.verdicts:
        assert said in verdict.failure
        assert "\n" not in verdict.failure
        assert KEY not in verdict.failure
    assert [verdict.answer for verdict in world.run(chat("A")).verdicts] == ["A"] * 5
    assert world.calls == 5, "a failure was kept as if it were an answer"
    assert not world.holds_the_key()


@pytest.mark.parametrize("fault", [reply for reply, _, asked in FAULTS.values() if asked == TRIES])
def test_a_fault_that_passes_costs_no_answer(world: World, fault: Reply) -> None:
    faults = [fault] * (TRIES - 1)  # all of them may meet one question, which has one try left then
    report = world.run(*faults, chat("A"))
    assert (report.score.counted, report.score.left_out) == (5, 0)
    assert world.calls == 5 + len(faults)


@pytest.mark.parametrize("content", ['{"answer": "', '{"answer": ["A", "B"]}', "A or B"])
def test_a_reply_that_names_no_choice_is_unreadable_and_kept_as_it_came(
    world: World, content: str
) -> None:
    report = world.run(chat(content, "length"))
    assert [(verdict.state, verdict.raw) for verdict in report.verdicts] == [
        ("unreadable", content)
    ] * 5
    assert all("`max_tokens`" in (verdict.failure or "") for verdict in report.verdicts)
    world.run(chat("A"))
    assert world.calls == 5, "an unreadable reply was kept in the cache"


def test_one_refusal_of_five_is_left_out_of_the_score_and_paid_for(world: World) -> None:
    report = world.run(chat("A"), REFUSED, chat("A"))
    assert sorted(verdict.state == "failed" for verdict in report.verdicts) == [False] * 4 + [True]
    assert (report.score.counted, report.score.left_out) == (4, 1)
    assert world.services.store.ledger.day() == pytest.approx(5 * (7 * 1.0 + 2 * 2.0) / 1e6)


QUESTIONS = json.dumps(
    {
        "elements": [
            {
                "element": "methane",
                "kind": "object",
                "yes_no": "Is there methane?",
                "question": "Which molecule is it?",
                "choices": ["methane", "water", "ammonia", "ethanol"],
            }
        ]
    }
)


def written(*pieces: object, done: bool = True) -> Reply:
    """The writer's part of a service; a judge's call, which asks for no stream, is answered."""
    return lambda body: stream(*pieces, done=done) if body.get("stream") else chat("A")


@pytest.mark.parametrize(
    "pieces",
    [(), (piece(QUESTIONS[:30]),), (piece(QUESTIONS),), (piece(QUESTIONS), {"error": KEY})],
    ids=["at its start", "in its middle", "before its end", "by an error"],
)
def test_a_stream_that_breaks_off_is_never_taken_for_a_text(
    world: World, pieces: tuple[object, ...]
) -> None:
    (verdict,) = world.run(written(*pieces, done=False), request=WRITTEN).verdicts
    assert (verdict.state, verdict.raw, world.calls) == ("failed", "", TRIES)
    assert "run it again" in verdict.failure
    healed = world.run(written(piece(QUESTIONS), piece(finish="stop")), request=WRITTEN)
    assert [one.question.text for one in healed.verdicts] == [
        "Is there methane?",
        "Which molecule is it?",
    ]
    assert (healed.score.counted, world.calls) == (2, 3)
    assert not world.holds_the_key()


def test_a_whole_stream_without_questions_is_unreadable_and_kept_as_it_came(world: World) -> None:
    whole = written(piece("I like methane."), piece(finish="stop"))
    (verdict,) = world.run(whole, request=WRITTEN).verdicts
    assert (verdict.state, verdict.raw, world.calls) == ("unreadable", "I like methane.", 1)
