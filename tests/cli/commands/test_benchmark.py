"""`hallascope benchmark`: what is read, made and accepted of benchmarks, and what is left out."""

import json
from pathlib import Path
from typing import Any

import pytest

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
