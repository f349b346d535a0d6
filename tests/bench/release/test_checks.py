"""The checklist says yes, or no with what to do, and its exit code tells which."""

from pathlib import Path

import pytest

from bench.release import checks
from bench.release.__main__ import ask, main
from bench.release.checks import CHECKS, ReleaseCheck, api_fault, public_names, secrets_fault


def test_answers_are_yes_or_no_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    good = ReleaseCheck("one", "Is it so?", lambda: "")
    bad = ReleaseCheck("two", "And this?", lambda: "Do\nthat.")
    assert ask([good]) == 0
    assert ask([good, bad]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "yes  one          Is it so?"
    assert lines[3] == "no   two          And this? Do that."
    assert lines[-1] == "1 of 2 are as a release needs them."


def test_the_list_names_every_check_and_an_unknown_name_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        check.name for check in CHECKS
    ]
    assert main(["--only", "lock,luck"]) == 2
    assert "'luck' is no check" in capsys.readouterr().err


def test_tests_are_skipped_where_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stubs = tuple(check._replace(find_fault=lambda: "") for check in CHECKS)
    monkeypatch.setattr("bench.release.__main__.CHECKS", stubs)
    assert main(["--skip-tests"]) == 0
    assert "make test" not in capsys.readouterr().out
    assert main(["--only", "tests", "--skip-tests"]) == 0


def test_what_a_release_took_from_the_library_must_be_noted() -> None:
    assert api_fault() == ""
    assert api_fault(public_names()) == ""
    gone = api_fault(["judge_everything(images)", *public_names()])
    assert gone == "Note in CHANGELOG.md what changed of judge_everything."


def test_a_key_in_a_file_is_found_and_an_example_in_the_docs_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("postgresql://USER:PASSWORD@HOST/NAME")
    (tmp_path / "b.md").write_text("token " + "hf_" + "a" * 30)
    assert secrets_fault(tmp_path, ["a.md"]) == ""
    fault = secrets_fault(tmp_path, ["a.md", "b.md"])
    assert fault.startswith("b.md holds what looks like a key (a token of Hugging Face")


def test_a_version_that_differs_somewhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.version_fault() == ""
    monkeypatch.setattr(checks, "project_version", lambda: "9.9.9")
    assert "CITATION.cff says 0.1.0" in checks.version_fault()
    assert "[9.9.9]" in checks.changelog_fault()
