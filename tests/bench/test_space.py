"""A Space's files start in this environment without a network, and are asked."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.release import space_app as space
from bench.release.space_app import Place, check_audit, find_space, install, started
from bench.release.steps import ReleaseError
from tests.support import space_checks

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The files of the first Space, ready to start in this environment."""
    made = Place(tmp_path_factory.mktemp("space").resolve(), here=True)
    install(find_space(None), made)
    return made


@pytest.fixture(scope="module")
def address(place: Place) -> Iterator[str]:
    with started(find_space(None), place) as found:
        yield found


def test_a_space_starts_and_calls_no_other_machine(place: Place, address: str) -> None:
    with urllib.request.urlopen(f"{address}/config", timeout=space.START_LIMIT) as answer:
        page = json.load(answer)
    space_checks.nothing_local_is_laid_out(page)
    space_checks.it_says_what_is_recorded(page)
    space_checks.no_key_is_told(page, space.SECRET)
    assert str(place.app) in imported_package(place), "the repository's files were started"
    check_audit(place)


def imported_package(place: Place) -> str:
    """The folder from which a process started like the Space imports the package."""
    command = [sys.executable, "-c", "import hallascope; print(hallascope.__file__)"]
    return subprocess.run(command, cwd=place.app, capture_output=True, text=True, check=True).stdout


def test_a_call_to_another_machine_fails_the_space(tmp_path: Path) -> None:
    other = Place(tmp_path, here=True)
    other.audit.write_text("called\thuggingface.co\n")
    other.log.write_text("")
    with pytest.raises(ReleaseError, match=r"huggingface\.co"):
        check_audit(other)


def test_the_checks_run_without_anything_of_ours() -> None:
    code = f"import runpy; runpy.run_path({str(space.CHECKS)!r}, run_name='checks')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
