"""The folder of an exported plan holds all that one computes with, and no names of raters."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.labeling_plans.writer import export_plan, zip_plan
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.labeling.plan_labels import PlanLabels
from hallascope.engine.labeling.plans import LabelingPlan, create_plan
from hallascope.engine.labeling.progress import plan_progress
from tests.support import drawn_plan
from tests.support.exchanged_plans import IMAGES, RECORDS, SECRET_NAME, build_labeled
from tests.support.exports import NO_SECRETS


@pytest.fixture(scope="module")
def labeled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, LabelingPlan]]:
    """A store with a labeled plan, which no test changes."""
    services, plan = build_labeled(tmp_path_factory.mktemp("labeled") / "home", "active")
    yield services, plan
    services.store.close()


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_frame_has_every_image_with_its_probabilities(
    labeled: tuple[Any, LabelingPlan], tmp_path: Path
) -> None:
    services, plan = labeled
    export_plan(services, plan, tmp_path / "out", secrets=NO_SECRETS)
    frame = rows_of(tmp_path / "out", "frame")
    assert [row["item"] for row in frame] == [image.item for image in plan.images]
    assert [int(row["order"]) for row in frame] == list(range(1, IMAGES + 1))
    for row, image in zip(frame, plan.images, strict=True):
        assert (row["stratum"], row["prompt"], row["reason"]) == (
            image.stratum,
            image.prompt,
            image.reason,
        )
        assert float(row["probability_of_one_draw"]) == image.probability
    shares = {(row["stratum"], row["prompt"]): float(row["inclusion_probability"]) for row in frame}
    known = PlanLabels(services.store, plan).probabilities
    assert {key: shares[key] for key in known} == known
    labeled_prompts = {key for key in shares if key in known}
    for model in ("m/one", "m/two"):
        expected = sum(stratum == model for stratum, _ in labeled_prompts)
        found = sum(share for (stratum, _), share in shares.items() if stratum == model)
        assert found == pytest.approx(expected)


def test_labels_have_rater_time_and_mark_and_skipped_images_none(
    labeled: tuple[Any, LabelingPlan], tmp_path: Path
) -> None:
    services, plan = labeled
    summary = export_plan(services, plan, tmp_path / "out", secrets=NO_SECRETS)
    labels = rows_of(tmp_path / "out", "labels")
    skipped = [row for row in labels if row["state"] == "skipped"]
    told = [row for row in labels if row["state"] == "labeled"]
    assert (summary.labeled, summary.skipped) == (RECORDS - len(skipped), len(skipped))
    assert len(told) == 2 * summary.labeled, "a row a question"
    assert {row["mark"] for row in skipped} == {""}
    assert {row["rater"] for row in labels} == {"rater 1", "rater 2"}
    assert {row["sees_expected"] for row in told if row["mark"] == "?"} == {""}
    assert {row["sees_expected"] for row in told if row["mark"] == "A"} == {"true"}
    assert all(row["shown"] <= row["done"] for row in labels)
    questions = rows_of(tmp_path / "out", "questions")
    assert len(questions) == 2 * IMAGES
    assert questions[0]["choice_a"] == "Yes"
    assert questions[0]["judge_answer"] in ("A", "B")


def test_plan_json_has_settings_seed_and_progress_and_no_names(
    labeled: tuple[Any, LabelingPlan], tmp_path: Path
) -> None:
    services, plan = labeled
    export_plan(services, plan, tmp_path / "out", secrets=NO_SECRETS)
    text = (tmp_path / "out" / "plan.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert (found["plan"]["seed"], found["plan"]["design"], found["named"]) == (3, "active", False)
    assert found["progress"]["labeled"] == plan_progress(services, plan).labeled
    assert found["sentence"] == plan_progress(services, plan).sentence
    for path in (tmp_path / "out").iterdir():
        assert SECRET_NAME not in path.read_text(encoding="utf-8")


def test_attention_checks_and_images_go_along(tmp_path: Path) -> None:
    services = drawn_plan.build(tmp_path / "home")
    plan = create_plan(services, attention_every=2, title="checked")
    drawn_plan.label_images(services, plan, "Ann", 6)
    summary = export_plan(services, plan, tmp_path / "out", images=True, secrets=NO_SECRETS)
    checks = rows_of(tmp_path / "out", "attention_checks")
    assert {row["item"] for row in checks} == {check.item for check in plan.checks}
    assert {row["right_answer"] for row in checks} <= set("ABCDE")
    kinds = {row["kind"] for row in rows_of(tmp_path / "out", "labels")}
    assert kinds == {"image", "attention check"}
    files = {path.stem for path in (tmp_path / "out" / "images").iterdir()}
    assert {image.image for image in plan.images} < files
    assert summary.image_files == len(files)
    assert summary.missing == []
    services.store.close()


def test_the_archive_of_the_page_holds_the_same_files_without_runs(
    labeled: tuple[Any, LabelingPlan], tmp_path: Path
) -> None:
    export_plan(*labeled, tmp_path / "out", runs=False, secrets=NO_SECRETS)
    with zipfile.ZipFile(io.BytesIO(zip_plan(*labeled, secrets=NO_SECRETS))) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}


def test_a_key_in_it_stays_here_and_nothing_is_written(
    labeled: tuple[Any, LabelingPlan], tmp_path: Path
) -> None:
    with pytest.raises(HoldsSecret):
        export_plan(*labeled, tmp_path / "out", secrets=Secrets({"MY_KEY": "prompt 3"}))
    assert list(tmp_path.iterdir()) == []
