"""Exports a labeling plan: its frame, its labels, and the runs whose images it is about."""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hallascope.engine.export import json_lines
from hallascope.engine.export.folder import ExportFolder, open_export_folder
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.labeling_plans.content import PlanContent, read_content
from hallascope.engine.export.labeling_plans.plan_file import FILE, plan_document
from hallascope.engine.export.labeling_plans.tables import plan_tables
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.labeling.plans import LabelingPlan
from hallascope.engine.services import Services


@dataclass(kw_only=True)
class PlanExportSummary:
    """Counts what the export of a plan holds.

    `labeled` and `skipped` count images by rater. `missing` are images that are no longer in the
    store, or no longer what they were, by SHA-256.
    """

    plan: str
    images: int
    raters: int
    labeled: int
    skipped: int
    named: bool
    runs: int = 0
    image_files: int = 0
    missing: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def export_plan(
    services: Services,
    plan: LabelingPlan,
    out: Path,
    *,
    with_names: bool = False,
    runs: bool = True,
    images: bool = False,
    force: bool = False,
    secrets: Secrets | None = None,
) -> PlanExportSummary:
    """Write a plan with its labels into a folder: ``plan.json`` and tables as CSV.

    `with_names`: raters under their own names; else they are "rater 1" and so on. `runs`: also the
    runs whose images the plan is about, as `hallascope import` reads them, without what people said
    of them elsewhere; `images`: with the files of the images. `force`: also into a folder that
    holds something. Raises BadRequest where the place will not do, HoldsSecret where something must
    not leave; nothing is written then.
    """
    content = read_content(services, plan, with_names)
    with open_export_folder(out, force, secrets) as folder:
        summary = _write_content(content, folder)
        if runs or images:
            _write_runs(services, plan, folder, images, summary)
    summary.files = folder.files
    return summary


def zip_plan(services: Services, plan: LabelingPlan, secrets: Secrets | None = None) -> bytes:
    """Return ``plan.json`` and the tables of a plan as a zip archive, raters under pseudonyms.

    Raises HoldsSecret where something must not leave.
    """
    with TemporaryDirectory() as place:
        out = Path(place) / plan.id
        summary = export_plan(services, plan, out, runs=False, secrets=secrets)
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in summary.files:
                archive.write(out / name, name)
    return stream.getvalue()


def _write_content(content: PlanContent, folder: ExportFolder) -> PlanExportSummary:
    shared = content.shared
    about = {"sentence": content.progress.sentence, "progress": content.progress}
    folder.write_text(FILE, plan_document(shared, about))
    for name, text in plan_tables(content).items():
        folder.write_text(name, text)
    return PlanExportSummary(
        plan=shared.plan.id,
        images=len(shared.plan.images),
        raters=len({record.rater for record in shared.records}),
        labeled=sum(record.state == "labeled" for record in shared.records),
        skipped=sum(record.state == "skipped" for record in shared.records),
        named=shared.named,
    )


def _write_runs(
    services: Services,
    plan: LabelingPlan,
    folder: ExportFolder,
    images: bool,
    summary: PlanExportSummary,
) -> None:
    source = ExportSource(services=services, runs=runs_of(plan), images=images, people=False)
    json_lines.write(source, folder)
    summary.runs = source.summary.runs
    summary.image_files = source.summary.images
    summary.missing = source.summary.missing


def runs_of(plan: LabelingPlan) -> list[str]:
    """Return the ids of the runs of a plan's images."""
    return list(dict.fromkeys(image.item.partition(":")[0] for image in plan.images))
