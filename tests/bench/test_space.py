"""A Space's files start in this environment without a network, are asked, and are photographed."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from bench.release import space
from bench.release.photograph import BadPhotograph, blank, photograph
from bench.release.space import Place, install, named, started, watched
from hallascope.engine.spaces.build import build
from tests.support import space_checks

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The files of the first Space, ready to start in this environment."""
    made = Place(tmp_path_factory.mktemp("space").resolve(), here=True)
    made.make()
    build(named(None), made.app)
    install(named(None), made)
    return made


@pytest.fixture(scope="module")
def address(place: Place) -> Iterator[str]:
    with started(named(None), place) as found:
        yield found


@pytest.mark.browser
def test_a_space_starts_offline_and_its_photograph_is_of_the_page(
    browser: Browser, place: Place, address: str, tmp_path: Path
) -> None:
    with urllib.request.urlopen(f"{address}/config", timeout=space.PATIENCE) as answer:
        page = json.load(answer)
    space_checks.nothing_local_is_laid_out(page)
    space_checks.it_says_what_is_recorded(page)
    space_checks.no_key_is_told(page, space.SECRET)
    picture = tmp_path / "space.png"
    assert photograph(browser, address, picture) > 10_000
    with Image.open(picture) as image:
        assert image.size == (1440, 1180)
    assert blank(picture) == ""
    assert str(place.app) in imported_package(place), "the repository's files were started"
    assert "no other machine was called" in watched(place)


def imported_package(place: Place) -> str:
    """The folder from which a process started like the Space imports the package."""
    command = [sys.executable, "-c", "import hallascope; print(hallascope.__file__)"]
    return subprocess.run(command, cwd=place.app, capture_output=True, text=True, check=True).stdout


def test_a_blank_picture_is_told_from_one_of_a_page(tmp_path: Path) -> None:
    white = tmp_path / "white.png"
    Image.new("RGB", (400, 300), "white").save(white)
    assert blank(white).startswith("1 colors")
    noise = tmp_path / "noise.png"
    Image.effect_noise((400, 300), 80).save(noise)
    assert blank(noise) == ""


@pytest.mark.browser
def test_a_page_that_is_no_dashboard_is_no_photograph(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.release.photograph.PATIENCE", 500)
    with pytest.raises(BadPhotograph, match="wordmark"):
        photograph(browser, "data:text/html,<p>Internal Server Error</p>", tmp_path / "x.png")


def test_a_call_to_another_machine_fails_the_space(place: Place, tmp_path: Path) -> None:
    other = Place(tmp_path, here=True)
    other.watched.write_text("called\thuggingface.co\n")
    other.said.write_text("")
    with pytest.raises(space.Failed, match=r"huggingface\.co"):
        watched(other)


def test_the_checks_run_without_anything_of_ours() -> None:
    code = f"import runpy; runpy.run_path({str(space.CHECKS)!r}, run_name='checks')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
