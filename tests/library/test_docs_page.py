"""The examples of docs/library.md run as they stand, one after the other."""

import re
from pathlib import Path
from typing import Any

import pytest

from hallascope import metrics
from tests.support import ROOT
from tests.support.readings import parse_prompt_readings

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


def examples(title: str) -> list[str]:
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"the page has no section {title!r}"
    return re.findall(r"^```python\n(.*?)^```", section[1], re.MULTILINE | re.DOTALL)


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the examples of a section have defined so far; they keep their store in a folder."""
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return {}


def test_the_example_of_readings_names_the_author(
    known: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    exec(compile(code, "docs/readings.md", "exec"), known)
    assert capsys.readouterr().out == "Ann\n"


def test_the_file_in_the_page_of_readings_is_read_as_it_stands() -> None:
    page = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (reading,) = parse_prompt_readings(text)
    assert (reading.author, len(reading.objects), len(reading.relations)) == ("Ann", 3, 1)


def run(title: str, known: dict[str, Any]) -> None:
    for code in examples(title):
        exec(compile(code, f"docs/library.md: {title}", "exec"), known)


def test_models_are_evaluated_and_shown(known: dict[str, Any]) -> None:
    run("Evaluate models", known)
    assert set(known["table"].model) == {"primer/exact", "plain_red"}
    assert "a gentoo penguin" in known["page"].read_text(encoding="utf-8")


def test_a_function_of_the_page_is_a_metric(
    known: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metrics, "_REGISTERED", {})
    run("A metric of your own", known)
    metrics.find.cache_clear()
    (ihalla, own) = eval(capsys.readouterr().out)
    assert ihalla == ("ihalla", 1.0)
    assert own == ("contrast", pytest.approx(0.875, abs=0.01))


def test_an_image_that_is_there_is_judged(
    known: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run("Judge images that you have", known)
    assert capsys.readouterr().out == "brought\n"


def test_the_shipped_models_are_ranked(
    known: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run("Rank what is stored", known)
    assert known["board"].shipped
    assert "primer/exact" in capsys.readouterr().out


def test_metrics_are_compared_with_people(
    known: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run("Compare metrics with people", known)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [
        ["tifa", name] for name in ("pearson", "spearman", "kendall", "pairwise_accuracy")
    ]
    assert lines[4].endswith(" ()")
