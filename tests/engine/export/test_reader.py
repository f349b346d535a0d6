"""What a store has of a run is read without paths of this machine."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import read_models
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.requests import Describe
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.export import reader
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.fig_run import FIG, sees
from tests.support.vision_metric import models


def run(store: Store, script: Any = sees) -> tuple[Services, list[Any]]:
    services = Services(store, read_models(), models(script))
    return services, list(services.evaluate(FIG))


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
    (shared,) = reader.read_evaluations(store, record.id)
    assert shared.report.evidence
    assert shared.report.evidence.notes == (
        "The captioner failed: 'cd.png' is gone; see https://example.org/a/b.",
    )


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


def test_a_run_can_leave_without_the_name_of_who_reads_its_prompt(store: Store) -> None:
    reading = PromptReading(prompt="a cat", source="person", author="Ann Example")
    request = EvaluateRequest(prompt="a cat", models=("primer/exact",), reading=reading)
    store.start_run("run1", request, [])
    named = reader.read_run(store, "run1")
    assert named.request.reading == reading
    assert reader.without_author(named).request.reading == replace(reading, author="")
    plain = replace(named, request=replace(request, reading=None))
    assert reader.without_author(plain) is plain
