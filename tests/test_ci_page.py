"""The files of docs/ci.md, copied as they stand, check images as the page says."""

import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from PIL import Image

from hallascope import metrics
from tests.cli.conftest import command as command
from tests.conftest import ROOT
from tests.support.installed_package import install

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w./-]+)`: .*?^```\w+\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
WORKFLOW = yaml.safe_load(FILES[".github/workflows/images.yml"])
STEPS = [step["run"] for step in WORKFLOW["jobs"]["images"]["steps"] if "run" in step]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder has the files of the page, and its package is installed."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = tomllib.loads(FILES["quality/pyproject.toml"])
    (module,) = project["tool"]["setuptools"]["py-modules"]
    named = project["project"]["entry-points"][metrics.GROUP]
    lines = "\n".join(f"{name} = {value}" for name, value in named.items())
    install(monkeypatch, tmp_path / "packages", module, FILES[f"quality/{module}.py"], lines)
    metrics.find.cache_clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    yield tmp_path
    metrics.find.cache_clear()
    sys.modules.pop(module, None)


def test_the_job_of_the_page_passes_and_reports(copied: Path, command: Any) -> None:
    assert len(FILES) == 4
    install_step, check_step = map(shlex.split, STEPS)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    wheel = f"./hallascope-{version}-py3-none-any.whl"
    assert install_step == ["pip", "install", wheel, "./quality"]
    done = command(*check_step[1:])
    assert done.code == 0
    assert [line for line in done.out.splitlines() if "threshold" in line] == re.findall(
        r"^.* reaches the threshold .*$", PAGE, re.MULTILINE
    )
    (suite,) = ElementTree.parse(copied / "results.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("8", "0", "0")
    assert Counter(case.get("classname") for case in suite) == {
        "ihalla.primer/exact": 3,
        "contrast.primer/exact": 3,
        "checks": 2,
    }
    assert "| primer/exact | contrast | 0.863 |" in (copied / "summary.md").read_text("utf-8")
    higher = [word.replace("contrast=0.5", "contrast=0.95") for word in check_step[1:]]
    failed = command(*higher)
    assert failed.code == 3
    assert "contrast of primer/exact is 0.863 " in failed.out
    assert "misses the threshold 0.95" in failed.out


def test_a_metric_that_raises_ends_the_job_with_1(copied: Path, command: Any) -> None:
    (copied / "packages" / "contrast.py").write_text("def contrast(image, prompt):\n    1 / 0\n")
    failed = command(*shlex.split(STEPS[1])[1:])
    assert failed.code == 1
    assert "contrast of primer/exact is unknown (mean; 0 prompts, 0 of 3 answered)" in failed.out
    (suite,) = ElementTree.parse("results.xml").getroot()
    said = [error.text for error in suite.findall("*[@classname='contrast.primer/exact']/error")]
    assert said == ["seed 0: The metric 'contrast' raised ZeroDivisionError: division by zero"] * 3


def test_the_folders_of_two_versions_are_compared(copied: Path, command: Any) -> None:
    section = PAGE.partition("## Against the last version")[2]
    last, new = re.findall(r"^hallascope (.*)$", section, re.MULTILINE)
    for folder, bright in (("last-version", 255), ("outputs", 64)):
        Path(folder).mkdir()
        rows = ["file,prompt"]
        for number in range(7):
            image = Image.new("RGB", (8, 8), "black")
            image.putpixel((0, 0), (bright, bright, bright - number))
            image.save(Path(folder) / f"{number}.png")
            rows.append(f"{number}.png,scene {number}")
        (Path(folder) / "prompts.csv").write_text("\n".join(rows))
    first = command(*shlex.split(last), "--json")
    assert first.code == 0
    words = [first.json["sweep"] if word == "SWEEP" else word for word in shlex.split(new)]
    second = command(*words)
    assert second.code == 3
    assert "contrast of all models is significantly worse than in" in second.out


@pytest.mark.full
def test_the_package_of_the_page_can_be_installed(copied: Path) -> None:
    target = copied / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run(
        [*pip, "--no-build-isolation", "--target", str(target), "./quality"], check=True, cwd=copied
    )
    code = "from hallascope import metrics; print(metrics.get('contrast').definition)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{target}:{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "How far the darkest and the brightest pixel are from each other.\n"
