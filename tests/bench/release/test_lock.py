"""Both locks agree, and a lock that is out of step or not reproducible is found."""

import itertools
from pathlib import Path

import pytest

from bench.release import lock
from bench.release.lock import LOCKS, ROOT, STATED, LockError, differing_locks
from bench.release.sbom import RUNTIME_LOCK, read_lock


def test_what_is_installed_with_the_wheel_is_what_is_tested() -> None:
    tested, runtime = (
        {one.name: (one.version, one.hashes) for one in read_lock((ROOT / file).read_text("utf-8"))}
        for file in ("requirements.lock", RUNTIME_LOCK)
    )
    assert RUNTIME_LOCK in [one.file for one in LOCKS]
    assert {name: tested.get(name) for name in runtime} == runtime
    assert not {"pytest", "mypy", "ruff", "playwright"} & set(runtime)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the files that locks are made from, and locks that say "old"."""
    for name in (*STATED, *(one.file for one in LOCKS)):
        (tmp_path / name).write_text("old")
    return tmp_path


def write(folder: Path, text: str) -> None:
    for one in LOCKS:
        (folder / one.file).write_text(text)


def test_locks_in_step_are_no_fault(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "write_locks", lambda folder: write(folder, "old"))
    assert differing_locks(project) == []


def test_a_lock_out_of_step_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "write_locks", lambda folder: write(folder, "new"))
    faults = differing_locks(project)
    assert [fault.split()[0] for fault in faults] == [one.file for one in LOCKS]
    assert all("`make lock`" in fault for fault in faults)


def test_two_runs_that_differ_are_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = itertools.count()
    monkeypatch.setattr(lock, "write_locks", lambda folder: write(folder, str(next(runs))))
    assert any("Two runs" in fault for fault in differing_locks(project))


def test_without_a_network_it_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: Path) -> None:
        raise LockError("no route to host")

    monkeypatch.setattr(lock, "write_locks", refuse)
    assert lock.main(["--check"]) == 1
    assert capsys.readouterr().err == "The locks cannot be resolved here: no route to host\n"
