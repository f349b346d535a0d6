"""The examples of docs/extending.md run as they stand: a metric, models, a page, a benchmark."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hallascope.backends.base import Judge
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Answer, Ask
from hallascope.metrics.base import Metric
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def examples(title: str, language: str = "python") -> list[str]:
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"the page has no section {title!r}"
    return re.findall(rf"^```{language}\n(.*?)^```", section[1], re.MULTILINE | re.DOTALL)


def ran(code: str, name: str, **known: Any) -> Any:
    """The module that the example is."""
    module = ModuleType(name)
    vars(module).update(known)
    exec(compile(code, f"docs/extending.md: {name}", "exec"), vars(module))
    return module


def test_the_metric_of_the_page_is_one_and_its_own_test_passes() -> None:
    code, own_test = examples("A metric")
    module = ran(code, "unwritten")
    assert isinstance(module.metric(), Metric)
    ran(own_test, "test_unwritten", plan=module.plan, Score=module.Score)


def test_the_models_of_the_page_can_be_read_beside_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (entries,) = examples("A model", "yaml")
    (tmp_path / "models.yaml").write_text(entries, encoding="utf-8")
    monkeypatch.setenv("HALLASCOPE_MODELS", str(tmp_path / "models.yaml"))
    models = read_models()
    assert models["my/painter"].settings == {"steps": 1, "guidance": 0.0}
    assert models["my/server/*"].family
    assert "primer/judge" in models


def test_the_backend_of_the_page_is_a_judge() -> None:
    (code,) = examples("A model")
    kind = ran(code, "yes").Yes
    spec = ModelSpec("my/yes", "Yes", ("judge",), "yes")
    judge = kind(spec)
    assert isinstance(judge, Judge)
    assert kind.check(spec) is None
    assert judge.ask([Ask((), "Is it?", "Is it?")] * 2) == [Answer("Yes")] * 2


def test_the_page_of_the_page_can_be_laid_out(tmp_path: Path) -> None:
    """In a process of its own, since Gradio leaves a loop open where an app is laid out and never
    started.
    """
    (tmp_path / "counts.py").write_text(examples("A page")[0], encoding="utf-8")
    code = (
        "import counts, gradio as gr; from hallascope.pages.shared.context import Current, Place\n"
        "with gr.Blocks() as demo, gr.Tab(counts.TITLE) as tab: counts.build(None, Place(demo, tab, gr.State(Current()), None))\n"
        "print(len(demo.fns), counts.said(None, Current()))"
    )
    python_path = os.pathsep.join((str(tmp_path), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": python_path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "1 Generate pictures on the Explore tab first.\n", done.stderr


def test_what_the_page_of_the_page_says_of_a_run_that_is_not_there_is_a_sentence(
    services: Any,
) -> None:
    module = ran(examples("A page")[0], "counts")
    assert "nowhere" in module.said(services, module.Current("nowhere"))


def test_the_benchmark_of_the_page_reads_a_file_and_names_the_row_that_is_wrong(
    tmp_path: Path,
) -> None:
    (code,) = examples("A benchmark")
    (tmp_path / "birds.csv").write_text(
        "prompt,category\na robin,small\n,small\nan eagle,\n", encoding="utf-8"
    )
    found = ran(code, "birds").read_birds(tmp_path / "birds.csv")
    assert [(one.prompt, one.category) for one in found.prompts] == [
        ("a robin", "small"),
        ("an eagle", None),
    ]
    assert len(found.complaints) == 1
    assert "left out" in str(found.complaints[0])
