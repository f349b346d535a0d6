"""The panel judges what is dropped, and says what came of it and what is left out."""

import threading
from pathlib import Path
from typing import Any

from hallascope.engine.deployment.hosting import LOCAL_FILE_LIMIT
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.explore.image_folders import FILES_LABEL, judge_files
from hallascope.pages.explore.run import ExploreSettings
from tests.engine.image_folders.test_archive import zip_folder
from tests.support.image_folders import PROMPTS, write, write_geneval

SETTINGS = ExploreSettings(prompt="", judge=["primer/judge"], metrics=["ihalla"])


def judge(services: Any, name: str, *files: Path, settings: ExploreSettings = SETTINGS) -> str:
    """Return the last line of the panel."""
    paths = [str(file) for file in files]
    lines = judge_files(services, settings, SpendingPolicy(), name, paths, threading.Event())
    return str(list(lines)[-1])


def test_a_dropped_zip_is_judged_and_ranked_and_again_adds_nothing(
    services: Any, tmp_path: Path
) -> None:
    path = zip_folder(write_geneval(tmp_path / "images"), tmp_path / "images.zip")
    line = judge(services, "dalle-3", path)
    assert "Layout geneval. 6 images new, 0 stored before, 0 left out." in line
    assert "dalle-3: I-HallA" in line
    (row,) = board(services.store, Query("ihalla")).rows
    assert (row.model, row.n) == ("dalle-3", len(PROMPTS))
    assert "0 images new, 6 stored before" in judge(services, "dalle-3", path)


def test_what_is_left_out_is_listed_and_escaped(services: Any, tmp_path: Path) -> None:
    folder = write_geneval(tmp_path / "images")
    write(folder / "00000" / "samples" / "<b>.png", "no image")
    line = judge(services, "dalle-3", zip_folder(folder, tmp_path / "images.zip"))
    assert "Left out: 00000/samples/&lt;b&gt;.png: the name is not the number" in line
    assert "<b>" not in line


def test_what_cannot_be_judged_is_one_sentence_without_a_command(
    services: Any, tmp_path: Path
) -> None:
    path = zip_folder(write_geneval(tmp_path / "images"), tmp_path / "images.zip")
    for line in (
        judge(services, "dalle-3"),
        judge(services, "", path),
        judge(services, "primer/exact", path),
        judge(services, "dalle-3", path, settings=SETTINGS._replace(metrics=[])),
        judge(services, "dalle-3", write(tmp_path / "bad.zip", "no zip")),
    ):
        assert 'role="alert"' in line
        assert "--" not in line
    assert services.store.runs() == []


def test_the_drop_zone_says_how_large_a_file_may_be() -> None:
    assert LOCAL_FILE_LIMIT.removesuffix("gb") + " GB" in FILES_LABEL
