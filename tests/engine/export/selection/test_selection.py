"""Of runs leaves what is chosen: images, models, metrics, and verdicts by outcome and type."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.export import reader
from hallascope.engine.export.formats import ExportSource, ExportSummary, export
from hallascope.engine.export.selection.selection import Selection, read_selection
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.exports import NO_SECRETS, read_table
from tests.support.shared_runs import keep, rate


def write(store: Store, out: Path, selection: Selection, form: str = "csv") -> ExportSummary:
    source = ExportSource(
        services=Services(store, {}),
        runs=reader.select_runs(store, "all"),
        selection=selection,
    )
    return export(source, form, out, secrets=NO_SECRETS)


def cells(folder: Path, name: str, column: str, table: str = "verdicts") -> Sequence[str]:
    return [row[column] for row in read_table(folder / f"{table}.csv") if name in ("", row["run"])]


def test_an_empty_selection_is_everything(store: Store, tmp_path: Path) -> None:
    keep(store)
    whole = write(store, tmp_path / "whole", Selection())
    assert (whole.pictures, whole.evaluations, whole.verdicts) == (3, 4, 10)
    assert Selection().is_everything
    assert not read_selection(cois="color").is_everything


def test_images_are_chosen_by_their_name_or_their_sha256(store: Store, tmp_path: Path) -> None:
    keep(store)
    first, second, _ = store.generated_pictures("run1")
    rate(store)
    for number, name in enumerate((first.generation, first.image or "")):
        out = tmp_path / f"out{number}"
        summary = write(store, out, read_selection(images=name))
        assert (summary.pictures, summary.ratings) == (1, 4)
        assert set(cells(out, "", "image")) == {first.image}
    out = tmp_path / "other"
    assert write(store, out, read_selection(images=second.generation)).ratings == 0
    assert read_table(out / "people.csv") == [], "what people say of other images stays"


def test_verdicts_are_chosen_by_outcome_and_type(store: Store, tmp_path: Path) -> None:
    keep(store)
    summary = write(store, tmp_path / "out", read_selection(outcomes="incorrect", cois="counting"))
    (row,) = read_table(tmp_path / "out" / "verdicts.csv")
    assert (row["model"], row["coi"], row["state"]) == ("primer/hasty", "counting", "incorrect")
    assert (summary.pictures, summary.evaluations, summary.verdicts) == (1, 1, 1)


def test_models_and_metrics_are_chosen_by_name(store: Store, tmp_path: Path) -> None:
    keep(store)
    out = tmp_path / "out.jsonl"
    summary = write(store, out, read_selection(models="primer/exact", metric_names="fig"), "jsonl")
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [record["kind"] for record in records] == ["run", "picture", "evaluation"]
    assert (records[1]["model"], records[2]["metric"]) == ("primer/exact", "fig")
    assert summary.missing == []


def test_a_run_without_anything_chosen_is_left_out(store: Store, tmp_path: Path) -> None:
    keep(store)
    assert write(store, tmp_path / "out", read_selection(images="nothing")).runs == 0


def test_outcomes_are_read_as_people_write_them() -> None:
    assert read_selection(outcomes="false-alarm, missed").outcomes == {"false alarm", "missed"}
    for names in ({"outcomes": "misse"}, {"cois": "colour"}, {"metric_names": "nothing"}):
        with pytest.raises(BadRequest, match=r"There is no .*: give one of"):
            read_selection(**names)


def test_without_verdicts_the_images_stay_chosen() -> None:
    selection = read_selection(images="a", outcomes="missed", cois="color")
    assert selection.without_verdicts() == read_selection(images="a")
    assert replace(selection, images=frozenset()).is_by_verdict
