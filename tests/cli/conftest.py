"""Provides a command line whose judges answer by a script, and a check of refusals."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hallascope.cli import main
from hallascope.data.models.services import find
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Ask, Failure, Write
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.command_services import use_services
from tests.support.engine_fixtures import no_waits
from tests.support.scripted import Scripted

__all__ = ["no_waits"]


class CommandResult(NamedTuple):
    """Holds how a command ended: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


PAID_JUDGE = "openai/gpt-5.4-mini"
PARSED = {
    "two dogs": {"language": "en", "objects": [{"id": "1", "name": "dog", "count": "3"}]},
    "ein roter Kreis links von einem blauen Quadrat": {
        "language": "de",
        "translation": "a red circle left of a blue square",
        "objects": [
            {"id": "1", "name": "circle", "attributes": ["red"]},
            {"id": "2", "name": "square", "attributes": ["blue"]},
        ],
        "relations": [{"subject": "1", "relation": "left of", "target": "2"}],
    },
}


def parse(request: Write) -> str:
    """Return the reading of the prompt, which is the second paragraph of the request."""
    prompt = request.text.split("\n\n")[1]
    return json.dumps(PARSED[prompt]) if prompt in PARSED else "I cannot help with that."


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Run a command here with judges that give the first choice, are down, refuse and ramble.

    The model "scripted/parser" reads the prompts of `PARSED` and answers others in words;
    `PAID_JUDGE` costs what it costs, and gives the first choice.
    """

    def first(ask: Ask) -> str:
        return f"A) {ask.choices[0]}" if ask.choices else "I cannot tell."

    def services(url: str | None) -> Services:
        judge, down, shy, vague = (
            ModelSpec(id=f"scripted/{name}", title=name, roles=("judge",), backend="scripted")
            for name in ("judge", "down", "shy", "vague")
        )
        failing = Scripted(down, lambda ask: Failure("timeout", "It did not answer: ask again."))
        writer = ModelSpec(
            id="scripted/parser",
            title="Parser",
            roles=("writer",),
            backend="scripted",
            kind="api",
            price=Price("2026-04-06", input=1.0, output=2.0),
        )
        paid = find(read_models(), PAID_JUDGE)
        assert paid is not None
        backends = {
            judge.id: Scripted(judge, first),
            down.id: failing,
            shy.id: Scripted(shy, lambda ask: "I'm sorry, I can't help with that."),
            vague.id: Scripted(vague, lambda ask: "What a lovely picture."),
            writer.id: Scripted(writer, parse),
            PAID_JUDGE: Scripted(paid, first),
        }
        return Services(Store(folder=tmp_path / "home"), read_models(), backends)

    use_services(monkeypatch, services)

    def run(*arguments: object) -> CommandResult:
        with pytest.raises(SystemExit) as left:
            main.main([str(argument) for argument in arguments])
        return CommandResult(int(left.value.code or 0), *capsys.readouterr())

    return run


def assert_refused(command: Any, *cases: tuple[tuple[object, ...], str]) -> None:
    """Each request ends with exit code 2 and one sentence that has the words."""
    faults = [
        f"{arguments}: {result} instead of {words!r}"
        for arguments, words in cases
        for result in [command(*arguments)]
        if (result.code, result.out, result.err.count("\n")) != (2, "", 1)
        or words not in result.err
    ]
    assert not faults, "\n".join(faults)
