"""Tables have a row for every verdict, evaluation and rating, and records are read as they were
written.
"""

import json
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.files import human_verdicts
from hallascope.data.files.readings.prompt_readings import read_prompt_readings
from hallascope.data.prompt_reading import PromptReading
from hallascope.engine import ratings
from hallascope.engine.corrections import save_corrections
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import tables
from hallascope.engine.export.columns import EVALUATIONS, TABLES, VERDICTS
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import ExportSource, RunContent, export
from hallascope.engine.export.readings import export_readings
from hallascope.engine.export.records import UnusableRecord, parse_record, record_line
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import Rating
from hallascope.engine.storage.store import Store
from hallascope.metrics.reading.prompt import read_prompt
from tests.support.any_json import any_json
from tests.support.exports import Send, read_table
from tests.support.shared_runs import EVIL, PROMPT, keep, rate


def test_people_have_a_table_of_their_own_which_the_people_tab_reads_and_stand_in_no_other(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    send(store, "csv", "before")
    rate(store, rater="=Ann")
    send(store, "csv", "after")
    found, complaints = human_verdicts.read_verdicts(tmp_path / "after" / "people.csv")
    assert complaints == []
    assert [replace(one, when=0.0) for one in found] == [
        replace(ratings.person_verdict(one), when=0.0) for one in store.ratings.all()
    ]
    for name in ("verdicts.csv", "evaluations.csv"):
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()


def test_the_table_of_evaluations_has_a_row_for_each_with_what_it_counted(
    home: Store, send: Send, tmp_path: Path
) -> None:
    send(home, "csv")
    rows = read_table(tmp_path / "out" / "evaluations.csv")
    assert list(rows[0]) == [column.name for column in EVALUATIONS]
    assert [
        (row["score"], row["counted"], row["left_out"]) for row in rows if row["metric"] == "ihalla"
    ] == [
        ("1.0", "1", "1"),
        ("0.0", "1", "1"),
    ]
    assert json.loads(rows[0]["scores"])["chair_i"] == {"value": None, "counted": 0, "left_out": 0}


def test_the_table_of_verdicts_has_a_row_for_every_verdict_and_finding(
    home: Store, send: Send, tmp_path: Path
) -> None:
    written = send(home, "csv")
    rows = read_table(tmp_path / "out" / "verdicts.csv")
    assert written.verdicts == len(rows) == 2 * (2 + 3)
    assert list(rows[0]) == [column.name for column in VERDICTS]
    wrong = next(
        row for row in rows if row["model"] == "primer/hasty" and row["kind"] == "question"
    )
    told = [
        wrong[name]
        for name in (
            "coi",
            "wanted",
            "seen",
            "gold",
            "answer",
            "value",
            "raw",
            "seed",
            "trial",
            "prompt",
            "category",
        )
    ]
    assert told == ["counting", "four", "three", "B", "A", "0", EVIL, "1", "0", PROMPT, "Physics"]
    left_out = next(row for row in rows if row["state"] == "failed")
    assert (left_out["value"], left_out["answer"], left_out["note"]) == (
        "",
        "",
        "The judge did not answer: ask again.",
    )
    assert [row["asked"] for row in rows if row["kind"] == "color"] == ["a red molecule"] * 2


SHARED_COLUMNS = "verdicts and evaluations"


@pytest.mark.parametrize("name", TABLES)
def test_the_page_on_exports_has_every_column_of_a_table(name: str) -> None:
    page = Path("docs/exports.md").read_text("utf-8")
    titles = (name,) if name == "people" else (SHARED_COLUMNS, name)
    listed = [row for title in titles for row in _rows(page, title)]
    expected = [f"| `{name}` | {type_} | {words} |" for name, type_, words in TABLES[name]]
    assert sorted(listed) == sorted(expected)


def _rows(page: str, title: str) -> list[str]:
    _, section = page.split(f"### {title}\n")
    _, *rows = section.partition("| --- |")[2].partition("\n\n")[0].splitlines()
    return rows


def test_tables_are_frames_with_a_type_for_each_column(home: Store) -> None:
    (found,) = tables.frames(ExportSource(services=Services(home, {}), runs=["run0", "run1"]))
    assert {name: len(frame) for name, frame in found.items()} == {
        "runs": 2,
        "pictures": 6,
        "verdicts": 20,
        "evaluations": 8,
        "people": 0,
    }
    assert found["verdicts"].dtypes[["seed", "judge_is_wrong", "probability"]].tolist() == [
        "Int64",
        "boolean",
        "float64",
    ]
    assert found["verdicts"].groupby("model")["value"].mean().to_dict() == {
        "primer/exact": 0.5,
        "primer/hasty": 0.25,
    }


_FIELDS = st.sampled_from(["kind", "format", "id", "run", "request", "report"])


@settings(max_examples=50)
@given(any_json(_FIELDS, st.sampled_from(["run", "evaluation", 1])))
def test_no_json_whatever_makes_the_reader_stumble(said: object) -> None:
    with pytest.raises(UnusableRecord):
        parse_record(json.dumps(said))


PROMPTS = ("two or three red cats on a mat", "a dog without a collar", "a sign that says STOP")


def test_what_leaves_comes_in_elsewhere_the_same(store: Store, tmp_path: Path) -> None:
    for prompt in PROMPTS:
        store.readings.keep(read_prompt(prompt), "Ann")
    store.readings.keep(PromptReading(prompt=PROMPTS[0], unreadable="a poem"), "Bo")
    file = tmp_path / "out.yaml"
    written = export_readings(store.readings, file)
    assert {reading.prompt: reading.author for reading in written} == {
        PROMPTS[0]: "Bo",
        PROMPTS[1]: "Ann",
        PROMPTS[2]: "Ann",
    }
    other = Store(folder=tmp_path / "elsewhere")
    assert save_corrections(other.readings, file) == read_prompt_readings(file)
    again = tmp_path / "again.yaml"
    export_readings(other.readings, again)
    assert again.read_text("utf-8") == file.read_text("utf-8")
    other.close()


def test_without_corrections_and_with_a_key_in_one_nothing_is_written(
    store: Store, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(BadRequest, match="No prompt has a corrected reading yet"):
        export_readings(store.readings, out)
    store.readings.keep(PromptReading(prompt="a sign hf_abcdefghijklmnopqrstuvwxyz012345"), "Ann")
    with pytest.raises(HoldsSecret):
        export_readings(store.readings, out)
    assert not out.exists()


_SAID = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.builds(
        Rating,
        image=st.just("ab" * 32),
        metric=st.just("ihalla"),
        prompt=_SAID,
        finding=_SAID,
        rater=_SAID,
        value=_SAID.filter(str.strip),
        created=st.floats(0, 1e10),
    )
)
def test_whatever_a_person_said_is_read_as_it_was_written(said: Rating) -> None:
    assert parse_record(record_line(said)) == said


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_no_more_runs_are_held_in_memory_than_are_written_at_once(
    form: str, home: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_RUNS_AT_ONCE", 3)
    source = ExportSource(services=Services(home, {}), runs=["run1"] * 30)
    iterate, made, held = source.iterate_runs, list[Any](), list[int]()

    def watch() -> Iterator[RunContent]:
        for content in iterate():
            made.append(weakref.ref(content))
            yield content
            del content
            held.append(sum(one() is not None for one in made))

    monkeypatch.setattr(source, "iterate_runs", watch)
    export(source, form, tmp_path / "out")
    assert len(made) == 30
    assert max(held) <= 2 * 3, "those being written, and those being read"
    if form == "csv":
        assert len(read_table(tmp_path / "out" / "verdicts.csv")) == 30 * 10
