"""What newcomers are offered, help for unknown prompts, and folders of images that are judged."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.components.models.prompt_help import KEYS_PAGE, LOGIN, help_html
from hallascope.data.teaching.judged_image import BadTeachingData
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Query
from hallascope.pages.evaluate.image_folders import judge_files
from hallascope.pages.evaluate.prompt_help import help_for
from hallascope.pages.evaluate.run import EvaluateSettings
from hallascope.pages.learn import odd_one_out
from tests.engine.image_folders.test_archive import zip_folder
from tests.support.image_folders import PROMPTS, write, write_geneval
from tests.support.started_runs import started

# --- rounds ---


def test_missing_files_are_one_sentence_in_place_of_the_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> Any:
        raise BadTeachingData("The rounds are missing.")

    monkeypatch.setattr(odd_one_out, "read_rounds", fail)
    assert "The rounds are missing." in odd_one_out.build().value


# --- help ---


def test_an_unknown_prompt_gets_one_sentence_two_ways_on_and_near_prompts_with_images() -> None:
    html = help_for("seven penguins")
    assert "“seven penguins”" in html
    assert f'href="{KEYS_PAGE}"' in html
    assert "data-opens-keys" in html
    assert 'data-prompt="four gentoo penguins"' in html
    assert html.count("data:image/webp;base64,") >= 2


def test_where_visitors_log_in_the_first_button_leads_there() -> None:
    html = help_html("a unicorn", {}, can_log_in=True)
    assert f'href="{LOGIN}"' in html
    assert KEYS_PAGE not in html


# --- folders ---


SETTINGS = EvaluateSettings(prompt="", judge="primer/judge", metrics=["ihalla"])


def judge(services: Any, name: str, *files: Path, settings: EvaluateSettings = SETTINGS) -> str:
    """Return the last line of the panel."""
    paths = [str(file) for file in files]
    return str(list(judge_files(started(services), name, paths, *settings))[-1])


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
    assert 'role="alert"' in judge(services, "dalle-3")
    no_zip = write(tmp_path / "bad.zip", "no zip")
    wrong: tuple[tuple[str, Path, list[str]], ...] = (
        ("", path, ["ihalla"]),
        ("primer/exact", path, ["ihalla"]),
        ("dalle-3", path, []),
        ("dalle-3", no_zip, ["ihalla"]),
    )
    for name, file, metrics in wrong:
        with pytest.raises(HallaScopeError) as caught:
            judge(services, name, file, settings=SETTINGS._replace(metrics=metrics))
        assert "--" not in str(caught.value)
    assert services.store.runs() == []
