"""Tests the page's scripts: their bundles are as new as the modules, and their names exist."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hallascope.components.html import scripts

ROOT = Path(__file__).parents[3]
NAMES = ("page", "site", "lesson", "pupil", "projector")
STARTED = re.compile(r"\b(?:live|holder)\(\s*\"([a-z_/]+)\"")


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of bundles that are made from the modules as they are now."""
    folder = tmp_path_factory.mktemp("bundles")
    tools = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    command = [str(tools / "npm"), "run", "--silent", "build", "--", f"--outdir={folder}"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_bundle_is_as_new_as_its_modules(rebuilt: Path, name: str) -> None:
    made = (rebuilt / f"{name}.js").read_text("utf-8")
    assert scripts.bundle(name) == made, "the modules have changed: run `make scripts`"


@pytest.mark.parametrize("name", NAMES)
def test_a_bundle_does_not_end_the_element_it_stands_in(name: str) -> None:
    assert not re.search(r"</script|<!--", scripts.bundle(name), re.IGNORECASE)


def test_every_script_that_a_component_starts_is_one_of_the_page() -> None:
    started = {
        name
        for room in ("components", "pages")
        for file in (ROOT / room).rglob("*.py")
        for name in STARTED.findall(file.read_text("utf-8"))
    }
    page = (ROOT / "components/js/page.js").read_text("utf-8")
    assert started == set(re.findall(r'^  "([a-z_/]+)": ', page, re.MULTILINE))
