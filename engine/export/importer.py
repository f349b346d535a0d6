"""Imports exported runs into a store: JSON lines or Parquet, with their pictures."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sqlmodel import col, select

from hallascope.engine.errors import BadImage, BadRequest, sentence
from hallascope.engine.events import Evaluation
from hallascope.engine.export import json_lines, tables
from hallascope.engine.export.formats import IMAGES
from hallascope.engine.export.image_paths import request_images, resolve_paths
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRecord,
    SharedRun,
    UnusableRecord,
    parse_record,
)
from hallascope.engine.images.uploads import accept
from hallascope.engine.run import prompt_facets
from hallascope.engine.storage import json_columns
from hallascope.engine.storage.people.ratings import Rating, RatingSubject
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, Run, RunPicture, Truth

_LONGEST = 64 * 2**20  # bytes of a line; every report of ours is far smaller
_PROGRESS = ("waiting", "failed", "done")  # the states of a slot in their order; it never goes back


class ImportFault(NamedTuple):
    """Holds what is wrong with a line or picture: the file, the line, and the problem.

    The line is None for the file as a whole.
    """

    file: str
    line: int | None
    problem: str

    def __str__(self) -> str:
        line = f", line {self.line}" if self.line else ""
        return f"{self.file}{line}: {self.problem}."


@dataclass(kw_only=True)
class ImportSummary:
    """Counts what came in.

    `there`: records that were here already and stay as they are; `missing`: pictures that did not
    come along.
    """

    runs: int = 0
    pictures: int = 0
    evaluations: int = 0
    ratings: int = 0
    there: int = 0
    images: int = 0
    missing: int = 0
    faults: list[ImportFault] = field(default_factory=list)


def import_runs(store: Store, path: Path) -> ImportSummary:
    """Keep everything of an export that is not here yet; the rest stays as it is.

    Doing it again changes nothing.

    A faulty line is left out and named. Raises BadRequest where there is nothing to read,
    StoreError.
    """
    folder = path if path.is_dir() else path.parent
    importer = _RecordImporter(store, folder / IMAGES)
    for file, number, line in _read_lines(path):
        try:
            if len(line) > _LONGEST:
                raise UnusableRecord(f"has more than {_LONGEST // 2**20} MB")
            importer.add(parse_record(line))
        except UnusableRecord as problem:
            fault = ImportFault(file, number, f"{problem}; it is left out")
            importer.summary.faults.append(fault)
    return importer.summary


def _read_lines(path: Path) -> Iterator[tuple[str, int, str | bytes]]:
    """Yield the file, the number and the text of every line. Raises BadRequest."""
    try:
        if path.is_dir() and not (path / json_lines.FILE).is_file():
            if not (path / "runs.parquet").is_file():
                raise BadRequest(
                    f"The folder {str(path)!r} holds neither {json_lines.FILE} nor runs.parquet:"
                    " name what `hallascope export` wrote."
                )
            yield from tables.read_record_lines(path)
        elif path.suffix.lower() == ".parquet":
            raise BadRequest(
                f"{str(path)!r} is one table of several: name the folder that holds runs.parquet"
                " and the others."
            )
        else:
            file = path / json_lines.FILE if path.is_dir() else path
            with file.open("rb") as stream:
                for number, line in enumerate(stream, 1):
                    if text := line.strip():
                        yield file.name, number, text
    except OSError as error:
        raise BadRequest(
            f"{str(path)!r} cannot be read ({error.strerror or error}): check that it is there and"
            " may be read."
        ) from error
    except ValueError as error:
        raise BadRequest(
            f"{sentence(error)[:-1]}: name a folder that `hallascope export --to parquet` wrote."
        ) from error


class _RecordImporter:
    """Takes records one by one: a run before its pictures, a picture before its evaluations."""

    def __init__(self, store: Store, images: Path) -> None:
        self.summary = ImportSummary()
        self._store = store
        self._images = images
        self._seen_images: set[str] = set()
        # of the last run: by its id, by generation the image
        self._slots: dict[str, dict[str, str | None]] = {}
        self._judged: set[tuple[str, str, str, int]] = set()
        self._facets = Facets()

    def add(self, record: SharedRecord) -> None:
        """Keep a record.

        Raises UnusableRecord where what it belongs to is not here, StoreError.
        """
        match record:
            case SharedRun():
                self._add_run(record)
            case SharedPicture():
                self._add_picture(record)
            case SharedEvaluation():
                self._add_evaluation(record)
            case SharedRating():
                self._add_rating(record)

    # --- runs ---

    def _add_run(self, run: SharedRun) -> None:
        for sha256 in request_images(run.request):
            self._add_image(sha256)
        request = resolve_paths(run.request, self._store.images.path)
        row = Run(
            id=run.id,
            created=run.created,
            state="stopped" if run.state == "running" else run.state,  # nobody here runs it
            prompt=request.prompt,
            request=json_columns.REQUEST.dump_json(request).decode(),
            notice=run.notice,
            questions=json_columns.QUESTIONS.dump_json(run.questions).decode(),
        )
        with self._store.database.write_transaction() as session:
            present = session.get(Run, run.id) is not None
            self._store.database.upsert(session, row)
        self._count("runs", present)

    # --- pictures ---

    def _add_picture(self, picture: SharedPicture) -> None:
        self._require_run(picture.run)
        if picture.image:
            self._add_image(picture.image)
        database = self._store.database
        with database.write_transaction() as session:
            stored = session.get(Generation, picture.generation)
            if stored is not None:
                _require_same_slot(picture, stored)
            # its row is as far as the record, and stays
            present = stored is not None and _PROGRESS.index(stored.state) >= _PROGRESS.index(
                picture.state
            )
            renew = ("state", "image", "seconds", "failure", "notes", "created")
            database.upsert(session, _generation(picture), renew=() if present else renew)
            joined = session.get(RunPicture, (picture.run, picture.generation)) is not None
            position = RunPicture(
                run=picture.run, generation=picture.generation, position=picture.position
            )
            database.upsert(session, position)
            if picture.truth is not None:
                truth = json_columns.TRUTH.dump_json(dict(picture.truth)).decode()
                database.upsert(session, Truth(generation=picture.generation, truth=truth))
        image = stored.image if stored and present else picture.image
        self._slots[picture.run][picture.generation] = image
        self._count("pictures", present and joined)

    def _add_image(self, sha256: str) -> None:
        """Keep the file of a picture where it lies beside, and is what its name says."""
        if sha256 in self._seen_images or self._store.picture(sha256):
            return
        self._seen_images.add(sha256)
        file = self._images / f"{sha256}.png"
        if not file.is_file():
            self.summary.missing += 1
            return
        try:
            self._store.keep_image(_read_verified_picture(file, sha256))
            self.summary.images += 1
        except (ValueError, OSError, BadImage) as problem:
            self.summary.missing += 1
            fault = ImportFault(f"{IMAGES}/{file.name}", None, str(problem).rstrip("."))
            self.summary.faults.append(fault)

    # --- evaluations ---

    def _add_evaluation(self, shared: SharedEvaluation) -> None:
        self._require_run(shared.run)
        if self._slots[shared.run].get(shared.generation) != shared.image:
            raise UnusableRecord(
                f"is of an image {shared.image[:12]!r} in the place {shared.generation!r}, and no"
                " line above says that it lies there"
            )
        key = (shared.generation, shared.metric, shared.judge or "", shared.trial)
        present = key in self._judged
        if not present:
            evaluation = Evaluation(
                generation=shared.generation,
                model=shared.model,
                image=shared.image,
                metric=shared.metric,
                judge=shared.judge,
                trial=shared.trial,
                report=shared.report,
                cached=shared.cached,
                lineup=shared.lineup,
            )
            self._store.keep_evaluation(
                run=shared.run,
                evaluation=evaluation,
                judge_revision=shared.judge_revision,
                category=shared.category,
                domain=shared.domain,
                level=self._facets.level,
                task=self._facets.task,
                field=shared.field,
                difficulty=shared.difficulty,
            )
            self._judged.add(key)
        self._count("evaluations", present)

    # --- ratings ---

    def _add_rating(self, shared: SharedRating) -> None:
        """Keep a rating unless the same person's here is as new."""
        subject = RatingSubject(
            shared.image, shared.metric, shared.prompt, shared.finding, shared.rater
        )
        kept = self._store.ratings.keep_newer([Rating(subject, shared.value, shared.created)])
        self._count("ratings", not kept)

    # --- what is here already ---

    def _require_run(self, run: str) -> None:
        """Look up, once a run, what this store has of it.

        Raises UnusableRecord where it has no such run.
        """
        if run in self._slots:
            return
        slots = (
            select(Generation.id, Generation.image)
            .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
            .where(RunPicture.run == run)
        )
        judged = select(
            EvaluationRow.generation,
            EvaluationRow.metric,
            EvaluationRow.judge,
            EvaluationRow.trial,
        ).where(EvaluationRow.run == run)
        with self._store.database.read_transaction() as session:
            row = session.get(Run, run)
            if row is None:
                raise UnusableRecord(
                    f"belongs to the run {run!r}, which no line above brings and which is not here"
                )
            self._slots = {run: dict(session.exec(slots).all())}
            self._judged = {
                (generation, metric, judge, trial)
                for generation, metric, judge, trial in session.exec(judged).all()
            }
        request = json_columns.REQUEST.validate_json(row.request)
        self._facets = prompt_facets.for_request(request)

    def _count(self, what: str, present: bool) -> None:
        name = "there" if present else what
        setattr(self.summary, name, getattr(self.summary, name) + 1)


def _require_same_slot(picture: SharedPicture, stored: Generation) -> None:
    slot = (picture.prompt, picture.model, picture.seed)
    if (stored.prompt, stored.model, stored.seed) != slot:
        raise UnusableRecord(
            f"puts an image in the place {picture.generation!r}, where another prompt, model or"
            " seed stands here"
        )


def _generation(picture: SharedPicture) -> Generation:
    failure = picture.failure
    return Generation(
        id=picture.generation,
        prompt=picture.prompt,
        model=picture.model,
        revision=picture.revision,
        seed=picture.seed,
        settings=json_columns.SETTINGS.dump_json(dict(picture.settings)).decode(),
        state=picture.state,
        image=picture.image,
        seconds=picture.seconds,
        failure=json_columns.FAILURE.dump_json(failure).decode() if failure else None,
        notes=json_columns.SETTINGS.dump_json(dict(picture.notes or {})).decode(),
        created=picture.created,
    )


def _read_verified_picture(file: Path, sha256: str) -> bytes:
    """Return the bytes of a picture.

    Raises ValueError where they are not those its name says, BadImage where they are no picture,
    OSError.
    """
    accept(file)  # no larger and no stranger than what a person may bring
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError(
            "does not hold what its name says (another SHA-256); the image is left out"
        )
    return data
