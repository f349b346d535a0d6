"""Lists the formats in which runs can leave, and exports runs in one of them.

The module of a format is imported when it is used.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple, get_args

from hallascope import metrics
from hallascope.data.evidence import State
from hallascope.data.records import COIS, Report
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import records
from hallascope.engine.export.columns import Row, evaluation_rows, verdict_rows
from hallascope.engine.export.folder import (
    ExportFolder,
    open_export_file,
    open_export_folder,
)
from hallascope.engine.export.records import SharedPicture, request_images
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.run_history.score_checks import ScoreCheck
from hallascope.engine.services import Services
from hallascope.engine.storage.evaluations import StoredEvaluation
from hallascope.engine.storage.images import is_whole
from hallascope.engine.storage.people.ratings import Rating
from hallascope.engine.storage.store import RunRecord
from hallascope.metrics.true_answers import JudgeOutcome

# --- what of the runs is exported ---

STATES: tuple[str, ...] = get_args(State)
OUTCOMES: tuple[str, ...] = get_args(JudgeOutcome)


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Holds what is chosen of runs; an empty field chooses everything.

    `images` are names of places in a run, or SHA-256 of images. `outcomes` are states of answers
    ("incorrect"), or what the judge made of a fact whose truth is known ("missed"). `cois` are
    compositions of interest, which questions have and findings have not.
    """

    images: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()
    outcomes: frozenset[str] = frozenset()
    cois: frozenset[str] = frozenset()

    @property
    def is_by_verdict(self) -> bool:
        """Return whether single verdicts are chosen, and not only images and metrics."""
        return bool(self.outcomes or self.cois)

    @property
    def is_everything(self) -> bool:
        return self == Selection()

    def without_verdicts(self) -> "Selection":
        """Return what chooses the same images and metrics, whatever their verdicts."""
        return replace(self, outcomes=frozenset(), cois=frozenset())

    def keeps_picture(self, picture: SharedPicture) -> bool:
        is_named = not self.images or bool(self.images & {picture.generation, picture.image})
        return is_named and (not self.models or picture.model in self.models)

    def keeps_evaluation(self, evaluation: StoredEvaluation) -> bool:
        return not self.metrics or evaluation.metric in self.metrics

    def keeps_verdict(self, row: Row) -> bool:
        """Return whether the row of a question or finding is chosen."""
        if self.cois and row.get("coi") not in self.cois:
            return False
        return not self.outcomes or bool(self.outcomes & {row["state"], row.get("outcome")})


def read_selection(
    *,
    images: str = "",
    models: str = "",
    metric_names: str = "",
    outcomes: str = "",
    cois: str = "",
) -> Selection:
    """Return the selection of texts that list names with commas between.

    Raises BadRequest where a metric, an outcome or a composition of interest is none that there is.
    """
    return Selection(
        images=_names(images),
        models=_names(models),
        metrics=_known(metric_names, metrics.names(), "metric"),
        outcomes=_known(outcomes, (*STATES, *OUTCOMES), "outcome", _spaced),
        cois=_known(cois, COIS, "question type"),
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, (name.strip() for name in text.split(","))))


def _spaced(name: str) -> str:
    """Return a name as outcomes are written: "false-alarm" is "false alarm"."""
    return name.replace("-", " ").replace("_", " ")


def _known(
    text: str, known: Iterable[str], what: str, read: Callable[[str], str] = str
) -> frozenset[str]:
    names = frozenset(map(read, _names(text)))
    if unknown := sorted(names - frozenset(known)):
        raise BadRequest(f"There is no {what} {unknown[0]!r}: give one of {', '.join(known)}.")
    return names


# --- formats ---


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
    "jsonl": ExportFormat("hallascope.engine.export.tables:write_json_lines", "runs.jsonl"),
    "parquet": ExportFormat("hallascope.engine.export.tables:write_parquet", "verdicts.parquet"),
    "every-eval-ever": ExportFormat("hallascope.engine.export.every_eval_ever:write"),
    "latex": ExportFormat("hallascope.engine.export.writers.latex:write", "tables.tex"),
    "junit": ExportFormat(
        "hallascope.engine.export.writers.continuous_integration:write_junit", "results.xml"
    ),
    "markdown": ExportFormat(
        "hallascope.engine.export.writers.continuous_integration:write_summary", "summary.md"
    ),
    "fiftyone": ExportFormat("hallascope.engine.export.writers.fiftyone:write"),
    "site": ExportFormat("hallascope.pages.site.writer:write"),
}
IMAGES_FOLDER = "images"
EVERYTHING = Selection()


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


@dataclass
class RunContent:
    """Holds what is exported of a run: its chosen images and evaluations, and their table rows."""

    run: RunRecord
    pictures: list[SharedPicture]
    evaluations: list[StoredEvaluation]
    selection: Selection

    @cached_property
    def rows(self) -> list[Row]:
        """Return a row for each evaluation."""
        return list(evaluation_rows(self.run, self.pictures, self.evaluations))

    @cached_property
    def verdicts(self) -> list[Row]:
        """Return a row for each chosen question and finding."""
        verdicts = (verdict for row in self.rows for verdict in verdict_rows(row))
        return list(filter(self.selection.keeps_verdict, verdicts))

    def select(self) -> None:
        """Leave out what is not chosen.

        Where single verdicts or metrics are chosen, an evaluation or image without any is left out.
        """
        chosen = self.selection
        everything = self.pictures
        self.pictures = list(filter(chosen.keeps_picture, everything))
        self.evaluations = list(filter(chosen.keeps_evaluation, self.evaluations))
        if chosen.is_by_verdict:
            whole = RunContent(self.run, everything, self.evaluations, chosen)
            judged = {id(row["report"]) for row in whole.verdicts}
            self.evaluations = [one for one in self.evaluations if id(one.report) in judged]
        kept = {picture.generation for picture in self.pictures}
        self.evaluations = [one for one in self.evaluations if one.generation in kept]
        if chosen.is_by_verdict or chosen.metrics:
            evaluated = {one.generation for one in self.evaluations}
            self.pictures = [one for one in self.pictures if one.generation in evaluated]

    @property
    def verdict_count(self) -> int:
        if self.selection.is_by_verdict:
            return len(self.verdicts)
        return sum(count_verdicts(evaluation.report) for evaluation in self.evaluations)


@dataclass(kw_only=True)
class ExportSource:
    """Names the runs to export, and says whether pictures and what people said go with them.

    `selection` says what of the runs is exported. `checks` of their scores go into formats that
    show them. `summary` counts what is read.
    """

    services: Services
    runs: Sequence[str]
    images: bool = False
    people: bool = True
    selection: Selection = EVERYTHING
    checks: Sequence[ScoreCheck] = ()
    summary: ExportSummary = field(default_factory=ExportSummary)
    _rated: set[Rating] = field(default_factory=set)

    def iterate_runs(self) -> Iterator[RunContent]:
        """Yield run by run what is exported of it, counted as it comes."""
        store = self.services.store
        for name in self.runs:
            content = RunContent(
                records.read_run(store, name),
                records.read_pictures(store, name),
                [self._prepare(one) for one in records.read_evaluations(store, name)],
                self.selection,
            )
            if not self.people:
                content.run = records.without_author(content.run)
            if not self.selection.is_everything:
                content.select()
                if not content.pictures:
                    continue
            self.summary.runs += 1
            self.summary.pictures += len(content.pictures)
            self.summary.evaluations += len(content.evaluations)
            self.summary.verdicts += content.verdict_count
            yield content

    def _prepare(self, evaluation: StoredEvaluation) -> StoredEvaluation:
        """Return an evaluation with its true answers, without those of people.

        What people say stands in records of its own, and in no other.
        """
        report = evaluation.report if self.people else evaluation.report.without_author()
        truths = report_truths(self.services.store, report, people=False)
        return replace(evaluation, report=report, truths=truths if any(truths) else ())

    def ratings(
        self, run: RunRecord, pictures: Sequence[SharedPicture] | None = None
    ) -> list[Rating]:
        """Return people's ratings of the pictures of a run, counted as they come.

        Each comes once, though several runs have the picture. `pictures`: only those of these.
        """
        found = records.read_ratings(self.services.store, run) if self.people else []
        if pictures is not None:
            chosen = {picture.image for picture in pictures}
            found = [rating for rating in found if rating.image in chosen]
        new = [rating for rating in found if rating not in self._rated]
        self._rated.update(new)
        self.summary.ratings += len(new)
        return new


def library_version() -> str:
    """Return the version of HallaScope, "" where it runs from its folder and is not installed."""
    try:
        return version("hallascope")
    except PackageNotFoundError:
        return ""


def count_verdicts(report: Report) -> int:
    """Return how many questions and findings a report has."""
    return len(report.verdicts) + (len(report.evidence.findings) if report.evidence else 0)


def copy_images(source: ExportSource, folder: ExportFolder, content: RunContent) -> None:
    """Put the pictures of a run beside it, each once, with those that its request brings.

    Where images are chosen, no other one that was brought to be judged is among them.
    """
    if source.images:
        of_run = [picture.image for picture in content.pictures if picture.image]
        request = content.run.request
        if not content.selection.is_everything:
            request = replace(request, images=())
        for sha256 in dict.fromkeys([*of_run, *request_images(request)]):
            copy_image(source, folder, sha256, IMAGES_FOLDER)


def copy_image(source: ExportSource, folder: ExportFolder, sha256: str, place: str) -> bool:
    """Copy a picture into a folder of the export, once; return whether it is there."""
    name = f"{place}/{sha256}.png"
    if name in folder.files:
        return True
    picture = source.services.store.picture(sha256)
    if picture is None or not is_whole(picture):
        source.summary.missing.append(sha256)
        return False
    folder.copy(name, picture.path)
    source.summary.images += 1
    return True


def export(source: ExportSource, format_name: str, out: Path, force: bool = False) -> ExportSummary:
    """Write runs in a format to a folder, or to one file where its name ends like the format's.

    Raises BadRequest where the format or the place will not do, HoldsSecret where something must
    not leave; nothing is written then.
    """
    if format_name not in FORMATS:
        raise BadRequest(
            f"There is no format {format_name!r} to export to: this version has"
            f" {', '.join(FORMATS)}."
        )
    write = resolve_name(FORMATS[format_name].writer)
    single_file = FORMATS[format_name].single_file
    if single_file and out.suffix.lower() == Path(single_file).suffix:
        if source.images:
            raise BadRequest(
                f"Images do not go into the file {str(out)!r}: name a folder instead, or leave"
                " --images out."
            )
        with open_export_file(out, single_file, force) as folder:
            write(source, folder)
        source.summary.files = [out.name]
    else:
        with open_export_folder(out, force) as folder:
            write(source, folder)
        source.summary.files = list(folder.files)
    return source.summary
