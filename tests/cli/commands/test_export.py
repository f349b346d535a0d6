"""`hallascope export` and `import`: what leaves, what comes in, with which exit code."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.engine.export import hub
from hallascope.engine.export.formats import ExportSummary
from hallascope.engine.storage.store import Store
from tests.cli.conftest import assert_refused
from tests.support.shared_runs import keep


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of the command, with a run."""
    opened = Store(folder=tmp_path / "home")
    keep(opened)
    yield opened
    opened.close()


def test_a_run_leaves_and_comes_in_elsewhere(command: Any, store: Store, tmp_path: Path) -> None:
    out = tmp_path / "out"
    sent = command("export", "run1", "--to", "jsonl", out, "--images", "--json")
    assert (sent.code, sent.err) == (0, "")
    assert sent.json | {"evaluations": 4, "images": 2, "files": 3} == sent.json
    (tmp_path / "home").rename(tmp_path / "sender")
    came = command("import", out)
    assert (came.code, came.err) == (0, "")
    assert came.out.startswith("1 run, 3 images, 4 evaluations imported; none was stored before.")
    again = command("import", out, "--json")
    assert (again.code, again.json["there"]) == (0, 8)


def test_faulty_lines_are_listed_and_the_code_is_1(
    command: Any, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "one.jsonl"
    command("export", "all", file, "--to", "jsonl")
    with file.open("a") as stream:
        stream.write("{}\nno json\n")
    (tmp_path / "home").rename(tmp_path / "sender")
    came = command("import", file)
    assert (came.code, came.err) == (1, "")
    assert "one.jsonl, line 9: has the kind 'None'" in came.out
    assert "one.jsonl, line 10: is no JSON" in came.out


def test_a_wrong_request_is_one_sentence_and_nothing_is_written(
    command: Any, store: Store, tmp_path: Path
) -> None:
    out, run = tmp_path / "out", ("export", "run1", tmp_path / "out")
    assert_refused(
        command,
        (("export", "nope", out, "--to", "csv"), "No run 'nope' is stored here"),
        (("export", ",", out, "--to", "csv"), "No run is named"),
        ((*run, "--to", "xml"), "There is no format 'xml'"),
        (run, "give --to with one of csv, jsonl"),
        ((*run, "--to", "csv", "--outcome", "misse"), "There is no outcome 'misse'"),
        ((*run, "--to", "site", "--model", "primer/exact"), "leave the filters out"),
        ((*run, "--to", "junit", "--metric", "ihalla"), "leave the filters out"),
        ((*run, "--to", "markdown", "--outcome", "missed"), "leave the filters out"),
        (("export", "run1", f"{out}.csv", "--to", "csv", "--images"), "Images do not go into"),
        (("export", "readings", out, "--to", "csv"), "leave --to out"),
        (("import", out), "cannot be read"),
        (("export", "run1", "nowhere", "--to", "hub"), "'nowhere' is not a name of a data set"),
    )
    assert {path.name for path in tmp_path.iterdir()} == {"home"}


def test_pictures_that_are_gone_are_said_and_the_code_is_1(
    command: Any, store: Store, tmp_path: Path
) -> None:
    for shot in store.generated_pictures("run1"):
        if shot.path:
            shot.path.unlink()
    sent = command("export", "run1", tmp_path / "out", "--to", "parquet", "--images")
    assert (sent.code, "2 images are no longer in the store" in sent.out) == (1, True)


def test_where_it_was_pushed_and_who_may_see_it_is_said(
    command: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def push(source: Any, repository: str, public: bool) -> hub.HubUpload:
        assert source.people is False, "names of people leave only where that is said"
        summary = ExportSummary(runs=len(source.runs))
        return hub.HubUpload(f"https://hub/{repository}", not public, summary)

    monkeypatch.setattr(hub, "push", push)
    said = command("export", "run1", "me/x", "--to", "hub").out
    assert said.startswith("https://hub/me/x (for you alone): 1 run,")
    public = command("export", "run1", "me/x", "--to", "hub", "--public", "--json")
    assert (public.code, public.json["private"]) == (0, False)


def test_readings_leave_as_gold_readings(command: Any, store: Store, tmp_path: Path) -> None:
    reading = PromptReading(prompt="a cat", objects=(AskedObject(id="o1", name="cat"),))
    store.readings.keep(reading, "Ann")
    gold, file = tmp_path / "gold", tmp_path / "one.yaml"
    sent = command("export", "readings", gold)
    assert (sent.code, sent.out, sent.err) == (0, f"{gold}: 1 reading by Ann\n", "")
    assert list(gold.rglob("*.yaml"))
    said = command("export", "readings", file, "--json").json
    assert said == {"readings": 1, "authors": ["Ann"], "out": str(file)}


def test_filters_choose_verdicts_and_format_is_another_word_for_to(
    command: Any, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "out.csv"
    options = ("--format", "csv", "--outcome", "incorrect", "--coi", "counting")
    sent = command("export", "run1", file, *options)
    assert (sent.code, "1 run, 1 image, 1 evaluation, 1 verdict" in sent.out) == (0, True)
    assert len(file.read_text("utf-8").splitlines()) == 2
    none = command("export", "run1", tmp_path / "none", "--to", "latex", "--image", "nothing")
    assert (none.code, "No image of these runs matches the filters" in none.out) == (0, True)


def test_the_paragraph_on_methods_comes_first_and_bibtex_after_it(
    command: Any, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "cited.bib"
    result = command("export", "run1", "--to", "methods")
    paragraph, entries = result.out.split("\n\n", 1)
    assert (result.code, paragraph.startswith("We generated 2 images")) == (0, True)
    assert entries.startswith("@software{hallascope,")
    assert command("export", "run1", file, "--to", "methods").code == 0
    assert file.read_text("utf-8").startswith("@software{hallascope,")
    document = command("export", "run1", "--to", "methods", "--json").json
    assert document["paragraph"].startswith("We generated 2 images")
    assert set(document["bibtex"]) == {"hallascope", "lim2025ihalla", "fig"}
