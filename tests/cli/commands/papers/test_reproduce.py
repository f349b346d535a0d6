"""Tests what `hallascope reproduce` prints; what it computes is tested in the engine."""

import csv
import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import read_models
from tests.data.benchmarks.test_ihalla import write_folder

MODELS = read_models()
SDXL, FLUX = (MODELS[name].memory_gb for name in ("sdxl-base", "flux-dev"))
DOCS = Path(__file__).parents[4] / "docs" / "reproduce.md"


def test_the_list_says_of_every_table_whether_it_runs(command: Any) -> None:
    result = command("reproduce", "list")
    assert result.code == 0
    lines = {tuple(line.split()[:2]): line for line in result.out.splitlines()}
    assert len(lines) == 25  # a head and 24 tables
    assert lines["ihalla", "2"].endswith("runs")
    assert lines["ihalla", "3"].endswith(f"runs with a key and a GPU of {SDXL:g} GB")
    assert "not, because the figure shows images" in lines["ihalla", "figure-6"]
    assert lines["fig", "1"].endswith(f"runs with a GPU of {FLUX:g} GB")
    assert lines["factualbench", "4"].endswith("ratings by people")
    assert lines["haloquest", "figure-3"].endswith("runs with a key and ratings by people")


def test_without_go_it_says_what_is_needed_and_prints_the_published_numbers(command: Any) -> None:
    result = command("reproduce", "ihalla", "3")
    assert result.code == 0
    assert "keys: OPENAI_API_KEY" in result.out
    assert f"GPU memory: {SDXL:g} GB" in result.out
    assert "published at https://sgt-lim.github.io/I-HallA" in result.out
    assert "0.353 ± 0.002" in result.out


def test_a_table_of_sizes_is_compared_with_the_published_one(command: Any, tmp_path: Path) -> None:
    write_folder(tmp_path, prompts=100)
    out = tmp_path / "table.csv"
    result = command(
        *("reproduce", "ihalla", "table 2", "--data", f"ihalla={tmp_path}"),
        *("--format", "csv", "--out", out),
    )
    assert result.code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert len(rows) == 18
    assert {row["difference"] for row in rows} == {"0"}


def write_evaluation_set(file: Path) -> Path:
    """Write a file with as many entries of each kind as HaloQuest's evaluation set has."""
    hallucinations = [
        *["false premises"] * 304,
        *["visual challenge"] * 183,
        *["insufficient context"] * 121,
    ]
    lines = [
        "image name,url,image type,hallucination type,question,groundtruth responses,split",
        *(
            f"{number}.png,,{'real' if number < 217 else 'generated'},{kind},Which hat?,None,eval"
            for number, kind in enumerate(hallucinations)
        ),
    ]
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return file


def test_the_docs_show_what_the_command_prints(command: Any, tmp_path: Path) -> None:
    blocks = re.findall(r"^```\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    (line,) = [block for block in blocks if block.startswith("hallascope reproduce haloquest")]
    (shown,) = [block for block in blocks if block.startswith("HaloQuest, table splits")]
    file = write_evaluation_set(tmp_path / "haloquest-eval.csv")
    words = shlex.split(line)[1:]
    assert words[-1] == f"haloquest={file.name}"
    result = command(*words[:-1], f"haloquest={file}")
    assert result.code == 0
    assert shown.strip() in result.out


def test_csv_stands_alone_on_standard_output(command: Any) -> None:
    result = command("reproduce", "ihalla", "2", "--world", "primer", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert len(rows) == 18
    assert {row["published"] for row in rows} == {""}
    assert "I-HallA, table 2" in result.err


def test_what_is_not_reproduced_has_its_reason(command: Any) -> None:
    result = command("reproduce", "haloquest", "5")
    assert result.code == 0
    assert "This table is not reproduced: The weights of the tuned models" in result.out


def test_a_table_of_replies_says_which_table_of_verdicts_it_needs(command: Any) -> None:
    result = command("reproduce", "haloquest", "figure-3")
    assert result.code == 0
    assert "ratings: a table `item, reply, value` of people (--ratings FILE)" in result.out
    assert "Empty cells: Name HaloQuest's file or folder with --data haloquest=PATH." in result.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("nobody", "1"), "There is no paper 'nobody': choose factualbench, fig,"),
        (("fig", "9"), "FiG has no table '9' here: choose 1, 2, 3, 4."),
        (("fig", "1", "--world", "mars"), "There is no world 'mars': choose paper or primer."),
        (("fig", "1", "--format", "pdf"), "There is no format 'pdf'"),
        (("fig", "1", "--data", "coco"), "'coco' names no data: write it as ihalla=FOLDER."),
        (("fig", "1", "--data", "ihalla=x"), "this table uses coco, drawbench."),
    ],
)
def test_a_wrong_request_is_one_sentence(
    command: Any, arguments: tuple[str, ...], problem: str
) -> None:
    result = command("reproduce", *arguments)
    assert result.code == 2
    assert problem in result.err
    assert len(result.err.strip().splitlines()) == 1
