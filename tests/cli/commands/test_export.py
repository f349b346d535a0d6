"""`hallascope export`, `import` and `push`: what is printed, what is written, and with which exit
code they leave.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.cli.commands import export
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.engine.export import hub
from hallascope.engine.export.formats import ExportSummary
from hallascope.engine.storage.store import Store
from tests.support.shared_runs import keep

Ran = tuple[int, str, str]
Run = Callable[..., Ran]


@pytest.fixture
def run(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on a store; another store can be named."""
    opened = [store]
    monkeypatch.setattr(export, "create_services", lambda: SimpleNamespace(store=opened[-1]))

    def ran(*arguments: object, on: Store = store) -> Ran:
        opened.append(on)
        with pytest.raises(SystemExit) as left:
            main.main([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return ran


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "elsewhere")
    yield opened
    opened.close()


def test_a_run_leaves_and_comes_in_elsewhere(
    run: Run, store: Store, other: Store, tmp_path: Path
) -> None:
    keep(store)
    code, out, err = run("export", "run1", "--to", "jsonl", tmp_path / "out", "--images", "--json")
    said: dict[str, Any] = json.loads(out)
    assert (code, err, said["evaluations"], said["images"], said["files"]) == (0, "", 4, 2, 3)
    code, out, err = run("import", tmp_path / "out", on=other)
    assert (code, err) == (0, "")
    assert out.startswith(
        "1 run, 3 images, 4 evaluations came in; nothing was here already.\n2 files of images"
        " came with them."
    )
    code, out, _ = run("import", tmp_path / "out", "--json", on=other)
    assert json.loads(out) | {"there": 8} == json.loads(out)
    assert code == 0


def test_faulty_lines_are_listed_and_the_code_is_1(
    run: Run, store: Store, other: Store, tmp_path: Path
) -> None:
    keep(store)
    run("export", "all", tmp_path / "one.jsonl", "--to", "jsonl")
    with (tmp_path / "one.jsonl").open("a") as stream:
        stream.write("{}\nno json\n")
    code, out, err = run("import", tmp_path / "one.jsonl", on=other)
    assert (code, err) == (1, "")
    assert [
        line
        for line in out.splitlines()
        if line.startswith("one.jsonl, line 9: has the kind 'None'")
    ]
    assert [line for line in out.splitlines() if line.startswith("one.jsonl, line 10: is no JSON")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("export", "nope", "OUT", "--to", "csv"), "No run 'nope' is stored here"),
        (("export", "run1", "OUT", "--to", "xml"), "There is no form 'xml'"),
        (("export", ",", "OUT", "--to", "csv"), "No run is named"),
        (
            ("export", "run1", "OUT.csv", "--to", "csv", "--images"),
            "Images do not go into the file",
        ),
        (("import", "OUT"), "cannot be read"),
        (("push", "run1", "nowhere"), "'nowhere' is no name of a data set"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_nothing_is_written(
    arguments: tuple[str, ...], says: str, run: Run, store: Store, tmp_path: Path
) -> None:
    keep(store)
    code, out, err = run(*(one.replace("OUT", str(tmp_path / "out")) for one in arguments))
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"home"}


def test_pictures_that_are_gone_are_said_and_the_code_is_1(
    run: Run, store: Store, tmp_path: Path
) -> None:
    keep(store)
    for shot in store.generated_pictures("run1"):
        if shot.path:
            shot.path.unlink()
    code, out, _ = run("export", "run1", tmp_path / "out", "--to", "parquet", "--images")
    assert code == 1
    assert "2 images are no longer in the store, or changed, and left out." in out


def test_where_it_was_pushed_and_who_may_see_it_is_said(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store)

    def push(source: Any, repository: str, public: bool) -> hub.HubUpload:
        assert source.people is False, "names of people leave only where that is said"
        return hub.HubUpload(
            f"https://hub/{repository}", not public, ExportSummary(runs=len(source.runs))
        )

    monkeypatch.setattr(hub, "push", push)
    assert run("push", "run1", "me/x")[1].startswith("https://hub/me/x (for you alone): 1 run,")
    code, out, _ = run("push", "run1", "me/x", "--public", "--json")
    assert (code, json.loads(out)["private"]) == (0, False)


def test_readings_leave_as_gold_readings_that_the_parser_is_measured_with(
    run: Run, store: Store, tmp_path: Path
) -> None:
    store.readings.keep(
        PromptReading(prompt="a cat", objects=(AskedObject(id="o1", name="cat"),)), "Ann"
    )
    code, out, err = run("export", "readings", tmp_path / "gold")
    assert (code, out, err) == (0, f"{tmp_path / 'gold'}: 1 reading by Ann\n", "")
    code, out, _ = run("parser-eval", "--folder", tmp_path / "gold", "--json")
    assert code == 0
    code, out, _ = run("export", "readings", tmp_path / "one.yaml", "--json")
    assert json.loads(out) == {
        "readings": 1,
        "authors": ["Ann"],
        "out": str(tmp_path / "one.yaml"),
    }


def test_a_form_is_for_runs_and_not_for_readings(run: Run, tmp_path: Path) -> None:
    code, out, err = run("export", "run1", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.startswith("The form is missing: give --to with one of csv, jsonl")
    code, out, err = run("export", "readings", tmp_path / "out", "--to", "csv")
    assert (code, out) == (2, "")
    assert err == "Readings have one form, YAML: leave --to out.\n"
