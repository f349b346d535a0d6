"""`hallascope judge`: folders in published layouts are judged, ranked and exported."""

import csv
import re
import shlex
from pathlib import Path
from typing import Any

from tests.cli.conftest import assert_refused
from tests.support.image_folders import (
    PROMPTS,
    write,
    write_compbench,
    write_drawbench,
    write_geneval,
)

JUDGE = ("--judge", "scripted/judge")
DOCS = Path(__file__).parents[3] / "docs" / "images.md"


def documented_commands() -> list[list[str]]:
    """Return the words of the first commands of the page, without `hallascope`."""
    (first, *_) = re.findall(r"^```\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    lines = [shlex.split(line, comments=True) for line in first.splitlines()]
    return [words[1:] for words in lines if words and words[0] == "hallascope"]


def test_the_three_commands_of_the_docs_judge_rank_and_export_three_layouts(
    command: Any, tmp_path: Path
) -> None:
    judge, leaderboard, export = documented_commands()
    assert [judge[0], leaderboard[0], export[0]] == ["judge", "leaderboard", "export"]
    folders: dict[str, object] = {
        "t2i": write_compbench(tmp_path / "t2i"),
        "geneval": write_geneval(tmp_path / "geneval"),
        "drawn": write_drawbench(tmp_path / "drawn"),
    }
    sweeps = []
    for name, folder in folders.items():
        values: dict[str, object] = {"outputs/": folder, "dalle-3": name}
        done = command(*(values.get(word, word) for word in judge))
        assert (done.code, done.err) == (0, "")
        sweeps += re.findall(r"^sweep (\w+)", done.out, re.M)
    rows = command(*leaderboard, "--json").json["rows"]
    assert {row["model"]: row["n"] for row in rows} == dict.fromkeys(folders, len(PROMPTS))
    out = tmp_path / "results"
    values = {"SWEEP": ",".join(sweeps), "results": out}
    assert command(*(values.get(word, word) for word in export)).code == 0
    with (out / "evaluations.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert {(row["model"], row["metric"]) for row in written} == {
        (name, metric) for name in folders for metric in ("ihalla", "tifa")
    }
    assert {row["origin_layout"] for row in written} == {"t2i-compbench", "geneval", "drawbench"}


def test_it_says_what_was_detected_what_is_new_and_how_to_go_on(
    command: Any, tmp_path: Path
) -> None:
    folder = write_drawbench(tmp_path / "images")
    done = command("judge", folder, "--as", "dalle-3", *JUDGE)
    assert done.out.startswith("Layout drawbench (detected).")
    assert "Images: 3 new, 0 stored before, 0 left out." in done.out
    assert "hallascope leaderboard --metric ihalla" in done.out
    again = command("judge", folder, "--as", "dalle-3", *JUDGE)
    assert "Images: 0 new, 3 stored before, 0 left out." in again.out


def test_what_cannot_be_matched_or_answered_is_listed_and_is_a_failure(
    command: Any, tmp_path: Path
) -> None:
    folder = write_geneval(tmp_path / "images", PROMPTS[:1], samples=1)
    write(folder / "00000" / "samples" / "0009.png", "no image")
    done = command("judge", folder, "--as", "dalle-3", "--judge", "scripted/down")
    assert done.code == 1
    assert "left out: 00000/samples/0009.png: The file '0009.png' is not an image" in done.out
    assert "failed: It did not answer: ask again. (5 times)" in done.out
    listed = command("judge", folder, "--as", "dalle-3", *JUDGE, "--json")
    assert (listed.code, listed.json["known"]) == (1, {"dalle-3": 1})
    assert [entry["name"] for entry in listed.json["unmatched"]] == ["00000/samples/0009.png"]


def test_a_wrong_request_is_one_sentence_and_stores_nothing(command: Any, tmp_path: Path) -> None:
    judge = ("judge", write_geneval(tmp_path / "images"))
    assert_refused(
        command,
        (judge, "Add --as NAME."),
        ((*judge, "--as", "primer/exact"), "--allow-registered"),
        ((*judge, "--as", "x", "--layout", "imagenet"), "There is no layout 'imagenet'"),
        ((*judge, "--as", "x", "--metric", "nonsense"), "nonsense"),
        ((*judge, "--as", "x", "--judge", "nobody"), "There is no model 'nobody'"),
    )
    assert command("runs", "show", "--json").json["total"] == 0
    allowed = command(*judge, "--as", "primer/exact", "--allow-registered", *JUDGE)
    assert allowed.code == 0
    rows = command("leaderboard", "--json").json["rows"]
    assert [row["model"] for row in rows] == ["primer/exact"]


def test_a_dry_run_says_what_is_matched_and_what_a_paid_judge_costs_and_stores_nothing(
    command: Any, tmp_path: Path
) -> None:
    folder = write_geneval(tmp_path / "images")
    paid = ("judge", folder, "--as", "dalle-3", "--judge", "openai/gpt-5.4-mini")
    dry = command(*paid, "--dry-run", "--budget", "2")
    assert dry.code == 0
    assert "6 images are new; 6 evaluations are to be made" in dry.out
    assert re.search(r"^openai/gpt-5.4-mini +judge +30 ", dry.out, re.M)
    assert "at most 2.00 USD a run" in dry.out
    listed = command(*paid, "--dry-run", "--json").json
    assert (listed["images"], listed["prompts"]) == ({"dalle-3": 6}, 3)
    assert (listed["new"], listed["evaluations"], listed["currency"]) == (6, 6, "USD")
    assert listed["amount"] > 0
    assert command("runs", "show", "--json").json["total"] == 0
    assert command(*paid).code == 0
    after = command(*paid, "--dry-run", "--json").json
    assert (after["new"], after["evaluations"], after["calls"]) == (0, 0, [])
    write(folder / "00000" / "samples" / "best.png", "x")
    dry = command("judge", folder, "--as", "dalle-3", "--dry-run")
    assert dry.code == 1
    assert "left out: 00000/samples/best.png" in dry.out
    assert "3 prompts; 1 left out; nothing is stored." in dry.out
