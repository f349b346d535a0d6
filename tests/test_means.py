"""No output shows a mean without what it rests on and what was left out: every command that shows
scores, every form of export, every endpoint.

The scores of the store are all 0.75, over numbers that stand for nothing else.
"""

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.data.models.specs import read_models
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.api import documents
from tests.support.command_services import use_services
from tests.support.image_folders import write, write_compbench
from tests.support.left_out_judge import JUDGE, PROMPT, services
from tests.support.left_out_store import LEFT_OUT, MEAN, fill

# the names of what a mean rests on, those of Every Eval Ever among them
COUNTED = {"n", "images", "counted", "questions_answered"}
UNANSWERED = {"left_out", "questions_unanswered"}
# commands that show scores of stored runs
COMMANDS = (
    "leaderboard",
    "leaderboard --by coi",
    "leaderboard --by category",
    "runs show",
    "runs show one",
    "runs compare one two",
    "errors slices",
    "errors grid",
)
# commands that judge: a prompt, a folder of images, the prompts of a file
JUDGING = (
    f"evaluate {PROMPT!r} --model primer/exact --judge {JUDGE}",
    f"judge {{folder}} --as mine --judge {JUDGE}",
    "sweep {folder}/sweep.yaml",
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    store = fill(tmp_path)
    yield store
    store.close()


def printed(capsys: pytest.CaptureFixture[str], line: str) -> str:
    with pytest.raises(SystemExit):
        main.main(shlex.split(line))
    return capsys.readouterr().out


def bare_means(value: Any, above: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the objects of a document in which a mean stands without both counts.

    They are names in the object, in the one above, or in one of its own.
    """
    if isinstance(value, list):
        for each in value:
            yield from bare_means(each, above)
    if not isinstance(value, dict):
        return
    own = [each for each in value.values() if isinstance(each, dict)]
    names = {*value, *above, *(name for each in own for name in each)}
    if {0.75, 0.25} & {each for each in value.values() if isinstance(each, float)} and not (
        COUNTED & names and UNANSWERED & names
    ):
        yield value
    for each in value.values():
        yield from bare_means(each, value)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_says_what_a_mean_rests_on(
    store: Store, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    text = printed(capsys, line)
    assert MEAN.search(text)
    assert LEFT_OUT.search(text)
    assert list(bare_means(json.loads(printed(capsys, f"{line} --json")), {})) == []


@pytest.mark.parametrize("line", JUDGING)
def test_a_command_that_judges_says_what_a_mean_rests_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    use_services(monkeypatch, lambda url: services(tmp_path / "home"))
    folder = write_compbench(tmp_path / "images", [PROMPT])
    sweep = {"prompts": [PROMPT], "models": ["primer/exact"], "judge": JUDGE}
    write(folder / "sweep.yaml", json.dumps(sweep))
    command = line.format(folder=folder)
    text = printed(capsys, command)
    document = json.loads(printed(capsys, f"{command} --json"))
    assert list(bare_means(document, {})) == []
    if "sweep" in line:  # it shows no mean: the leaderboard does
        assert "1 evaluations" in text
        assert not MEAN.search(text)
    else:
        assert MEAN.search(text)
        assert "0.75" in json.dumps(document)
        assert LEFT_OUT.search(text)


@pytest.mark.parametrize("form", ["csv", "jsonl", "latex", "site", "every-eval-ever"])
def test_an_export_says_what_a_mean_rests_on(
    store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str
) -> None:
    printed(capsys, f"export one {tmp_path / 'out'} --to {form}")
    files = [file for file in (tmp_path / "out").rglob("*.*") if file.suffix not in (".css", ".js")]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files if file.is_file()}
    means = {name: text for name, text in texts.items() if MEAN.search(text)}
    assert means
    for name, text in means.items():
        lines = [text] if name.endswith("json") else text.splitlines()
        if ".json" in name:
            assert [bare for line in lines for bare in bare_means(json.loads(line), {})] == []
        elif name.endswith("csv"):
            assert {"counted", "left_out"} <= set(lines[0].split(","))
        else:
            assert all(LEFT_OUT.search(line) for line in lines if MEAN.search(line)), name


def test_an_endpoint_says_what_a_mean_rests_on(store: Store) -> None:
    services = Services(store, read_models())
    for document in (
        documents.leaderboard(services, Query("ihalla")),
        documents.leaderboard(services, Query("ihalla", by="coi")),
    ):
        assert "0.75" in json.dumps(document)
        assert list(bare_means(document, {})) == []
