"""Lists the formats in which runs can leave, and exports runs in one of them.

The module of a format is imported when it is used.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

from hallascope.data.records import Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import reader
from hallascope.engine.export.folder import ExportFolder, open_export_file, open_export_folder
from hallascope.engine.export.image_paths import request_images
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRun,
)
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.services import Services
from hallascope.engine.storage.images import is_whole


class ExportFormat(NamedTuple):
    """Names ``module:function`` that writes a format, and the one file that stands for it.

    The file is "" where there is none.
    """

    writer: str
    single_file: str = ""


# What a format needs of the rooms above this one, such as the pages of a site, is named here and
# imported by its name only.
FORMATS: Mapping[str, ExportFormat] = {
    "csv": ExportFormat("hallascope.engine.export.tables:write_csv", "verdicts.csv"),
    "jsonl": ExportFormat("hallascope.engine.export.json_lines:write", "runs.jsonl"),
    "parquet": ExportFormat("hallascope.engine.export.tables:write_parquet", "verdicts.parquet"),
    "every-eval-ever": ExportFormat("hallascope.engine.export.every_eval_ever:write"),
    "site": ExportFormat("hallascope.pages.site.writer:write"),
}
IMAGES = "images"


@dataclass(kw_only=True)
class ExportSummary:
    """Counts what an export holds.

    `verdicts` are questions and findings, by models; `ratings` are people's verdicts.

    `missing` are pictures that are no longer in the store, or no longer what they were, by SHA-256.
    `notes`: what else is to be known, a sentence each.
    """

    runs: int = 0
    pictures: int = 0
    evaluations: int = 0
    verdicts: int = 0
    ratings: int = 0
    images: int = 0
    missing: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class ExportSource:
    """Names the runs to export, and says whether pictures and what people said go with them.

    `summary` counts them as they are read.
    """

    services: Services
    runs: Sequence[str]
    images: bool = False
    people: bool = True
    summary: ExportSummary = field(default_factory=ExportSummary)
    _rated: set[tuple[str, ...]] = field(default_factory=set)

    def iterate_runs(
        self,
    ) -> Iterator[tuple[SharedRun, list[SharedPicture], list[SharedEvaluation]]]:
        """Yield run by run with its pictures and evaluations, counted as they come."""
        store = self.services.store
        for name in self.runs:
            run = reader.read_run(store, name)
            pictures = reader.read_pictures(store, name)
            evaluations = list(reader.read_evaluations(store, name))
            if not self.people:
                run = reader.without_author(run)
                evaluations = [
                    replace(evaluation, report=evaluation.report.without_author())
                    for evaluation in evaluations
                ]
            evaluations = [self._with_truths(evaluation) for evaluation in evaluations]
            self.summary.runs += 1
            self.summary.pictures += len(pictures)
            self.summary.evaluations += len(evaluations)
            self.summary.verdicts += sum(
                count_verdicts(evaluation.report) for evaluation in evaluations
            )
            yield run, pictures, evaluations

    def _with_truths(self, evaluation: SharedEvaluation) -> SharedEvaluation:
        """Return an evaluation with its true answers, without those of people.

        What people say stands in records of its own, and in no other.
        """
        truths = report_truths(self.services.store, evaluation.report, people=False)
        return replace(evaluation, truths=truths) if any(truths) else evaluation

    def ratings(self, run: SharedRun) -> list[SharedRating]:
        """Return people's ratings of the pictures of a run, counted as they come.

        Each comes once, though several runs have the picture.
        """
        ratings: list[SharedRating] = []
        for rating in reader.read_ratings(self.services.store, run) if self.people else []:
            subject = (rating.image, rating.metric, rating.prompt, rating.finding, rating.rater)
            if subject not in self._rated:
                self._rated.add(subject)
                ratings.append(rating)
        self.summary.ratings += len(ratings)
        return ratings


def count_verdicts(report: Report) -> int:
    """Return how many questions and findings a report has."""
    return len(report.verdicts) + (len(report.evidence.findings) if report.evidence else 0)


def copy_images(
    source: ExportSource, folder: ExportFolder, run: SharedRun, pictures: Sequence[SharedPicture]
) -> None:
    """Put the pictures of a run beside it, those its request brings among them; each once."""
    if not source.images:
        return
    of_run = [picture.image for picture in pictures if picture.image]
    for sha256 in dict.fromkeys([*of_run, *request_images(run.request)]):
        picture = source.services.store.picture(sha256)
        name = f"{IMAGES}/{sha256}.png"
        if picture is None or not is_whole(picture):
            source.summary.missing.append(sha256)
        elif name not in folder.files:
            folder.copy(name, picture.path)
            source.summary.images += 1


def export(
    source: ExportSource,
    format_name: str,
    out: Path,
    force: bool = False,
    secrets: Secrets | None = None,
) -> ExportSummary:
    """Write runs in a format to a folder, or to one file where its name ends like the format's.

    Raises BadRequest where the format or the place will not do, HoldsSecret where something must
    not leave; nothing is written then.
    """
    if format_name not in FORMATS:
        raise BadRequest(
            f"There is no form {format_name!r} to export to: this version has {', '.join(FORMATS)}."
        )
    write = resolve_name(FORMATS[format_name].writer)
    single_file = FORMATS[format_name].single_file
    if single_file and out.suffix.lower() == Path(single_file).suffix:
        if source.images:
            raise BadRequest(
                f"Images do not go into the file {str(out)!r}: name a folder instead, or leave"
                " --images out."
            )
        with open_export_file(out, single_file, force, secrets) as folder:
            write(source, folder)
        source.summary.files = [out.name]
    else:
        with open_export_folder(out, force, secrets) as folder:
            write(source, folder)
        source.summary.files = folder.files
    return source.summary
