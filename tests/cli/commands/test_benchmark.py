"""`hallascope benchmark load factualbench` and the metric from the command line: what is read,
judged, and left out.
"""

import json
from pathlib import Path

import pytest
from PIL import Image

from hallascope.backends.scripted import Scripted
from hallascope.cli import main
from hallascope.cli.commands import benchmark
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Ask
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

ROW = {
    "concept": ["clap_skate"],
    "type": ["sport"],
    "sentence": "An athlete races on clap skates.",
    "reference_image": ["/somewhere/image/artifact/clap_skate.jpg"],
    "addition": ["racing on ice"],
    "task": "action",
}


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main.main(arguments)
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def folder(path: Path, *rows: object) -> Path:
    (path / "image" / "artifact").mkdir(parents=True)
    (path / "image" / "artifact" / "clap_skate.JPG").write_bytes(b"x")
    (path / "prompt.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_a_whole_benchmark_is_one_document_and_exit_code_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ran(
        capsys, "benchmark", "load", "factualbench", str(folder(tmp_path, ROW)), "--json"
    )
    said = json.loads(out)
    assert (code, err, said["complaints"]) == (0, "", [])
    assert (said["summary"]["by_level"], said["summary"]["references"]) == ({"SKCU": 1}, 1)


def test_what_is_wrong_is_listed_with_file_and_row_and_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = ran(
        capsys,
        "benchmark",
        "load",
        "factualbench",
        str(folder(tmp_path, ROW, {**ROW, "task": "dance"})),
    )
    assert code == 1
    assert "prompts: 1\n" in out
    assert "prompt.jsonl, row 2: the task 'dance' is none of" in out


def test_no_benchmark_is_one_sentence_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ran(capsys, "benchmark", "load", "factualbench", str(tmp_path / "nowhere"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no prompts of T2I-FactualBench" in err
    code, _, err = ran(capsys, "benchmark", "load", "factualbench", str(tmp_path), "--sample", "3")
    assert (code, "--sample does not go with 'factualbench'" in err) == (2, True)


def test_a_picture_is_judged_beside_the_reference_that_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Ask] = []

    def judge(ask: Ask) -> Answer:
        asked.append(ask)
        return Answer(
            "Total Rating: 3\nShape Accuracy: 1\nColor Accuracy: 1\nTexture Representation:"
            " 1\nFeature Details: 0 Reason: two legs"
        )

    spec = ModelSpec(id="scripted/judge", title="Scripted", roles=("judge",), backend="scripted")
    services = Services(
        Store(folder=tmp_path / "home"), read_models(), {spec.id: Scripted(spec, judge)}
    )
    for module in (main, benchmark):
        monkeypatch.setattr(module, "create_services", lambda: services)
    Image.new("RGB", (64, 64), "red").save(tmp_path / "reference.png")
    words = (
        "evaluate",
        "a ladybug",
        "--models",
        "primer/exact",
        "--metrics",
        "factualbench",
        "--judge",
        "scripted/judge",
        "--json",
    )
    code, out, _ = ran(capsys, *words, "--reference", str(tmp_path / "reference.png"))
    (said,) = json.loads(out)["evaluations"]
    assert (code, said["metric"], said["score"]) == (
        0,
        "factualbench",
        {"value": 0.75, "counted": 1, "left_out": 0},
    )
    assert [len(ask.images) for ask in asked] == [2]
    assert [finding["kind"] for finding in said["evidence"]["findings"]] == [
        "rating",
        "shape",
        "color",
        "texture",
        "details",
    ]
    services.store.close()
