"""Memory is measured as it is, also in a container that has less of it than its machine."""

from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from hallascope.backends import memory

MB = 10**6


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a control group of 2,000 MB, of which 900 are used, 300 of them by files."""
    (tmp_path / "memory.max").write_text(f"{2000 * MB}\n")
    (tmp_path / "memory.current").write_text(f"{900 * MB}\n")
    (tmp_path / "memory.stat").write_text(f"anon {600 * MB}\ninactive_file {300 * MB}\nodd\n")
    monkeypatch.setattr(
        memory, "_CONTAINERS", ((tmp_path / "memory.max", tmp_path / "memory.current"),)
    )
    return tmp_path


def test_a_container_has_the_memory_that_it_is_given_and_files_in_it_are_free(
    container: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert memory.host_total() == 2000 * MB
    monkeypatch.setattr(
        psutil, "virtual_memory", lambda: SimpleNamespace(total=10**12, available=10**12)
    )
    assert memory.host_free() == 1400 * MB


@pytest.mark.parametrize("harm", ["max", None])
def test_a_container_without_a_limit_has_that_of_the_machine(
    container: Path, harm: str | None
) -> None:
    limit = container / "memory.max"
    limit.write_text(harm) if harm else limit.unlink()
    assert memory.host_total() == psutil.virtual_memory().total
