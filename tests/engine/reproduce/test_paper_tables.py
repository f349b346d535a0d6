"""Tables of papers in their own world: counted from the benchmark's files, judged by scripted
models and compared with people.
"""

import statistics
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Answer, Ask, Generate, Generated, Write
from hallascope.data.wordings.packs import AS_PUBLISHED, SHIPPED
from hallascope.data.wordings.templates import template
from hallascope.engine.errors import BadRequest
from hallascope.engine.reproduce.benchmarks import NOT_GRADED, ReplyTrials, reply_cells, run_graders
from hallascope.engine.reproduce.reproduction import assemble_table, counted_cells, swept_cells
from hallascope.engine.reproduce.sweeps import ReproduceOptions, TableJob, plan_sweeps, run_sweeps
from hallascope.engine.reproduce.tables import (
    OurCell,
    ReproducedTable,
    cell_sources,
    find_table,
    with_images,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics.deviations import deviations_of
from tests.data.benchmarks.test_ihalla import write_folder
from tests.support.halo_trials import HEADER
from tests.support.images import png
from tests.support.scripted import Scripted
from tests.support.scripted_models import scripted, serve


def counted(
    name: str, store: Store, data: dict[str, str], benchmark: str = "ihalla"
) -> ReproducedTable:
    paper, table = find_table(benchmark, name)
    options = ReproduceOptions(data=data)
    services = Services(store, read_models())
    job = TableJob(
        table=table,
        sources=cell_sources(table, "paper", services),
        services=services,
        options=options,
    )
    return assemble_table(paper, counted_cells(job), job)


def test_table_2_of_the_authors_files_differs_nowhere(store: Store, tmp_path: Path) -> None:
    write_folder(tmp_path, prompts=100)
    table = counted("2", store, {"ihalla": str(tmp_path)})
    assert [cell.difference for cell in table.cells.values()] == [0.0] * 18
    assert sum(cell.value or 0 for cell in table.cells.values()) == 1000


def test_table_1_has_the_papers_totals_and_counts_images_of_both_types(
    store: Store, tmp_path: Path
) -> None:
    write_folder(tmp_path, prompts=2)
    (tmp_path / "difficulty.csv").write_text(
        "field,data_index,type,difficulty\nScience,1,Factual,easy\nScience,1,Hallucinated,hard\n"
        "Science,2,Factual,easy\n",
        encoding="utf-8",
    )
    table = counted("1", store, {"ihalla": str(tmp_path)})
    totals = [i for i, row in enumerate(table.table.rows) if row.name == "Total"]
    assert [[table.cells[i, j].published.value for j in range(4)] for i in totals] == [
        [160, 16, 24, None],
        [143, 17, 40, None],
    ]
    science = [table.cells[totals[0], j] for j in range(4)]
    assert [cell.value for cell in science] == [2, 0, 1, 4]
    assert (science[0].n, science[0].left_out, science[3].n) == (3, 1, 4)


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
    ours = dict(table.cells)
    assert [ours[1, column].value for column in range(6)] == [2, 3, 5, 0, 0, 5]
    assert ours[0, 0].reason == "The files hold no entry of the split 'train'."
    assert ours[2, 5].reason == ours[0, 0].reason
    write_haloquest(folder, "train", 4)
    table = counted("splits", store, {"haloquest": str(folder)}, "haloquest")
    assert [table.cells[2, column].value for column in range(6)] == [4, 5, 9, 0, 0, 9]
    assert table.cells[1, 5].difference == 5 - 608


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


def fill_table_3(
    store: Store, options: ReproduceOptions, *backends: Scripted
) -> tuple[ReproducedTable, list[str]]:
    """Return table 3 by these models alone, and the texts that its judge, gpt-4o, was sent."""
    judge = Judge()
    judging = scripted("openai/gpt-4o", "judge", judge, CallLimits(1, 1))
    services = serve(store, judging, *backends)
    paper, spec = find_table("ihalla", "table 3")
    sources = cell_sources(spec, "paper", services)
    note = ""
    if options.images:
        sources, note = with_images(spec, sources, options.images)
    job = TableJob(table=spec, sources=sources, services=services, options=options)
    sweeps = plan_sweeps(job)
    for _ in run_sweeps(sweeps, job, lambda message: None):
        pass
    filled = replace(swept_cells(sweeps, job), notes=(note,))
    return assemble_table(paper, filled, job), list(judge.asked)


def draw(request: Generate) -> Generated:
    return Generated(png(f"{request.prompt} {request.seed}"))


@pytest.fixture
def benchmark(tmp_path: Path) -> str:
    """Return the folder of two prompts of each domain."""
    folder = tmp_path / "benchmark"
    folder.mkdir()
    return str(write_folder(folder, prompts=2))


def write_images(benchmark: str, *folders: str) -> None:
    """Write images 1 and 2 into each folder, such as sd-v1-4/science/weird."""
    for name in folders:
        folder = Path(benchmark) / "models" / name
        folder.mkdir(parents=True)
        for number in (1, 2):
            (folder / f"{number}.png").write_bytes(png(f"{name} {number}"))


def test_rows_are_filled_from_the_authors_folder_with_a_judge_alone(
    store: Store, benchmark: str
) -> None:
    write_images(
        benchmark, "sd-v1-4/science/weird", "dalle-3/science/weird", "dalle-3/science/normal"
    )
    options = ReproduceOptions(data={"ihalla": benchmark}, images=benchmark, trials=1)
    table, _ = fill_table_3(store, options)
    science = {row.name: table.cells[i, 0] for i, row in enumerate(table.table.rows)}
    filled = {name: cell.n for name, cell in science.items() if (cell.value or 0) >= 0.8}
    assert filled == {"SD v1.4": 2, "DallE-3": 2, "Factual": 2}
    assert science["SD XL"].reason == "The folder has no images of sdxl-base."
    one, _ = fill_table_3(store, replace(options, sample=1))
    assert one.cells[0, 0].n <= 1
    assert any("sd-v1-4 as sd-v1.4; " in note for note in table.notes)


def test_a_table_of_images_names_its_rows_and_needs_no_list_of_prompts(
    store: Store, tmp_path: Path
) -> None:
    lines = ["prompt,image,model"]
    for number, model in enumerate(("Stable v1-4", "sd-xl", "mine")):
        (tmp_path / f"{number}.png").write_bytes(png(model))
        lines.append(f"a red circle,{number}.png,{model}")
    (tmp_path / "images.csv").write_text("\n".join(lines), encoding="utf-8")
    judge = scripted("blip-vqa-base", "judge", lambda ask: Answer("A", probabilities=(0.75, 0.25)))
    services = serve(store, judge)
    _, spec = find_table("scene-graph", "1")
    options = ReproduceOptions(data={}, images=str(tmp_path))
    sources, note = with_images(spec, cell_sources(spec, "paper", services), options.images)
    job = TableJob(table=spec, sources=sources, services=services, options=options)
    sweeps = plan_sweeps(job)
    assert not sweeps.unplanned
    for _ in run_sweeps(sweeps, job, lambda message: None):
        pass
    row = [line.name for line in spec.rows].index("T2ICompbench")
    cells = swept_cells(sweeps, job).cells
    assert [cells[row, column].value for column in range(3)] == [0.75, None, 0.75]
    assert "mine is in no row" in note


def test_images_of_no_row_are_refused_with_their_names(store: Store, benchmark: str) -> None:
    write_images(benchmark, "mine/science/weird")
    options = ReproduceOptions(data={}, images=benchmark)
    with pytest.raises(BadRequest, match="name the models mine, and none is a row of table 3"):
        fill_table_3(store, options)


@pytest.mark.parametrize(
    "wording, note, is_published",
    [
        ("as-published", "Wording of ihalla: as-published (ihalla_ask).", True),
        ("ours", "Wording of ihalla: ours (ihalla_ask).", False),
    ],
)
def test_the_judge_is_sent_the_published_wording_unless_another_is_chosen_and_the_table_says_so(
    store: Store, benchmark: str, wording: str, note: str, is_published: bool
) -> None:
    options = ReproduceOptions(data={"ihalla": benchmark}, trials=1)
    assert options.wording == AS_PUBLISHED
    table, asked = fill_table_3(
        store, replace(options, wording=wording), scripted("sd-v1.4", "generator", draw)
    )
    first_line = template("ihalla_ask", SHIPPED[AS_PUBLISHED]).text.splitlines()[0]
    assert {text.startswith(first_line) for text in asked} == {is_published}
    assert note in table.notes


def test_domains_stand_apart_with_mean_and_deviation_beside_the_published_number(
    store: Store, benchmark: str
) -> None:
    options = ReproduceOptions(data={"ihalla": benchmark})
    table, _ = fill_table_3(store, options, scripted("sd-v1.4", "generator", draw))
    science, history, strict_science, strict_history = (
        table.cells[0, column] for column in range(4)
    )
    trials = [1.0, 1.0, 0.8]
    assert science.value == pytest.approx(statistics.mean(trials))
    assert science.deviation == pytest.approx(statistics.stdev(trials))
    assert (science.n, science.trials) == (2, 3)
    assert (history.value, history.deviation) == (0.0, 0.0)
    assert strict_science.value == pytest.approx(2 / 3)
    assert strict_history.value == 0.0
    assert (science.published.value, science.published.deviation) == (0.353, 0.002)
    assert science.difference == pytest.approx(statistics.mean(trials) - 0.353)
    row = [line.name for line in table.table.rows].index("SD XL")
    cannot_run = table.cells[row, 0]
    assert (cannot_run.value, cannot_run.published.value) == (None, 0.398)
    assert "cannot run here" in cannot_run.reason
    for deviation in deviations_of("ihalla"):
        words = f"Paper: {deviation.paper} Here: {deviation.ours}"
        assert any(words in note for note in table.notes)


GRADER = "gemini/gemini-1.5-pro"
QUESTIONS = 6


def grade_in_each_form(write: Write) -> str:
    """Grade rightly where the published text asks for main points; else "correct"."""
    if write.schema is None:
        return "correct"
    if "reply_main_point" not in str(write.schema):
        return '{"agree": true}'
    right = 'Model response: "There is no bee."' in write.text
    points = '"reply_main_point": "a", "reference_main_point": "b"'
    return f'{{{points}, "agree": {"true" if right else "false"}}}'


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    store = Store(folder=tmp_path / "home")
    yield serve(store, scripted(GRADER, "writer", grade_in_each_form))
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
    job = TableJob(table=table, sources=sources, services=services, options=options)
    trials = run_graders(job, go, lambda done, of: None)
    cells = reply_cells(job, trials)
    named = {
        (table.rows[i].name, f"{table.columns[j].group} {table.columns[j].name}".strip()): cell
        for (i, j), cell in cells.items()
    }
    return named, trials


def test_replies_are_graded_and_compared_with_people_and_nobody_is_asked_without_go(
    services: Services, options: ReproduceOptions
) -> None:
    cells, _ = fill("figure-3", services, options, go=False)
    assert services.registry.backend(GRADER).requests == 0  # type: ignore[attr-defined]
    assert cells["Auto-Eval", "Over replies Pearson's r"].reason == NOT_GRADED
    assert cells["BLEU", "Over replies Pearson's r"].value is not None
    cells, _ = fill("figure-3", services, options)
    over_replies, over_models = (
        cells["Auto-Eval", "Over replies Pearson's r"],
        cells["ROUGE-L", "Over models Pearson's r"],
    )
    assert over_replies.value == pytest.approx(1)
    assert over_models.value == pytest.approx(1)
    assert (over_replies.n, over_models.n) == (18, 3)
    cells, trials = fill("4", services, options)
    assert cells["Schema with main points", "Agreement"].value == 1
    assert cells["Schema with main points", "Cohen's kappa"].value == pytest.approx(1)
    for crude in ("Text-only prompt", "Simple schema"):
        assert cells[crude, "Agreement"].value == pytest.approx(9 / 18)
        assert cells[crude, "Cohen's kappa"].value == 0
        assert cells[crude, "Pearson's r"].value is None  # it never says "incorrect"
    assert cells["Simple schema", "Agreement"].n == 18
    assert "haloquest-eval.csv:99" in trials.notes[0]
