"""The forms in which runs can leave, by name.

The module of a form is imported when it is asked for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from hallascope.data.records import Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import folder as folders
from hallascope.engine.export import reader
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.image_paths import pictures
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRun,
)
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.services import Services
from hallascope.engine.storage.images import is_whole


class ExportFormat(NamedTuple):
    """Holds a form: ``module:function`` that writes it, and the one file that stands for it.

    The file is "" where there is none.
    """

    write: str
    alone: str = ""


# What a form needs of the rooms above this one, such as the pages of a site, is named here and
# imported by its name only.
FORMS: Mapping[str, ExportFormat] = {
    "csv": ExportFormat("hallascope.engine.export.tables:write_csv", "verdicts.csv"),
    "jsonl": ExportFormat("hallascope.engine.export.json_lines:write", "runs.jsonl"),
    "parquet": ExportFormat("hallascope.engine.export.tables:write_parquet", "verdicts.parquet"),
    "every-eval-ever": ExportFormat("hallascope.engine.export.every_eval_ever:write"),
    "site": ExportFormat("hallascope.pages.site.writer:write"),
}
IMAGES = "images"


@dataclass(kw_only=True)
class ExportSummary:
    """What an export holds.

    `verdicts` are questions and findings, by models; `ratings` is what people said.

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
    """Holds the runs to export: where and which they are, and whether pictures go with them.

    What `people` said goes with them, too, where it is wanted.
    """

    services: Services
    runs: Sequence[str]
    images: bool = False
    people: bool = True
    written: ExportSummary = field(default_factory=ExportSummary)
    _rated: set[tuple[str, ...]] = field(default_factory=set)

    def iterate_runs(
        self,
    ) -> Iterator[tuple[SharedRun, list[SharedPicture], list[SharedEvaluation]]]:
        """Run by run with its pictures and evaluations, counted as they come."""
        store = self.services.store
        for name in self.runs:
            found = (
                reader.head(store, name),
                reader.pictures(store, name),
                list(reader.evaluations(store, name)),
            )
            self.written.runs += 1
            self.written.pictures += len(found[1])
            self.written.evaluations += len(found[2])
            self.written.verdicts += sum(rows(one.report) for one in found[2])
            yield found

    def ratings(self, run: SharedRun) -> list[SharedRating]:
        """What people said of the pictures of a run.

        Each once, though several runs have the picture. Counted as it comes.
        """
        found = reader.ratings(self.services.store, run) if self.people else []
        fresh = {
            about: one
            for one in found
            if (about := (one.image, one.metric, one.prompt, one.finding, one.rater))
            not in self._rated
        }
        self._rated |= fresh.keys()
        self.written.ratings += len(fresh)
        return list(fresh.values())


def rows(report: Report) -> int:
    """How many questions and findings a report has."""
    return len(report.verdicts) + (len(report.evidence.findings) if report.evidence else 0)


def copy_images(
    source: ExportSource, folder: ExportFolder, run: SharedRun, shown: Sequence[SharedPicture]
) -> None:
    """Put the pictures of a run beside it, those its request brings among them; each once."""
    wanted = (
        [*(picture.image for picture in shown if picture.image), *pictures(run.request)]
        if source.images
        else []
    )
    for sha256 in dict.fromkeys(wanted):
        kept = source.services.store.picture(sha256)
        name = f"{IMAGES}/{sha256}.png"
        if kept is None or not is_whole(kept):
            source.written.missing.append(sha256)
        elif name not in folder.files:
            folder.copy(name, kept.path)
            source.written.images += 1


def export(
    source: ExportSource, form: str, out: Path, force: bool = False, secrets: Secrets | None = None
) -> ExportSummary:
    """Write runs in a form to a folder, or to one file where its name ends like the form's.

    Raises BadRequest where the form or the place will not do, HoldsSecret where something must not
    leave; nothing is written then.
    """
    write = _form(form)
    alone = FORMS[form].alone
    if alone and out.suffix.lower() == Path(alone).suffix:
        if source.images:
            raise BadRequest(
                f"Pictures do not go into the file {str(out)!r}: name a folder instead, or leave"
                " --images out."
            )
        with folders.single(out, alone, force, secrets) as folder:
            write(source, folder)
        source.written.files = [out.name]
    else:
        with folders.open_export_folder(out, force, secrets) as folder:
            write(source, folder)
        source.written.files = folder.files
    return source.written


def _form(name: str) -> Callable[[ExportSource, ExportFolder], None]:
    if name not in FORMS:
        raise BadRequest(
            f"There is no form {name!r} to export to: this version has {', '.join(FORMS)}."
        )
    module, function = FORMS[name].write.split(":")
    write: Callable[[ExportSource, ExportFolder], None] = getattr(import_module(module), function)
    return write
