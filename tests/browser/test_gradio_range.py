"""The dashboard at both ends of the range of Gradio that ``pyproject.toml`` promises."""

import json
import subprocess
import sys
import tomllib
import urllib.request
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from playwright.sync_api import Browser, expect

from hallascope.app import tabs_by_title
from hallascope.pages.evaluate.page import EXAMPLES
from tests.conftest import ROOT
from tests.support.browser import expect_answers, open_tab, ready, visit
from tests.support.shipped_app import running_app

pytestmark = [pytest.mark.browser, pytest.mark.full]


def promised() -> Requirement:
    """Return the range as ``pyproject.toml`` gives it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = {each.name: each for each in map(Requirement, project["dependencies"])}
    return named["gradio"]


def lowest() -> str:
    """Return the requirement of the oldest version that is promised."""
    (lower,) = (each.version for each in promised().specifier if each.operator == ">=")
    return f"gradio~={lower}.0"


def install(requirement: str, folder: Path) -> None:
    """Install a package alone: what it needs else is there already."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder)
    subprocess.run([*pip, requirement], check=True)


@pytest.mark.parametrize("end", ["lowest", "newest"])
def test_a_prompt_is_evaluated_and_every_tab_opens(
    browser: Browser, tmp_path: Path, end: str
) -> None:
    folder = tmp_path / "packages"
    install(lowest() if end == "lowest" else str(promised()), folder)
    (found,) = Distribution.discover(name="gradio", path=[str(folder)])
    needs = [Requirement(each) for each in found.requires or ()]
    (client,) = (each for each in needs if each.name.replace("_", "-") == "gradio-client")
    install(str(client), folder)
    with running_app(tmp_path / "home", PYTHONPATH=str(folder)) as app:
        with urllib.request.urlopen(f"{app.address}/config") as config:
            assert json.load(config)["version"] == found.version
        with visit(browser, app.address) as page:
            ready(page, "prompts-to-try")
            page.get_by_role("button", name=EXAMPLES[0], exact=True).click()
            expect_answers(page, 20)
            expect(page.locator("#evidence .question").first).to_be_visible()
            for title in (title for title, place in tabs_by_title().items() if not place["part"]):
                open_tab(page, title)
                tab = page.get_by_role("tab", name=title, exact=True)
                expect(tab).to_have_attribute("aria-selected", "true")
