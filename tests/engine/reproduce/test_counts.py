"""Tables of sizes are counted from the benchmark's own files, and give the published numbers."""

from pathlib import Path

import pytest
from openpyxl import load_workbook

from hallascope.data.models.specs import read_models
from hallascope.engine.errors import BadRequest
from hallascope.engine.reproduce.cells import cell_sources
from hallascope.engine.reproduce.counts import NO_BENCHMARK, NO_CATEGORY, NO_DIFFICULTY
from hallascope.engine.reproduce.judge_trials import NO_HALOQUEST
from hallascope.engine.reproduce.needs import find_table
from hallascope.engine.reproduce.reproduction import assemble_table, counted_cells
from hallascope.engine.reproduce.results import ReproducedTable
from hallascope.engine.reproduce.sweeps import ReproduceOptions
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.data.benchmarks.test_ihalla import write_folder

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


def test_the_columns_by_difficulty_are_counted_from_the_table_of_a_person(
    store: Store, tmp_path: Path
) -> None:
    write_folder(tmp_path, prompts=3)
    book = load_workbook(tmp_path / "captions.xlsx")
    for row, category in enumerate(("category", "Physics", "Physics", "Biology"), 1):
        book["science"].cell(row, 3, category)
    book.save(tmp_path / "captions.xlsx")
    lines = [
        "field,data_index,type,difficulty",
        "Science,1,Factual,easy",
        "Science,1,Hallucinated,hard",
        "science,2,Factual,Easy",
        "Science,3,Hallucinated,medium",
    ]
    (tmp_path / "difficulty.csv").write_text("\n".join(lines), encoding="utf-8")
    table = counted("1", store, {"ihalla": str(tmp_path)})
    rows = {row.name: number for number, row in enumerate(table.rows)}

    def ours(name: str) -> list[float | None]:
        return [table.cells[rows[name], column].ours.value for column in range(4)]

    assert ours("Physics, factual") == [2, 0, 0, 2]
    assert ours("Physics, hallucinated") == [0, 0, 1, 2]
    assert ours("Biology, hallucinated") == [0, 1, 0, 1]
    assert table.cells[rows["Physics, hallucinated"], 0].ours.left_out == 1
    assert table.cells[rows["Biology, factual"], 0].ours.reason == NO_DIFFICULTY


def test_without_the_benchmark_the_published_numbers_stand_alone(store: Store) -> None:
    table = counted("2", store, {})
    assert {cell.ours.reason for cell in table.cells.values()} == {NO_BENCHMARK}
    assert table.cells[0, 0].published.value == 30


def test_a_folder_without_the_benchmark_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="holds no question file of I-HallA"):
        counted("2", store, {"ihalla": str(tmp_path)})


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


def test_without_haloquest_each_cell_says_what_to_name(store: Store) -> None:
    table = counted("splits", store, {}, "haloquest")
    assert {cell.ours.reason for cell in table.cells.values()} == {NO_HALOQUEST}
