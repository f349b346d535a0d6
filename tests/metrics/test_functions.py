"""Functions of people, given or found in installed packages, are metrics."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope import metrics
from hallascope.data.records import Picture, Score
from hallascope.metrics.base import Case, Metric, run
from hallascope.metrics.functions import read_metric
from tests.support.installed_package import install


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """Half of the image is white."""
    image = Image.new("L", (4, 4), "black")
    image.paste(255, (0, 0, 4, 2))
    image.save(tmp_path / "half.png")
    return Case(prompt="a lamp", image=Picture("0" * 64, tmp_path / "half.png"))


def fail(image: Image.Image, prompt: str) -> float:
    raise ValueError("no\nlamp")


@pytest.mark.parametrize(
    "function, why",
    [
        (fail, "The metric 'mine' raised ValueError: no lamp"),
        (lambda image, prompt: 1.01, "The metric 'mine' gave 1.01: give a number from 0 to 1."),
        (lambda image, prompt: -0.1, "The metric 'mine' gave -0.1: give a number from 0 to 1."),
        (lambda image, prompt: float("nan"), "gave nan: give a number"),
        (lambda image, prompt: None, "gave None: give a number"),
        (lambda image: 1.0, "raised TypeError"),
        (lambda image, prompt: 10**5000, "give a number"),
        (lambda image, prompt: torch.ones(2), "give a number"),
    ],
)
def test_what_is_no_score_is_one_sentence_and_never_0(
    function: Callable[..., Any], why: str, case: Case
) -> None:
    report = run(read_metric("mine", function, "1").plan(case), [])
    assert report.score == Score(None, 0, 1)
    assert report.evidence
    (finding,) = report.evidence.findings
    assert (finding.state, why in finding.note) == ("failed", True)


def test_the_version_follows_the_file_of_the_function(tmp_path: Path) -> None:
    def version(code: str, name: str = "score") -> str:
        (tmp_path / "mine.py").write_text(code, encoding="utf-8")
        known: dict[str, Any] = {}
        exec(compile(code, str(tmp_path / "mine.py"), "exec"), known)
        return read_metric("mine", known[name], "7").version

    first = version("def score(image, prompt): return 0.5")
    assert first != "7"
    assert version("def score(image, prompt): return 0.6") != first
    assert version("def score(image, prompt): return 0.5") == first
    assert version("score = lambda image, prompt: 0.5") == "7"
    assert version("class Own:\n def __call__(self, image, prompt): ...\nown = Own()", "own") == "7"
    assert version("from math import sqrt", "sqrt") == "7"
    decorated = "from contextlib import ContextDecorator as Own\n@Own()\n"
    assert version(f"{decorated}def score(image, prompt): return 0.5") not in (
        version(f"{decorated}def score(image, prompt): return 0.6"),
        "7",
    )
    notebook: dict[str, Any] = {}
    exec("def score(image, prompt): return 0.5", notebook)
    assert read_metric("mine", notebook["score"], "7").version == "7"


CODE = """
from hallascope.metrics.functions import read_metric

def half(image, prompt):
    return 0.5

DECLARED = read_metric("other name", half, "3")
NUMBER = 3
"""
ENTRIES = """
half = own_metrics:half
declared = own_metrics:DECLARED
number = own_metrics:NUMBER
gone = own_metrics:nothing
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(monkeypatch, tmp_path / "packages", "own_metrics", CODE, ENTRIES)
    metrics.find.cache_clear()
    yield
    metrics.find.cache_clear()
    sys.modules.pop("own_metrics", None)


@pytest.mark.usefixtures("installed")
def test_metrics_of_installed_packages_are_found_by_name(case: Case) -> None:
    half = metrics.get("half")
    assert (half.title, run(half.plan(case), []).score) == ("half", Score(0.5, 1, 0))
    assert metrics.find("half")
    assert metrics.score("half", "score").bounds == (0.0, 1.0)
    assert isinstance(metrics.get("declared"), Metric)
    assert metrics.names()[-4:] == ("declared", "gone", "half", "number")
    assert metrics.names()[: len(metrics.METRICS)] == tuple(metrics.METRICS)


@pytest.mark.usefixtures("installed")
def test_a_broken_entry_is_one_sentence() -> None:
    with pytest.raises(metrics.UnknownMetric, match="the metric 'gone' cannot be loaded from"):
        metrics.get("gone")
    with pytest.raises(metrics.UnknownMetric, match="3 is no metric: give a name, a Metric"):
        metrics.get("number")
    with pytest.raises(metrics.UnknownMetric, match="did you mean 'half'"):
        metrics.get("halff")
    assert metrics.find("gone") is None
