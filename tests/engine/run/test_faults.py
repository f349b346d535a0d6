"""Every fault of a service, through the real `openai` backend, engine and store: its state, its
sentence, what it leaves behind.
"""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from markupsafe import escape

from hallascope.backends.base import CallLimits
from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.cli import main
from hallascope.components.cards import cards
from hallascope.components.evidence.exhibits.verdicts import question_card
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.engine.events import EvaluateRequest, Finished, RunView
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.shared import run_messages, run_pictures

SECRET = "of-no-usual-form-0123456789abcdef"
PROMPT = "a molecule of methane"
JUDGE = "service/judge"
REQUEST = EvaluateRequest(prompt=PROMPT, models=("primer/exact",), judge=JUDGE)
WRITTEN = EvaluateRequest(
    prompt=PROMPT, models=("primer/exact",), metrics=("tifa",), judge=JUDGE, writer=JUDGE
)
Handler = Callable[[httpx.Request], httpx.Response]


def completion(content: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content, **message},
        "finish_reason": finish,
    }
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "judge",
        "choices": [choice],
        "usage": usage,
    }


def replies(whole: dict[str, Any]) -> Handler:
    return lambda request: httpx.Response(200, json=whole)


def complains(status: int, message: str, code: str | None = None, **headers: str) -> Handler:
    """An error in OpenAI's form, by a service that repeats the key it was given."""
    body = {
        "error": {"message": f"{message} (key {SECRET})", "type": "x", "param": None, "code": code}
    }
    return lambda request: httpx.Response(
        status,
        json=body,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def raises(kind: type[httpx.RequestError], message: str) -> Handler:
    def handle(request: httpx.Request) -> httpx.Response:
        raise kind(message, request=request)

    return handle


class Cut(httpx.SyncByteStream):
    """A body that breaks off in its middle, with the connection."""

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"id": "x", "object": "chat.completion", "choices": [{"index": 0, "mess'
        raise httpx.RemoteProtocolError(
            "peer closed connection without sending complete message body"
        )


ANSWER = replies(completion("A"))


class Stream(httpx.SyncByteStream):
    """A text in pieces, up to `end`: a piece with a reason to finish, an error, an exception, or
    nothing.
    """

    def __init__(self, text: str, end: dict[str, Any] | httpx.RequestError | None) -> None:
        self.text, self.end = text, end

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self.text), 20):
            yield self._event(
                {"choices": [{"index": 0, "delta": {"content": self.text[start : start + 20]}}]}
            )
        if isinstance(self.end, Exception):
            raise self.end
        yield self._event(self.end) if self.end else b""

    @staticmethod
    def _event(piece: dict[str, Any]) -> bytes:
        return b"data: " + json.dumps(piece).encode() + b"\n\n"


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
WHOLE = {
    "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 50, "completion_tokens": 40},
}


def streams(text: str, end: dict[str, Any] | httpx.RequestError | None = WHOLE) -> Handler:
    """The writer's part of a service: a judge's call, which asks for no stream, is answered."""

    def handle(request: httpx.Request) -> httpx.Response:
        if not json.loads(request.read()).get("stream"):
            return ANSWER(request)
        return httpx.Response(
            200, stream=Stream(text, end), headers={"content-type": "text/event-stream"}
        )

    return handle


@dataclass(frozen=True)
class Fault:
    """What a service does, the kind of failure it is, some words of its sentence, and how often
    each question is asked in vain.
    """

    does: Handler
    kind: str
    says: str
    asked: int


TRIES = 3  # as often as the tests let the engine try
FAULTS = {
    "429": Fault(complains(429, "Rate limit reached"), "rate_limited", "", TRIES),
    "429 with a wait": Fault(
        complains(429, "Rate limit reached", retry_after_ms="10"), "rate_limited", "", TRIES
    ),
    "no credit": Fault(
        complains(429, "You exceeded your quota", "insufficient_quota"), "denied", "credit", 1
    ),
    "500": Fault(complains(500, "The server had an error"), "unavailable", "", TRIES),
    "503 as a page": Fault(
        lambda request: httpx.Response(503, text="<html>busy</html>"), "unavailable", "", TRIES
    ),
    "time-out": Fault(raises(httpx.ReadTimeout, "timed out"), "timeout", "", TRIES),
    "reset": Fault(raises(httpx.ReadError, "Connection reset by peer"), "unavailable", "", TRIES),
    "nobody there": Fault(
        raises(httpx.ConnectError, "Connection refused"), "unavailable", "", TRIES
    ),
    "refusal": Fault(
        replies(completion(None, refusal="I cannot help with that.")),
        "refused",
        "I cannot help with that",
        1,
    ),
    "content filter": Fault(replies(completion(None, "content_filter")), "refused", "", 1),
    "content policy": Fault(
        complains(400, "Your request was rejected", "content_policy_violation"),
        "refused",
        "rejected",
        1,
    ),
    "no JSON": Fault(
        lambda request: httpx.Response(200, text="<html>welcome</html>"), "unavailable", "", TRIES
    ),
    "truncated JSON": Fault(
        lambda request: httpx.Response(
            200, text='{"id": "x", "choi', headers={"content-type": "application/json"}
        ),
        "unavailable",
        "",
        TRIES,
    ),
    "no choices": Fault(replies(completion("A") | {"choices": []}), "unavailable", "", TRIES),
    "cut off": Fault(
        lambda request: httpx.Response(
            200, stream=Cut(), headers={"content-type": "application/json"}
        ),
        "unavailable",
        "",
        TRIES,
    ),
    "empty": Fault(replies(completion("")), "empty", "", 1),
    "nothing": Fault(replies(completion(None)), "empty", "", 1),
    "wrong name": Fault(
        complains(404, "The model `judge` does not exist", "model_not_found"),
        "denied",
        "'judge'",
        1,
    ),
    "expired key": Fault(
        complains(401, "Incorrect API key provided", "invalid_api_key"), "denied", "SERVICE_KEY", 1
    ),
    "forbidden": Fault(complains(403, "Not allowed"), "denied", "SERVICE_KEY", 1),
    # once more, and once in plainer words
    "nonsense asked": Fault(complains(400, "Invalid value"), "broken", "Invalid value", 3),
}


class World:
    """Services on a judge behind a transport that the test holds in its hand.

    `calls` counts what was sent.
    """

    def __init__(self, folder: Path) -> None:
        self.home, self.does, self.calls = folder / "home", ANSWER, 0
        self.services = self.open()

    def open(self) -> Services:
        spec = ModelSpec(
            id=JUDGE,
            title="A judge",
            roles=("judge", "writer"),
            backend="openai",
            repository="judge",
            kind="api",
            base_url="http://service.test/v1",
            needs=("key:SERVICE_KEY",),
            price=Price("2026-04-06", 1.0, 2.0, picture_tokens=100),
            settings={"temperature": 0},
        )
        client = httpx.Client(transport=httpx.MockTransport(self._handle))
        backend = OpenAICompatible(spec, ApiKeys({"SERVICE_KEY": SECRET}), client)
        return Services(Store(folder=self.home), read_models(), {JUDGE: backend})

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.calls += 1
        assert request.headers["authorization"] == f"Bearer {SECRET}"
        return self.does(request)

    def run(self, does: Handler, request: EvaluateRequest = REQUEST) -> RunView:
        """The run as the store has it after its end."""
        self.does, self.calls = does, 0
        (finished,) = [
            event for event in self.services.evaluate(request) if isinstance(event, Finished)
        ]
        return self.services.view(finished.run)

    def written(self) -> list[bytes]:
        self.services.store.close()
        return [file.read_bytes() for file in self.home.rglob("*") if file.is_file()]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.services.store.close()


def page(view: RunView) -> str:
    """What a person sees of a run: the sentences above it and the cards of its questions."""
    (evaluation,) = view.evaluations
    questions = [question_card(i, v.question, v) for i, v in enumerate(evaluation.report.verdicts)]
    return "\n".join(
        [*run_messages.troubles(view), cards.grid(run_pictures.tiles(view)), *questions]
    )


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_that_stays_fails_every_question_with_a_sentence_and_is_not_kept(
    world: World, fault: Fault
) -> None:
    view = world.run(fault.does)
    (evaluation,) = view.evaluations
    report = evaluation.report
    assert [verdict.state for verdict in report.verdicts] == ["failed"] * 5
    assert (report.score.value, report.score.counted, report.score.left_out) == (None, 0, 5)
    assert world.calls <= 5 * fault.asked
    assert world.calls == 5 * fault.asked or fault.kind == "denied"
    shown = page(view)
    assert "5 questions" in shown
    for verdict in report.verdicts:
        sentence = verdict.failure or ""
        assert fault.says in sentence
        assert "\n" not in sentence
        assert sentence.rstrip().endswith((".", "”", ")", "?", "!"))
        assert escape(sentence) in shown
    assert SECRET not in shown
    healed = world.run(ANSWER)
    assert [verdict.answer for verdict in healed.evaluations[0].report.verdicts] == ["A"] * 5
    assert world.calls == 5, "a failure was kept as if it were an answer"
    assert not [file for file in world.written() if SECRET.encode() in file]


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.asked == TRIES])
def test_a_fault_that_passes_costs_no_answer(world: World, name: str) -> None:
    seen: set[bytes] = set()

    def once(request: httpx.Request) -> httpx.Response:
        question = request.read()
        if question in seen:
            return ANSWER(request)
        seen.add(question)
        return FAULTS[name].does(request)

    report = world.run(once).evaluations[0].report
    assert (report.score.counted, report.score.left_out) == (5, 0)
    assert world.calls == 10


@pytest.mark.parametrize(
    "content",
    ['{"answer": "', '{"answer": ["A", "B"]}', '{"choice": 3}', "A or B", "I think", '{"answer":'],
)
def test_a_reply_that_names_no_choice_is_unreadable_and_kept_as_it_came(
    world: World, content: str
) -> None:
    report = world.run(replies(completion(content, "length"))).evaluations[0].report
    assert [(verdict.state, verdict.raw, verdict.failure) for verdict in report.verdicts] == [
        ("unreadable", content, None)
    ] * 5
    world.run(ANSWER)
    assert world.calls == 5, "an unreadable reply was kept in the cache"


def test_one_refusal_of_five_is_left_out_of_the_score_and_the_command_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = world.services.sets.for_prompt(PROMPT).questions[2].text
    monkeypatch.setattr(main, "create_services", lambda: world.services)
    world.does = lambda request: (
        FAULTS["refusal"].does(request)
        if json.dumps(refused)[1:-1].encode() in request.read()
        else ANSWER(request)
    )
    with pytest.raises(SystemExit) as left:
        main.main(["evaluate", PROMPT, "--models", "primer/exact", "--judge", JUDGE, "--json"])
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert left.value.code == 1
    assert [verdict["state"] for verdict in said["evaluations"][0]["verdicts"]].count("failed") == 1
    score = said["evaluations"][0]["score"]
    assert (score["counted"], score["left_out"]) == (4, 1)
    (failure,) = said["failures"]
    assert "I cannot help with that" in failure["message"]
    assert world.services.spent_today() == pytest.approx(5 * (100 * 1.0 + 5 * 2.0) / 1e6), (
        "a refusal takes tokens too"
    )
    assert not [
        place
        for place in (out.encode(), err.encode(), *world.written())
        if SECRET.encode() in place
    ]


CUTS: dict[str, dict[str, Any] | httpx.RequestError | None] = {
    "without an end": None,
    "with the connection": httpx.RemoteProtocolError(
        "peer closed connection without sending complete message body"
    ),
    "by a time-out": httpx.ReadTimeout("timed out"),
    "by an error within": {"error": f"overloaded {SECRET}"},
    "by an error in OpenAI's form": {
        "error": {"message": f"overloaded {SECRET}", "type": "server_error", "code": None}
    },
}


@pytest.mark.parametrize("end", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize(
    "text", ["", QUESTIONS[:30], QUESTIONS], ids=["at its start", "in its middle", "before its end"]
)
def test_a_stream_that_breaks_off_is_never_taken_for_a_text(
    world: World, text: str, end: dict[str, Any] | httpx.RequestError | None
) -> None:
    view = world.run(streams(text, end), WRITTEN)
    (verdict,) = view.evaluations[0].report.verdicts
    assert (verdict.state, verdict.raw, world.calls) == ("failed", "", TRIES)
    assert (verdict.failure or "").startswith("The writer gave no questions: ")
    assert "run it again" in (verdict.failure or "")
    healed = world.run(streams(QUESTIONS), WRITTEN).evaluations[0].report
    assert [question.question.text for question in healed.verdicts] == [
        "Is there methane?",
        "Which molecule is it?",
    ]
    assert (healed.score.counted, world.calls) == (2, 3)
    assert not [file for file in world.written() if SECRET.encode() in file]


def test_a_stream_with_all_its_pieces_but_no_questions_in_them_is_unreadable_and_kept_as_it_came(
    world: World,
) -> None:
    (verdict,) = world.run(streams("I like methane."), WRITTEN).evaluations[0].report.verdicts
    assert (verdict.state, verdict.raw, world.calls) == ("unreadable", "I like methane.", 1)


# --- in real time
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [1, 2])
def test_a_time_out_is_tried_again_and_the_later_answer_counts(tmp_path: Path, bad: int) -> None:
    """The first attempts get bytes without end: each is given up in time, and its connection is
    closed.
    """
    came: list[int] = []

    def serve(connection: socket.socket) -> None:
        came.append(1)
        mine = len(came)
        try:
            connection.recv(1 << 20)
            body = json.dumps(completion('{"answer": "A"}')).encode()
            head = (
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection:"
                b" close\r\nContent-Length: "
            )
            if mine > bad:
                connection.sendall(head + str(len(body)).encode() + b"\r\n\r\n" + body)
                return
            connection.sendall(head + b"9999999\r\n\r\n")
            while not stop.wait(0.01):
                connection.sendall(b" ")
        except OSError:
            pass  # the client has closed it
        finally:
            connection.close()

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, daemon=True).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    settings: dict[str, Any] = {"temperature": 0, "timeout": 0.4}
    spec = ModelSpec(
        id=JUDGE,
        title="Judge of a service",
        roles=("judge",),
        backend="openai",
        kind="api",
        base_url=address,
        price=Price(),
        settings=settings,
    )
    store = Store(folder=tmp_path)
    with httpx.Client() as client:
        judge = OpenAICompatible(spec, client=client)
        judge.limits = CallLimits(1, 1)
        services = Services(store, read_models(), {JUDGE: judge})
        end = list(services.evaluate(REQUEST))[-1]
    stop.set()
    listener.close()
    store.close()
    assert isinstance(end, Finished)
    assert (end.evaluations, end.failures) == (1, 0)
    assert len(came) == 5 + bad
