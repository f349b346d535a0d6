"""The paper's own world, with scripted models under the paper's names: domains, trials, units."""

import statistics
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from bench.support.images import png
from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Ask, Generate, Generated
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import cell_sources
from hallascope.engine.reproduce.needs import find_table
from hallascope.engine.reproduce.reproduction import assemble_table, swept_cells
from hallascope.engine.reproduce.results import ReproducedTable
from hallascope.engine.reproduce.sweeps import ReproduceOptions, plan_sweeps, run_sweeps
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.data.benchmarks.test_ihalla import write_folder

TERMS = SpendingPolicy()


def scripted(name: str, role: Any, script: Any) -> Scripted:
    spec = ModelSpec(id=name, title=name, roles=(role,), backend="scripted")
    return Scripted(spec, script, limits=CallLimits(1, 1))


class Judge:
    """Answers science rightly in trials 1 and 2 alone, and history never."""

    def __init__(self) -> None:
        self.asked: dict[str, int] = {}

    def __call__(self, ask: Ask) -> str:
        before = self.asked.get(ask.text, 0)
        self.asked[ask.text] = before + 1
        number = int(ask.text.partition("Question ")[2][0])
        right = "ABCD"[number % 4]
        if "Science" in ask.text and (before < 2 or number):
            return right
        return "E"


@pytest.fixture
def table(store: Store, tmp_path: Path) -> ReproducedTable:
    """Return table 3 for SD v1.4 alone on two prompts of each domain; its judge is gpt-4o."""
    folder = tmp_path / "benchmark"
    folder.mkdir()
    write_folder(folder, prompts=2)

    def draw(request: Generate) -> Generated:
        return Generated(png(f"{request.prompt} {request.seed}"))

    backends = {
        "sd-v1.4": scripted("sd-v1.4", "generator", draw),
        "openai/gpt-4o": scripted("openai/gpt-4o", "judge", Judge()),
    }
    services = Services(store, read_models(), backends)
    paper, spec = find_table("ihalla", "table 3")
    options = ReproduceOptions(data={"ihalla": str(folder)})
    sources = cell_sources(spec, "paper", services)
    sweeps = plan_sweeps(spec, sources, services, options, TERMS)
    for _ in run_sweeps(sweeps, services, TERMS, Event(), lambda message: None):
        pass
    return assemble_table(paper, spec, swept_cells(spec, sweeps, services, options), options)


def test_domains_stand_apart_with_mean_and_deviation_over_three_trials(
    table: ReproducedTable,
) -> None:
    science, history, strict_science, strict_history = (
        table.cells[0, column] for column in range(4)
    )
    trials = [1.0, 1.0, 0.8]
    assert science.ours.value == pytest.approx(statistics.mean(trials))
    assert science.ours.deviation == pytest.approx(statistics.stdev(trials))
    assert (science.ours.n, science.ours.trials) == (2, 3)
    assert (history.ours.value, history.ours.deviation) == (0.0, 0.0)
    assert strict_science.ours.value == pytest.approx(2 / 3)
    assert strict_history.ours.value == 0.0


def test_the_difference_is_ours_less_the_published_number(table: ReproducedTable) -> None:
    cell = table.cells[0, 0]
    assert (cell.published.value, cell.published.deviation) == (0.353, 0.002)
    assert cell.difference == pytest.approx((1 + 1 + 0.8) / 3 - 0.353)


def test_a_row_whose_model_cannot_run_keeps_its_published_number(table: ReproducedTable) -> None:
    row = next(number for number, row in enumerate(table.rows) if row.name == "SD XL")
    cell = table.cells[row, 0]
    assert cell.ours.value is None
    assert "cannot run here" in cell.ours.reason
    assert cell.published.value == 0.398


def test_images_that_nobody_brought_are_said_to_be_missing(table: ReproducedTable) -> None:
    row = next(number for number, row in enumerate(table.rows) if row.name == "Factual")
    assert table.cells[row, 0].ours.value is None
    assert "bring them with hallascope judge" in table.cells[row, 0].ours.reason
