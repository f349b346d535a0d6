"""On ZeroGPU a call goes through the package `spaces`, pickled and for few seconds.

Its refusals are sentences; elsewhere it does not.
"""

import pickle
import sys
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hallascope.backends import zero_gpu
from hallascope.backends.base import CallLimits, Transient, Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask
from hallascope.engine.events import EvaluateRequest
from tests.support.scripted import Scripted

SPEC = ModelSpec(
    id="m", title="M", roles=("judge",), backend="scripted", kind="local", settings={"steps": 30}
)


class Refused(Exception):
    """As `gr.Error`: a message and a title."""

    def __init__(self, title: str) -> None:
        super().__init__("You have exceeded your free ZeroGPU quota (60s requested vs. 3s left).")
        self.title = title


class FakeSpaces(ModuleType):
    """Pickles what goes to and fro, as the real one does between its processes.

    `refuses`: the title of what it raises.
    """

    def __init__(self) -> None:
        super().__init__("spaces")
        self.lent: list[float] = []
        self.refuses: str | None = None
        self.functions: list[Callable[..., Any]] = []

    def GPU(self, duration: Any) -> Callable[..., Any]:  # noqa: N802 - the package's name
        def wrap(task: Callable[..., Any]) -> Callable[..., Any]:
            self.functions.append(task)

            def called(*arguments: Any) -> Any:
                if self.refuses:
                    raise Refused(self.refuses)
                self.lent.append(duration(*arguments) if callable(duration) else duration)
                return pickle.loads(pickle.dumps(task(*pickle.loads(pickle.dumps(arguments)))))

            return called

        return wrap


@pytest.fixture
def spaces(monkeypatch: pytest.MonkeyPatch) -> FakeSpaces:
    fake = FakeSpaces()
    monkeypatch.setitem(sys.modules, "spaces", fake)
    monkeypatch.setattr(zero_gpu, "find_spec", lambda name: object())
    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    monkeypatch.setattr(zero_gpu, "_held", {})
    monkeypatch.setattr(zero_gpu, "_lent", {})
    return fake


def _ask(text: str = "What is it?") -> Ask:
    return Ask(images=(Picture("0" * 64, Path("a.png")),), text=text, question=text)


def _call(backend: Any, requests: Any) -> Any:
    return backend.ask(requests)


def _model(say: Callable[[Any], Any] = lambda ask: ask.question) -> Scripted:
    return Scripted(SPEC, say, limits=CallLimits(4, 1))


def test_elsewhere_a_call_is_only_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPACES_ZERO_GPU", raising=False)
    monkeypatch.setitem(sys.modules, "spaces", None)  # importing it would raise
    zero_gpu.import_spaces()
    assert not zero_gpu.is_zero_gpu()
    assert zero_gpu.call_model(_model(), [_ask("a"), _ask("b")], _call) == [
        Answer("a"),
        Answer("b"),
    ]


def test_a_call_goes_through_the_package_and_comes_back_pickled(spaces: FakeSpaces) -> None:
    zero_gpu.import_spaces()
    assert len(spaces.functions) == 1  # a Space without any is not started
    said = zero_gpu.call_model(_model(), [_ask("a"), _ask("b")], _call)
    assert said == [Answer("a"), Answer("b")]
    assert spaces.lent == [zero_gpu.LEAST]
    zero_gpu.call_model(_model(), [_ask("c")], _call)
    assert len(spaces.functions) == 2  # one a model, whatever is asked of it


def test_each_of_its_refusals_is_a_sentence_of_ours(spaces: FakeSpaces) -> None:
    refusals: tuple[tuple[str, type[Exception], str], ...] = (
        ("ZeroGPU illegal duration", Unavailable, "ask for fewer images"),
        ("ZeroGPU quota exceeded", Unavailable, "log in with your Hugging Face account"),
        ("ZeroGPU pending credits exceeded", Transient, "try again once they are done"),
        ("ZeroGPU queue timeout", Transient, "try again in a while"),
        ("ZeroGPU client error", Transient, "reload the page"),
        ("ZeroGPU worker error", Transient, "stopped in the middle of the work"),
        ("Error", Unavailable, r"cannot be used \(Refused\)"),
    )
    for spaces.refuses, kind, said in refusals:
        with pytest.raises(kind, match=said) as raised:
            zero_gpu.call_model(_model(), [_ask()], _call)
        assert "ZeroGPU quota (60s" not in str(raised.value)


WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


def test_a_call_is_made_in_the_context_of_the_visitor_who_asked(make_services: Any) -> None:
    heard: list[str] = []

    def say(ask: Ask) -> str:
        heard.append(WHO.get())
        return "A"

    services = make_services(say)
    WHO.set("visitor")
    list(
        services.evaluate(
            EvaluateRequest(
                prompt="a molecule of methane",
                models=("primer/exact",),
                metrics=("ihalla",),
                judge="primer/judge",
                seed=0,
                count=1,
            )
        )
    )
    assert heard
    assert set(heard) == {"visitor"}
