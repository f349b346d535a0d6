"""Tests what `hallascope reproduce` prints; what it computes is tested in the engine."""

import csv
import io
import re
import shlex
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import read_models
from tests.cli.conftest import assert_refused

MODELS = read_models()
SDXL, FLUX = (MODELS[name].memory_gb for name in ("sdxl-base", "flux-dev"))
DOCS = Path(__file__).parents[3] / "docs" / "reproduce.md"


def test_the_list_says_of_every_table_whether_it_runs(command: Any) -> None:
    result = command("reproduce", "list")
    assert result.code == 0
    lines = {tuple(line.split()[:2]): line for line in result.out.splitlines()}
    assert len(lines) == 25  # a head and 24 tables
    ends = {
        ("ihalla", "2"): "runs",
        ("ihalla", "3"): f"and a GPU of {SDXL:g} GB; dall-e-3 was shut down on 2026-05-12",
        ("fig", "1"): f"runs with a GPU of {FLUX:g} GB",
        ("ihalla", "figure-5"): "runs with a key and ratings by people",
        ("haloquest", "3"): "--judge NAME judges in its place and is printed so",
    }
    assert "gpt-4-turbo was shut down on 2026-10-23" in lines["haloquest", "3"]
    assert [table for table, end in ends.items() if not lines[table].endswith(end)] == []
    drawn = {table for table, line in lines.items() if "drawn, or --images" in line}
    assert drawn >= {("ihalla", "3"), ("ihalla", "4"), ("fig", "1"), ("factualbench", "3")}
    assert " --images " in lines["ihalla", "figure-5"]
    assert not drawn & {
        ("ihalla", "figure-5"),
        ("ihalla", "1"),
        ("haloquest", "3"),
        ("scene-graph", "2"),
    }
    assert "not, because the figure shows images" in lines["ihalla", "figure-6"]


def test_without_go_it_says_what_is_needed_and_prints_the_published_numbers(command: Any) -> None:
    said = {
        ("ihalla", "3"): (
            "keys: OPENAI_API_KEY",
            f"GPU memory: {SDXL:g} GB",
            "published at https://sgt-lim.github.io/I-HallA",
            "0.353 ± 0.002",
        ),
        ("haloquest", "5"): ("not reproduced: The weights of the tuned models",),
        ("haloquest", "figure-3"): ("(--ratings FILE)", "--data haloquest=PATH"),
    }
    for table, words in said.items():
        result = command("reproduce", *table)
        assert result.code == 0
        assert [each for each in words if each not in result.out] == []


def test_csv_stands_alone_on_standard_output(command: Any) -> None:
    result = command("reproduce", "ihalla", "2", "--world", "primer", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [row["published"] for row in rows] == [""] * 18
    assert "I-HallA, table 2" in result.err


def test_the_docs_show_what_the_command_prints(command: Any, tmp_path: Path) -> None:
    """On a file with as many entries of each kind as HaloQuest's evaluation set has."""
    kinds = [
        *["false premises"] * 304,
        *["visual challenge"] * 183,
        *["insufficient context"] * 121,
    ]
    lines = [
        "image name,url,image type,hallucination type,question,groundtruth responses,split",
        *(
            f"{number}.png,,{'real' if number < 217 else 'generated'},{kind},Which hat?,None,eval"
            for number, kind in enumerate(kinds)
        ),
    ]
    file = tmp_path / "haloquest-eval.csv"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    (line,) = [block for block in blocks if block.startswith("hallascope reproduce haloquest")]
    (shown,) = [block for block in blocks if block.startswith("HaloQuest, table splits")]
    words = shlex.split(line)[1:]
    assert words[-1] == f"haloquest={file.name}"
    result = command(*words[:-1], f"haloquest={file}")
    assert (result.code, shown.strip() in result.out) == (0, True)


def test_the_primer_world_takes_no_other_judge(command: Any) -> None:
    primer = ("reproduce", "ihalla", "2", "--world", "primer")
    assert_refused(command, ((*primer, "--judge", "scripted/judge"), "leave --judge or"))


def test_a_judge_in_place_of_one_that_was_shut_down_is_named_in_the_table(command: Any) -> None:
    result = command("reproduce", "ihalla", "4", "--judge", "primer/judge")
    assert result.code == 0
    assert "primer/judge is the judge in place of openai/gpt-4-turbo" in result.out
    assert "2026-10-23" in result.out
    assert "Stand-ins: primer/judge for instructblip-vicuna-7b; primer/judge for" in result.out
