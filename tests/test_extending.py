"""The examples of docs/extending.md run as they stand."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hallascope import metrics
from hallascope.backends.base import Judge
from hallascope.cli import main
from hallascope.cli.commands.leaderboard import leaderboard_text
from hallascope.components.cards.cards import tile_card
from hallascope.data.benchmarks import prompt_lists
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Score
from hallascope.data.requests import Answer, Ask
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.leaderboard import demo
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Query
from hallascope.metrics.base import Metric
from hallascope.pages.leaderboard import view as leading
from hallascope.pages.leaderboard.choice import LeaderboardChoice
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.handlers import evidence
from hallascope.primer import contact_sheet
from hallascope.primer.drawing.svg_files import BadDrawing
from hallascope.primer.fact_tables import read_concepts
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


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """VQAScore of the page as one file and one line: its module, and its entry in `METRICS`."""
    module = ran(examples("A metric that is one number")[0], "metrics.vqascore")
    monkeypatch.setitem(sys.modules, "metrics.vqascore", module)
    monkeypatch.setitem(metrics.METRICS, "vqascore", "metrics.vqascore:metric")
    metrics.find.cache_clear()
    yield module
    metrics.find.cache_clear()


def test_the_metric_of_one_number_passes_its_own_test() -> None:
    code, own_test = examples("A metric that is one number")
    module = ran(code, "vqascore")
    ran(own_test, "test_vqascore", plan=module.plan, Score=Score, WORDS_ALONE=module.WORDS_ALONE)


def yes(request: Any) -> Answer:
    """Be surer of a picture of methane than of any other."""
    assert request.choices == ("Yes", "No")
    chance = 0.9 if "methane" in request.question else 0.3
    return Answer("Yes" if chance > 0.5 else "No", probabilities=(chance, 1 - chance))


def test_a_registered_metric_is_shown_ranked_and_exported_without_another_line(
    registered: ModuleType, make_services: Any, tmp_path: Path
) -> None:
    services = make_services(yes)
    views_of_runs = []
    for prompt in ("a molecule of methane", "a ladybug"):
        request = EvaluateRequest(prompt=prompt, models=("primer/exact",), metrics=("vqascore",))
        run = [event.run for event in services.evaluate(request)][-1]
        views_of_runs.append(services.view(run))
    view = views_of_runs[0]

    (tile,) = run_pictures.tiles(view)
    panel = evidence(services, view.run, tile.key)
    assert "VQAScore 0.900" in tile.alt_text
    assert "VQAScore" in tile_card(tile)
    assert '<h2>Probability of yes</h2><p class="value">0.900</p>' in panel
    assert "from 0 to 1" in panel
    assert not [words for words in ("not judged yet", "0 of 0") if words in tile_card(tile) + panel]

    found = board(services.store, Query("vqascore"))
    (row,) = found.rows
    assert row.value is not None
    assert row.low is not None
    assert row.high is not None
    assert row.value == pytest.approx(0.6)
    assert (row.n, found.title) == (2, "Probability of yes")
    assert 0 <= row.low <= row.value <= row.high <= 1
    shown = leading.leaderboard_view(services, LeaderboardChoice(metric="vqascore"))
    assert "VQAScore: Probability of yes" in shown.table
    assert "0.60" in shown.table
    printed = leaderboard_text(
        found, demo.leaderboard_source(services.store), published=False, compared=None
    )
    assert "probability of yes" in printed

    source = ExportSource(services=services, runs=[one.run for one in views_of_runs])
    export(source, "every-eval-ever", tmp_path / "eee")
    results = [
        result
        for file in (tmp_path / "eee").rglob("*.json")
        for result in json.loads(file.read_text("utf-8"))["evaluation_results"]
    ]
    assert {result["metric_config"]["metric_name"] for result in results} == {
        "VQAScore: Probability of yes"
    }
    assert {result["metric_config"]["max_score"] for result in results} == {1.0}
    assert [result["score_details"]["score"] for result in results] == [pytest.approx(0.6)]


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
    spec = ModelSpec(id="my/yes", title="Yes", roles=("judge",), backend="yes")
    judge = kind(spec)
    assert isinstance(judge, Judge)
    assert kind.check(spec) is None
    assert judge.ask([Ask(images=(), text="Is it?", question="Is it?")] * 2) == [Answer("Yes")] * 2


def test_the_command_of_the_page_counts_the_runs(
    services: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ran(examples("A command")[0], "hallascope.cli.commands.count")
    monkeypatch.setattr(module, "create_services", lambda: services)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(main.COMMANDS, "count", ("count:count", "Count the runs of the store."))
    with pytest.raises(SystemExit):
        main.main(["count", "--json"])
    assert json.loads(capsys.readouterr().out) == {"runs": 0}


@pytest.mark.full
def test_the_page_of_the_page_can_be_laid_out(tmp_path: Path) -> None:
    """In a process of its own, since Gradio leaves a loop open where an app is laid out and never
    started.
    """
    (tmp_path / "counts.py").write_text(examples("A page")[0], encoding="utf-8")
    code = (
        "import counts, gradio as gr\n"
        "from hallascope.pages.shared.context import CurrentRun, OpenPage, PageContext\n"
        "with gr.Blocks() as demo, gr.Tab(counts.TITLE) as tab:\n"
        "    run, pages = gr.State(CurrentRun()), OpenPage('counts')\n"
        "    context = PageContext(demo, tab, run, pages.add('counts'), None, pages)\n"
        "    counts.build(None, context)\n"
        "print(len(demo.fns), counts.count(None, CurrentRun()))"
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
    assert done.stdout == "1 <p>Generate images on the Evaluate tab first.</p>\n", done.stderr


def test_what_the_page_of_the_page_says_of_a_run_that_is_not_there_is_a_sentence(
    services: Any,
) -> None:
    module = ran(examples("A page")[0], "counts")
    assert "nowhere" in module.count(services, module.CurrentRun("nowhere"))


def test_the_contact_sheet_of_the_page_refuses_a_value_that_changes_nothing(tmp_path: Path) -> None:
    (drawing,), (table,) = (examples("A concept of Primer", kind) for kind in ("xml", "toml"))
    (tmp_path / "facts.toml").write_text(table, encoding="utf-8")
    (tmp_path / "fly_agaric.svg").write_text(drawing, encoding="utf-8")
    (concept,) = read_concepts(tmp_path / "facts.toml", "plant")
    assert len(contact_sheet.rows(concept, 32)) == 3 + sum(len(f.violations) for f in concept.facts)
    same = drawing.replace('data-when="ring=skirt"', 'data-when="ring=skirt|none"')
    (tmp_path / "fly_agaric.svg").write_text(same, encoding="utf-8")
    (concept,) = read_concepts(tmp_path / "facts.toml", "plant")
    with pytest.raises(BadDrawing, match="ring=none changes nothing"):
        contact_sheet.rows(concept, 32)


def test_the_benchmark_of_the_page_reads_a_file_and_names_the_row_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (declared,) = examples("A benchmark", "toml")
    birds = prompt_lists.PromptBenchmark(**tomllib.loads(declared)["birds"])
    monkeypatch.setattr(prompt_lists, "prompt_benchmarks", lambda: {"birds": birds})
    (tmp_path / "birds.csv").write_text(
        "description,size\na robin,small\n,small\nan eagle,\n", encoding="utf-8"
    )
    found = prompt_lists.read_prompt_list("birds", tmp_path / "birds.csv")
    assert [(one.prompt, one.category) for one in found.prompts] == [
        ("a robin", "small"),
        ("an eagle", None),
    ]
    assert len(found.complaints) == 1
    assert "left out" in str(found.complaints[0])
