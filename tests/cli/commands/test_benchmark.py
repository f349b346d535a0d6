"""`hallascope benchmark`: what is read, made and accepted of benchmarks, and what is left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.cli.commands import prompts
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Write
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.cli.conftest import assert_refused

ROW = {
    "concept": ["clap_skate"],
    "type": ["sport"],
    "sentence": "An athlete races on clap skates.",
    "reference_image": ["/somewhere/image/artifact/clap_skate.jpg"],
    "addition": ["racing on ice"],
    "task": "action",
}
LOAD = ("benchmark", "load", "factualbench")


@pytest.mark.parametrize("wrong", [{}, {"task": "dance"}])
def test_a_benchmark_is_one_document_and_what_is_wrong_is_listed_by_row(
    command: Any, tmp_path: Path, wrong: dict[str, str]
) -> None:
    (tmp_path / "image" / "artifact").mkdir(parents=True)
    (tmp_path / "image" / "artifact" / "clap_skate.JPG").write_bytes(b"x")
    rows = [ROW, ROW | wrong] if wrong else [ROW]
    (tmp_path / "prompt.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    result = command(*LOAD, tmp_path, "--json")
    assert (result.code, result.err) == (int(bool(wrong)), "")
    summary = result.json["summary"]
    assert (summary["by_level"], summary["references"]) == ({"SKCU": 1}, 1)
    complained = "prompt.jsonl, row 2: the task 'dance' is none of" in command(*LOAD, tmp_path).out
    assert complained == bool(wrong)


def test_complaints_are_grouped_and_all_of_them_stand_in_a_file(
    command: Any, tmp_path: Path
) -> None:
    rows = "".join(f"a cat {n}\tKind {n}\n" for n in range(300))
    (tmp_path / "p.tsv").write_text(f"Prompt\tCategory\n{rows}\tempty\n", encoding="utf-8")
    result = command("benchmark", "load", "drawbench", tmp_path / "p.tsv", "--sample", "3")
    lines = result.out.splitlines()
    complaints = lines[next(n for n, line in enumerate(lines) if "p.tsv, row 2:" in line) :]
    assert len(complaints) == 6  # three of a kind, how many more, the other kind, the file
    assert "297 more" in complaints[3]
    assert len(Path(lines[-1].split()[-1]).read_text("utf-8").splitlines()) == 301


def serve(folder: Path, role: Any, script: Any) -> Services:
    spec = ModelSpec(id=f"scripted/{role}", title="Scripted", roles=(role,), backend="scripted")
    return Services(Store(folder=folder), read_models(), {spec.id: Scripted(spec, script)})


# --- prompts for new concepts ---


def writes(ask: Write) -> Answer:
    if "feasible" in (ask.schema or {}).get("properties", {}):  # type: ignore[operator]
        said = {"reason": "plausible", "feasible": True, "phrases": [["hopping"]]}
        return Answer(json.dumps(said))
    return Answer(json.dumps({"prompt": "A quokka is hopping through the grass"}))


@pytest.fixture
def concepts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        prompts, "create_services", lambda: serve(tmp_path / "one", "writer", writes)
    )
    path = tmp_path / "concepts.csv"
    path.write_text("concept,domain\nquokka,animal\n")
    return path


def test_prompts_are_made_reviewed_and_read_as_a_benchmark(command: Any, concepts: Path) -> None:
    review, out = concepts.with_name("review.csv"), concepts.with_name("out")
    options = ("--task", "memorization,action", "--writer", "scripted/writer", "--json")
    made = command("benchmark", "make", "factualbench", concepts, review, *options)
    assert (made.code, made.err) == (0, "")
    assert made.json | {"prompts": 2, "proposals": 2, "problems": []} == made.json
    lines = review.read_text().splitlines()
    assert "A quokka is hopping through the grass" in lines[2]
    review.write_text("\n".join([lines[0], lines[1], f"yes{lines[2]}"]))
    accepted = command("benchmark", "make", "factualbench", concepts, review, "--accept", out)
    assert (accepted.code, "prompts: 1" in accepted.out) == (0, True)
    assert command(*LOAD, out, "--json").json["summary"]["by_task"] == {"action": 1}


def test_what_cannot_be_made_is_one_sentence(command: Any, concepts: Path) -> None:
    def make(*options: str, benchmark: str = "factualbench") -> tuple[object, ...]:
        return ("benchmark", "make", benchmark, concepts, concepts.with_name("r.csv"), *options)

    writer = ("--writer", "scripted/writer")
    assert_refused(
        command,
        (make("--task", "dance"), "There is no task 'dance'"),
        (make("--task", "action"), "name a model (--writer)"),
        (make("--task", "scene", *writer), "fits these tasks"),
        (make("--writer", "scripted/wirter", "--task", "action"), "mean 'scripted/writer'"),
        (make(benchmark="ihalla"), "for 'factualbench' alone"),
    )
