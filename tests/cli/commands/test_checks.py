"""`evaluate`, `judge` and `sweep` say by their exit code whether a score is too low."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import assert_refused

PENGUIN = ("evaluate", "a gentoo penguin", "--model", "primer/exact", "--judge")
JUDGE = (*PENGUIN, "scripted/judge")  # the first choice is right for one question of five


@pytest.fixture
def score(command: Any) -> float:
    (evaluation,) = command(*JUDGE, "--json").json["evaluations"]
    value = evaluation["score"]["value"]
    assert 0 < value < 1
    return float(value)


def test_the_exit_code_tells_too_low_from_unanswered_and_from_a_wrong_request(
    command: Any, score: float
) -> None:
    reached = command(*JUDGE, "--fail-under", f"ihalla={score}")
    assert reached.code == 0
    base = f"is {score:.3f} (mean; 1 prompt, 5 of 5 answered) and"
    assert f"I-HallA of primer/exact {base} reaches the threshold {score:g}." in reached.out
    low = command(*JUDGE, "--fail-under", "ihalla=0.95")
    assert low.code == 3
    assert f"I-HallA of primer/exact {base} misses the threshold 0.95." in low.out
    silent = command(*PENGUIN, "scripted/down", "--fail-under", "ihalla=0.95")
    assert silent.code == 1
    assert "is unknown (mean; 0 prompts, 0 of 5 answered) and cannot be" in silent.out
    few = command(*JUDGE, "--fail-under-bound", "ihalla=0.1")
    assert (few.code, "cannot be compared with the threshold 0.1" in few.out) == (1, True)


def test_wrong_requests_are_refused_before_anything_is_drawn(command: Any, tmp_path: Path) -> None:
    assert_refused(
        command,
        ((*JUDGE, "--fail-under", "fig=0.9"), "METRIC=VALUE with ihalla"),
        ((*JUDGE, "--fail-under-bound", "ihalla=9"), "no number from 0 to 1"),
        ((*JUDGE, "--fail-on-worse", "nothing"), "No run 'nothing' is stored here"),
        ((*JUDGE, "--junit", tmp_path / "r.txt"), "let its name end in .xml"),
    )
    assert command("runs", "show").out.startswith("No run is stored")


def test_files_for_other_programs_are_written(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, junit = tmp_path / "summary.md", tmp_path / "new" / "results.xml"
    summary.write_text("Before.\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    files = ("--junit", junit, "--github-summary")
    for _ in range(2):  # JUnit is written over, the summary grows
        assert command(*JUDGE, *files, "--fail-under", "ihalla=0.95").code == 3
    (suite,) = ElementTree.parse(junit).getroot()
    names = [case.get("classname") for case in suite.findall("*[failure]")]
    assert names == ["ihalla.primer/exact", "checks"]
    text = summary.read_text("utf-8")
    assert text.startswith("Before.\n## HallaScope")
    assert text.count("| primer/exact | I-HallA |") == 2
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    elsewhere = command(*JUDGE, "--github-summary")
    assert elsewhere.code == 0
    assert elsewhere.err == (
        "GITHUB_STEP_SUMMARY is not set: no summary is written. GitHub sets it in a job.\n"
    )
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    refused = command(*JUDGE, "--github-summary")
    assert (refused.code, "cannot be written" in refused.err) == (2, True)


SWEEP = """
prompts: [{{primer: {{count: {prompts}, seed: 0}}}}]
models: [{model}]
metrics: [ihalla]
judge: {judge}
"""


def test_a_sweep_is_checked(command: Any, tmp_path: Path) -> None:
    spec = tmp_path / "sweep.yaml"
    text = SWEEP.format(prompts=2, model="primer/exact", judge="scripted/judge")
    spec.write_text(text, "utf-8")
    low = command("sweep", spec, "--fail-under", "ihalla=0.95", "--junit", tmp_path / "r.xml")
    assert low.code == 3
    assert "(mean; 2 prompts, 10 of 10 answered) and misses the threshold 0.95." in low.out
    (suite,) = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert len(suite.findall("*[@classname='ihalla.primer/exact']")) == 2
    bound = command("sweep", spec, "--fail-under-bound", "ihalla=0.95", "--json")
    assert (bound.code, bound.json["checks"][0]["passed"]) == (3, False)
    assert bound.json["checks"][0]["value"] < 0.95
    assert_refused(command, (("sweep", spec, "--fail-under", "fig=1"), "with ihalla"))


def test_a_run_that_a_sweep_made_before_is_compared(command: Any, tmp_path: Path) -> None:
    earlier = command(*JUDGE, "--seed", "1", "--json").json["run"]
    spec = tmp_path / "sweep.yaml"
    spec.write_text(
        "prompts: [a gentoo penguin]\nmodels: [primer/exact]\nmetrics: [ihalla]\n"
        "judge: scripted/judge\n",
        "utf-8",
    )
    assert command("sweep", spec).code == 0
    compared = command(*JUDGE, "--fail-on-worse", earlier, "--json")
    (check,) = compared.json["checks"]
    assert (compared.code, check["rule"], check["n"]) == (1, f"fail-on-worse {earlier}", 1)


def test_where_no_image_is_found_the_files_say_so(command: Any, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    (folder / "prompts.csv").write_text("file,prompt\ngone.png,a cat\n", "utf-8")
    options = ("--fail-under", "ihalla=0.5", "--junit", tmp_path / "r.xml")
    done = command("judge", folder, "--as", "mine", "--judge", "scripted/judge", *options)
    assert done.code == 1
    assert "No image has a score by I-HallA: there is nothing to compare." in done.out
    (suite,) = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("errors")) == ("1", "1")
