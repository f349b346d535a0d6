"""A picture whose file was changed is reported and left out, by a run and by an export.

What leaves names no path of this machine.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import read_models
from hallascope.data.requests import Describe
from hallascope.engine.events import Evaluated, PictureFailed
from hallascope.engine.export import reader
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.image_paths import shorten_paths
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.engine.run.test_fig_run import FIG, sees
from tests.support.small_pictures import png
from tests.support.vision_metric import models


def run(store: Store, script: Any = sees) -> tuple[Services, list[Any]]:
    services = Services(store, read_models(), models(script))
    return services, list(services.evaluate(FIG))


@pytest.mark.parametrize("change", ["another picture", "cut in half", "empty"])
def test_a_picture_whose_file_was_changed_is_reported_and_left_out_until_it_is_made_anew(
    store: Store, change: str, tmp_path: Path
) -> None:
    services, events = run(store)
    (run_id,) = [record.id for record in services.runs()]
    (path,) = [shot.path for shot in store.shots(run_id) if shot.path]
    whole = path.read_bytes()
    path.write_bytes(
        {"another picture": png("other"), "cut in half": whole[: len(whole) // 2], "empty": b""}[
            change
        ]
    )

    _, events = run(store)
    (failed,) = [event for event in events if isinstance(event, PictureFailed)]
    assert failed.shot.failure is not None
    assert "does not hold the image it is named by" in failed.shot.failure.message
    assert str(tmp_path) not in failed.shot.failure.message
    assert not [event for event in events if isinstance(event, Evaluated)]
    assert events[-1].failures == 1

    source = ExportSource(services=services, runs=[run_id], images=True)
    written = export(source, "jsonl", tmp_path / "out")
    assert (written.images, len(written.missing)) == (0, 1)

    path.unlink()
    _, events = run(store)
    assert [event for event in events if isinstance(event, Evaluated)]
    assert path.read_bytes() == whole


def test_a_missing_or_damaged_picture_is_left_out_and_no_export_names_where_it_lay(
    store: Store, tmp_path: Path
) -> None:
    def says(request: Any) -> Any:
        if isinstance(request, Describe):
            (tmp_path / "gone" / "picture.png").read_bytes()
        return sees(request)

    services, _ = run(store, says)
    (record,) = services.runs()
    out = tmp_path / "out"
    export(ExportSource(services=services, runs=[record.id], images=False), "jsonl", out)
    texts = [file.read_text(encoding="utf-8") for file in out.rglob("*") if file.is_file()]
    assert any("FileNotFoundError" in text and "picture.png" in text for text in texts)
    assert not any(str(tmp_path) in text or str(Path.home()) + "/" in text for text in texts)


def test_what_an_older_version_kept_leaves_without_paths_too(store: Store) -> None:
    services, _ = run(store)
    (record,) = services.runs()
    (evaluation,) = store.evaluations(record.id)
    assert evaluation.report.evidence
    note = "The captioner failed: '/srv/lab/home/images/ab/cd.png' is gone; see https://example.org/a/b."
    evidence = replace(evaluation.report.evidence, notes=(note,))
    store.keep_evaluation(
        record.id, replace(evaluation, report=replace(evaluation.report, evidence=evidence))
    )
    (shared,) = reader.evaluations(store, record.id)
    assert shared.report.evidence
    assert shared.report.evidence.notes == (
        "The captioner failed: 'cd.png' is gone; see https://example.org/a/b.",
    )


@pytest.mark.parametrize(
    "text",
    ["3/4 of it", "km/h and m/s", "https://a.org/b/c", "either/or", "a / b / c", "models/primer"],
)
def test_what_is_no_path_of_a_machine_stays(text: str) -> None:
    assert shorten_paths(text) == text
