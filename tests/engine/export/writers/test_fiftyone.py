"""The folder for FiftyOne has its form: fields that are declared, images that are there, labels
that say what the store says. The form was read by FiftyOne 1.22 itself; it is no dependency.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.formats import ExportSource, ExportSummary, export
from hallascope.engine.export.selection.selection import Selection, read_selection
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.exports import NO_SECRETS
from tests.support.shared_runs import keep


def write(store: Store, out: Path, selection: Selection | None = None) -> ExportSummary:
    source = ExportSource(
        services=Services(store, {}), runs=["run1"], selection=selection or Selection()
    )
    return export(source, "fiftyone", out, secrets=NO_SECRETS)


def samples_of(out: Path) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = json.loads((out / "samples.json").read_text("utf-8"))["samples"]
    return samples


@pytest.fixture
def out(store: Store, tmp_path: Path) -> Path:
    keep(store)
    write(store, tmp_path / "out")
    return tmp_path / "out"


def ids(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if "$oid" in value:
            yield value["$oid"]
        for inner in value.values():
            yield from ids(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from ids(inner)


def test_every_image_is_a_sample_whose_file_is_there(out: Path, store: Store) -> None:
    first, second = samples_of(out)
    assert [first["model"], second["model"]] == ["primer/exact", "primer/hasty"]
    shots = store.generated_pictures("run1")
    for sample, shot in zip((first, second), shots, strict=False):
        assert sample["filepath"] == f"data/{shot.image}.png"
        assert shot.path is not None
        assert (out / sample["filepath"]).read_bytes() == shot.path.read_bytes()


def test_fields_of_samples_are_declared(out: Path) -> None:
    metadata = json.loads((out / "metadata.json").read_text("utf-8"))
    fields = {field["db_field"]: field for field in metadata["sample_fields"]}
    for sample in samples_of(out):
        assert set(sample) <= set(fields)
        for name in ("regions", "segments", "detections", "verdicts", "findings", "scores"):
            (declared,) = fields[name]["fields"]
            known = {field["db_field"] for field in declared["fields"]} | {"_cls"}
            labels = sample[name][declared["name"]]
            assert declared["embedded_doc_type"].endswith(sample[name]["_cls"].removesuffix("s"))
            assert all(set(label) <= known for label in labels), name
    assert metadata["media_type"] == "image"


def test_labels_say_what_the_store_says(out: Path) -> None:
    sample = samples_of(out)[1]
    (counting, color) = sample["verdicts"]["classifications"]
    assert (counting["label"], counting["expected"], counting["answer"]) == (
        "incorrect",
        "four",
        "three",
    )
    assert counting["confidence"] == 0.75
    assert (color["label"], "answer" in color) == ("failed", False)
    box = sample["detections"]["detections"][0]
    assert box["label"] == "molecule"
    assert box["bounding_box"] == pytest.approx([0.1, 0.1, 0.5, 0.5])
    (outline,) = sample["segments"]["polylines"]
    assert outline["closed"]
    assert all(0 <= value <= 1 for point in outline["points"][0] for value in point)
    scores = {label["label"]: label["value"] for label in sample["scores"]["classifications"]}
    assert scores == {"ihalla": 0.0, "fig": 0.5}


def test_ids_differ_and_the_same_run_gives_the_same_files(
    out: Path, store: Store, tmp_path: Path
) -> None:
    found = [name for sample in samples_of(out) for name in ids(sample)]
    own = [name for name in found if found.count(name) == 1]
    assert len(own) == len(found) - 2, "only the id of the data set stands in both samples"
    assert all(re.fullmatch("[0-9a-f]{24}", name) for name in found)
    write(store, tmp_path / "again")
    for name in ("samples.json", "metadata.json"):
        assert (tmp_path / "again" / name).read_bytes() == (out / name).read_bytes()


def test_a_missing_image_is_left_out_and_named(store: Store, tmp_path: Path) -> None:
    keep(store)
    shot = store.generated_pictures("run1")[0]
    assert shot.path is not None
    shot.path.unlink()
    summary = write(store, tmp_path / "out")
    assert summary.missing == [shot.image]
    assert len(samples_of(tmp_path / "out")) == 1


def test_only_chosen_verdicts_are_labels(store: Store, tmp_path: Path) -> None:
    keep(store)
    write(store, tmp_path / "out", read_selection(cois="counting"))
    for sample in samples_of(tmp_path / "out"):
        assert len(sample["verdicts"]["classifications"]) == 1
        assert sample["findings"]["classifications"] == []
