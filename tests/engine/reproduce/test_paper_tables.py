"""Tables of papers in their own world: counted from the benchmark's files, judged by scripted
models and compared with people.
"""

import statistics
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from bench.support.images import png
from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Ask, Generate, Generated, Write
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.reproduce.cells import cell_sources
from hallascope.engine.reproduce.counts import NO_CATEGORY
from hallascope.engine.reproduce.needs import find_table
from hallascope.engine.reproduce.replies import (
    NOT_GRADED,
    ReplyTrials,
    reply_cells,
    run_graders,
)
from hallascope.engine.reproduce.reproduction import assemble_table, counted_cells, swept_cells
from hallascope.engine.reproduce.results import OurCell, ReproducedTable
from hallascope.engine.reproduce.sweeps import ReproduceOptions, plan_sweeps, run_sweeps
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.data.benchmarks.test_ihalla import write_folder
from tests.support.halo_trials import HEADER

RELEASED = Path(__file__).parents[3] / "shared" / "benchmarks" / "haloquest-eval.csv"


def counted(
    name: str, store: Store, data: dict[str, str], benchmark: str = "ihalla"
) -> ReproducedTable:
    paper, table = find_table(benchmark, name)
    options = ReproduceOptions(data=data)
    services = Services(store, read_models())
    filled = counted_cells(table, cell_sources(table, "paper", services), options)
    return assemble_table(paper, table, filled, options)


def test_table_2_of_the_authors_files_differs_nowhere(store: Store, tmp_path: Path) -> None:
    write_folder(tmp_path, prompts=100)
    table = counted("2", store, {"ihalla": str(tmp_path)})
    assert [cell.difference for cell in table.cells.values()] == [0.0] * 18
    assert sum(cell.ours.value or 0 for cell in table.cells.values()) == 1000


def test_table_1_says_what_the_authors_files_do_not_hold(store: Store, tmp_path: Path) -> None:
    write_folder(tmp_path, prompts=2)
    table = counted("1", store, {"ihalla": str(tmp_path)})
    total = len(table.columns) - 1
    assert table.cells[0, total].ours.reason == NO_CATEGORY
    assert table.cells[0, 0].ours.reason == NO_CATEGORY
    assert table.cells[0, total].published.value == 33


def write_haloquest(folder: Path, split: str, rows: int) -> None:
    """Write a file of HaloQuest whose questions stand on generated and on real images in turn."""
    folder.mkdir(exist_ok=True)
    lines = []
    for number in range(rows):
        image_type = ("generated", "real")[number % 2]
        cells = [
            number,
            f"{split}-{number}.png",
            "",
            image_type,
            "false premises",
            "Which hat?",
            "None",
        ]
        lines.append(",".join(map(str, [*cells, split])))
    text = "\n".join([HALOQUEST_HEADER, *lines, ""])
    (folder / f"haloquest-{split}.csv").write_text(text, encoding="utf-8")


HALOQUEST_HEADER = (
    ",image_name,url,image type,hallucination type,question,groundtruth responses,split"
)


def test_entries_of_haloquest_are_counted_by_split_and_kind(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "haloquest"
    write_haloquest(folder, "eval", 5)
    table = counted("splits", store, {"haloquest": str(folder)}, "haloquest")
    ours = {place: cell.ours for place, cell in table.cells.items()}
    assert [ours[1, column].value for column in range(6)] == [2, 3, 5, 0, 0, 5]
    assert ours[0, 0].reason == "The files hold no entry of the split 'train'."
    assert ours[2, 5].reason == ours[0, 0].reason
    write_haloquest(folder, "train", 4)
    table = counted("splits", store, {"haloquest": str(folder)}, "haloquest")
    assert [table.cells[2, column].ours.value for column in range(6)] == [4, 5, 9, 0, 0, 9]
    assert table.cells[1, 5].difference == 5 - 608


@pytest.mark.skipif(not RELEASED.exists(), reason="the released file is not here")
def test_the_released_evaluation_set_differs_nowhere_from_its_readme(store: Store) -> None:
    table = counted("splits", store, {"haloquest": str(RELEASED)}, "haloquest")
    assert [table.cells[1, column].difference for column in range(6)] == [0.0] * 6


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


GRADER = "gemini/gemini-1.5-pro"
TERMS = SpendingPolicy()
QUESTIONS = 6


def grade_in_each_form(write: Write) -> str:
    """Grade rightly where the main points are asked for, and always "correct" elsewhere."""
    if write.schema is None:
        return "correct"
    if "reply_main_point" not in str(write.schema):
        return '{"agree": true}'
    right = 'Reply: "There is no bee."' in write.text
    points = '"reply_main_point": "a", "reference_main_point": "b"'
    return f'{{{points}, "agree": {"true" if right else "false"}}}'


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    spec = ModelSpec(id=GRADER, title="Gemini", roles=("writer",), backend="scripted")
    store = Store(folder=tmp_path / "home")
    yield Services(store, read_models(), {GRADER: Scripted(spec, grade_in_each_form)})
    store.close()


@pytest.fixture
def options(tmp_path: Path) -> ReproduceOptions:
    """Return HaloQuest rows with replies of three models, of which one is right less and less."""
    table = tmp_path / "haloquest-eval.csv"
    table.write_text(
        HEADER
        + "".join(
            f"{n},{n}.png,https://b.example/{n}.png,real,false premises,"
            f"Where is bee {n}?,There is no bee.,eval\n"
            for n in range(QUESTIONS)
        ),
        encoding="utf-8",
    )
    lines = ["item,reply,value,model"]
    for model, right in (("good", 5), ("fair", 3), ("poor", 1)):
        for n in range(QUESTIONS):
            reply = "There is no bee." if n < right else "It is there."
            lines.append(f"haloquest-eval.csv:{n + 2},{reply},{int(n < right)},{model}")
    lines.append("haloquest-eval.csv:99,x,1,good")
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("\n".join(lines), encoding="utf-8")
    return ReproduceOptions(data={"haloquest": str(table)}, ratings=ratings)


def fill(
    name: str, services: Services, options: ReproduceOptions, go: bool = True
) -> tuple[dict[tuple[str, str], OurCell], ReplyTrials]:
    """Return the cells by the names of their row and column, the latter with its group."""
    _, table = find_table("haloquest", name)
    sources = cell_sources(table, options.world, services)
    trials = run_graders(sources, services, options, TERMS, Event(), go, lambda done, of: None)
    cells = reply_cells(table, sources, trials, services, options, TERMS)
    named = {
        (table.rows[i].name, f"{table.columns[j].group} {table.columns[j].name}".strip()): cell
        for (i, j), cell in cells.items()
    }
    return named, trials


def test_the_implementations_of_auto_eval_agree_with_people_as_far_as_they_do(
    services: Services, options: ReproduceOptions
) -> None:
    cells, trials = fill("4", services, options)
    assert cells["Schema with main points", "Agreement"].value == 1
    assert cells["Schema with main points", "Cohen's kappa"].value == pytest.approx(1)
    for crude in ("Text-only prompt", "Simple schema"):
        assert cells[crude, "Agreement"].value == pytest.approx(9 / 18)
        assert cells[crude, "Cohen's kappa"].value == 0
        assert cells[crude, "Pearson's r"].value is None  # it never says "incorrect"
    assert cells["Simple schema", "Agreement"].n == 18
    assert "haloquest-eval.csv:99" in trials.notes[0]


def test_scores_of_replies_correlate_over_replies_and_over_models(
    services: Services, options: ReproduceOptions
) -> None:
    cells, _ = fill("figure-3", services, options)
    assert cells["Auto-Eval", "Over replies Pearson's r"].value == pytest.approx(1)
    assert cells["Auto-Eval", "Over replies Pearson's r"].n == 18
    assert cells["ROUGE-L", "Over models Pearson's r"].value == pytest.approx(1)
    assert cells["ROUGE-L", "Over models Pearson's r"].n == 3


def test_without_go_nobody_is_asked_and_the_words_are_compared_anyway(
    services: Services, options: ReproduceOptions
) -> None:
    cells, _ = fill("figure-3", services, options, go=False)
    assert services.registry.backend(GRADER).requests == 0  # type: ignore[attr-defined]
    assert cells["Auto-Eval", "Over replies Pearson's r"].reason == NOT_GRADED
    assert cells["BLEU", "Over replies Pearson's r"].value is not None
