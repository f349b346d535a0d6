"""Imports exported runs into a store: JSON lines or Parquet, with their pictures."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.engine.errors import BadImage, BadRequest, sentence
from hallascope.engine.export import tables
from hallascope.engine.export.formats import IMAGES_FOLDER
from hallascope.engine.export.records import (
    SharedPicture,
    SharedRecord,
    UnusableRecord,
    parse_record,
    read_pictures,
    request_images,
    resolve_paths,
)
from hallascope.engine.images.uploads import accept
from hallascope.engine.run.concept_resolution import prompt_facets
from hallascope.engine.storage.evaluations import StoredEvaluation
from hallascope.engine.storage.people.ratings import Rating
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import RunRecord, Store
from hallascope.engine.storage.tables import (
    FAILURE,
    QUESTIONS,
    REQUEST,
    SETTINGS,
    TRUTH,
    Generation,
    Run,
    RunPicture,
    Truth,
)

_LONGEST = 64 * 2**20  # bytes of a line; every report of ours is far smaller
_SLOT = ("prompt", "model", "seed")  # what a place of a run is for
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
    importer = _RecordImporter(store, folder / IMAGES_FOLDER)
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
    file = path / tables.JSON_LINES if path.is_dir() else path
    try:
        if path.suffix.lower() == ".parquet":
            raise BadRequest(
                f"{str(path)!r} is one table of several: name the folder that holds runs.parquet"
                " and the others."
            )
        if path.is_dir() and not file.is_file():
            if not (path / tables.HEAD).is_file():
                raise BadRequest(
                    f"The folder {str(path)!r} holds neither {tables.JSON_LINES} nor"
                    f" {tables.HEAD}: name what `hallascope export` wrote."
                )
            yield from tables.read_record_lines(path)
            return
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
        """Keep a record, and count it.

        Raises UnusableRecord where what it belongs to is not here, StoreError.
        """
        match record:
            case RunRecord():
                what, is_new = "runs", self._add_run(record)
            case SharedPicture():
                what, is_new = "pictures", self._add_picture(record)
            case StoredEvaluation():
                what, is_new = "evaluations", self._add_evaluation(record)
            case Rating():
                what, is_new = "ratings", self._store.ratings.keep_newer([record]) > 0
        name = what if is_new else "there"
        setattr(self.summary, name, getattr(self.summary, name) + 1)

    def _add_run(self, run: RunRecord) -> bool:
        for sha256 in request_images(run.request):
            self._add_image(sha256)
        request = resolve_paths(run.request, self._store.images.path)
        row = Run(
            id=run.id,
            created=run.created,
            state="stopped" if run.state == "running" else run.state,  # nobody here runs it
            prompt=request.prompt,
            request=REQUEST.dump_json(request).decode(),
            notice=run.notice,
            questions=QUESTIONS.dump_json(run.questions).decode(),
        )
        with self._store.database.write_transaction() as session:
            is_new = session.get(Run, run.id) is None
            self._store.database.upsert(session, row)
        return is_new

    def _add_picture(self, picture: SharedPicture) -> bool:
        self._require_run(picture.run)
        if picture.image:
            self._add_image(picture.image)
        row = _generation(picture)
        place = RunPicture(
            run=picture.run, generation=picture.generation, position=picture.position
        )
        with self._store.database.write_transaction() as session:
            stored = session.get(Generation, picture.generation)
            if stored and any(getattr(stored, name) != getattr(row, name) for name in _SLOT):
                raise UnusableRecord(
                    f"puts an image in the place {picture.generation!r}, where another prompt,"
                    " model or seed stands here"
                )
            # a row that is as far as the record stays
            is_older = stored is None or _PROGRESS.index(stored.state) < _PROGRESS.index(row.state)
            joined = session.get(RunPicture, (picture.run, picture.generation)) is not None
            image = picture.image if stored is None or is_older else stored.image
            renew = ("state", "image", "seconds", "failure", "notes", "created")
            self._store.database.upsert(session, row, renew=renew if is_older else ())
            self._store.database.upsert(session, place)
            if picture.truth is not None:
                truth = TRUTH.dump_json(dict(picture.truth)).decode()
                kept = Truth(generation=picture.generation, truth=truth)
                self._store.database.upsert(session, kept)
        self._slots[picture.run][picture.generation] = image
        return is_older or not joined

    def _add_image(self, sha256: str) -> None:
        """Keep the file of a picture where it lies beside, and is what its name says."""
        if sha256 in self._seen_images or self._store.picture(sha256):
            return
        self._seen_images.add(sha256)
        file = self._images / f"{sha256}.png"
        if file.is_file():
            try:
                accept(file)  # no larger and no stranger than what a person may bring
                data = file.read_bytes()
                if hashlib.sha256(data).hexdigest() != sha256:
                    raise ValueError(
                        "does not hold what its name says (another SHA-256); the image is left out"
                    )
                self._store.keep_image(data)
                self.summary.images += 1
                return
            except (ValueError, OSError, BadImage) as problem:
                fault = ImportFault(f"{IMAGES_FOLDER}/{file.name}", None, str(problem).rstrip("."))
                self.summary.faults.append(fault)
        self.summary.missing += 1

    def _add_evaluation(self, shared: StoredEvaluation) -> bool:
        self._require_run(shared.run)
        if self._slots[shared.run].get(shared.generation) != shared.image:
            raise UnusableRecord(
                f"is of an image {shared.image[:12]!r} in the place {shared.generation!r}, and no"
                " line above says that it lies there"
            )
        key = (shared.generation, shared.metric, shared.judge or "", shared.trial)
        if key in self._judged:
            return False
        facets = self._facets._replace(
            category=shared.category or "",
            domain=shared.domain or "",
            field=shared.field or "",
            difficulty=shared.difficulty or "",
        )
        self._store.keep_evaluation(shared.run, shared, shared.judge_revision, facets)
        self._judged.add(key)
        return True

    def _require_run(self, run: str) -> None:
        """Look up, once a run, what this store has of it.

        Raises UnusableRecord where it has no such run.
        """
        if run in self._slots:
            return
        if not self._store.has_run(run):
            raise UnusableRecord(
                f"belongs to the run {run!r}, which no line above brings and which is not here"
            )
        self._slots = {run: {}}
        for picture in read_pictures(self._store, run):
            self._slots[run][picture.generation] = picture.image
        self._judged = {
            (row.generation, row.metric, row.judge, row.trial)
            for row in self._store.evaluation_rows(run)
        }
        self._facets = prompt_facets(self._store.run(run).request)


def _generation(picture: SharedPicture) -> Generation:
    """Return the row of a picture, of which what is no plain value is JSON."""
    values: dict[str, Any] = vars(picture) | {
        "id": picture.generation,
        "settings": SETTINGS.dump_json(dict(picture.settings)).decode(),
        "notes": SETTINGS.dump_json(dict(picture.notes or {})).decode(),
    }
    if picture.failure:
        values["failure"] = FAILURE.dump_json(picture.failure).decode()
    return Generation(**{name: values[name] for name in Generation.model_fields})
