"""`hallascope benchmark make` and `accept`: prompts for new concepts, and what a person accepts of
them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.cli import main
from hallascope.cli.commands import prompts
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Write
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store


def writes(ask: Write) -> Answer:
    if "feasible" in (ask.schema or {}).get("properties", {}):  # type: ignore[operator]
        return Answer(
            json.dumps({"reason": "plausible", "feasible": True, "phrases": [["hopping"]]})
        )
    return Answer(json.dumps({"prompt": "A quokka is hopping through the grass"}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    spec = ModelSpec(id="scripted/writer", title="Writer", roles=("writer",), backend="scripted")
    services = Services(
        Store(folder=tmp_path / "home"), read_models(), {spec.id: Scripted(spec, writes)}
    )
    monkeypatch.setattr(prompts, "create_services", lambda: services)
    (tmp_path / "concepts.csv").write_text("concept,domain\nquokka,animal\n")
    yield tmp_path
    services.store.close()


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main.main(["benchmark", *map(str, arguments)])
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_prompts_are_made_reviewed_and_read_as_a_benchmark(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    concepts, review, out = folder / "concepts.csv", folder / "review.csv", folder / "out"
    options = ("--tasks", "memorization,action", "--writer", "scripted/writer", "--json")
    code, said, err = ran(capsys, "make", "factualbench", concepts, review, *options)
    made: Any = json.loads(said)
    assert (code, err, made["prompts"], made["proposals"], made["problems"]) == (0, "", 2, 2, [])
    lines = review.read_text().splitlines()
    assert "A quokka is hopping through the grass" in lines[2]
    review.write_text("\n".join([lines[0], lines[1], f"yes{lines[2]}"]))
    code, said, _ = ran(capsys, "accept", "factualbench", review, concepts, out)
    assert (code, "prompts: 1" in said) == (0, True)
    code, said, _ = ran(capsys, "load", "factualbench", out, "--json")
    assert json.loads(said)["summary"]["by_task"] == {"action": 1}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--tasks", "dance"), "There is no task 'dance'"),
        (("--tasks", "action"), "name a model (--writer)"),
        (("--tasks", "scene", "--writer", "scripted/writer"), "fits these tasks"),
        (("--writer", "scripted/wirter", "--tasks", "action"), "did you mean 'scripted/writer'"),
    ],
)
def test_what_cannot_be_made_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], says: str
) -> None:
    code, out, err = ran(
        capsys, "make", "factualbench", folder / "concepts.csv", folder / "review.csv", *options
    )
    assert (code, out, err.count("\n"), says in err) == (2, "", 1, True)


def test_prompts_are_made_for_one_benchmark_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = ran(capsys, "make", "ihalla", folder / "concepts.csv", folder / "review.csv")
    assert (code, "for 'factualbench' alone" in err) == (2, True)
