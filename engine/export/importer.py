"""Brings exported runs into a store: JSON lines or Parquet, with their pictures."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter
from sqlmodel import col, select

from hallascope.data.records import Question
from hallascope.engine.errors import BadImage, BadRequest, sentence
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.export import json_lines, tables
from hallascope.engine.export.formats import IMAGES
from hallascope.engine.export.image_paths import pictures, with_paths
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRecord,
    SharedRun,
    UnusableRecord,
    record,
)
from hallascope.engine.images.uploads import accept
from hallascope.engine.run import prompt_facets
from hallascope.engine.storage.ratings import Rating, RatingSubject
from hallascope.engine.storage.scores import Facets
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, Run, RunPicture, Truth

_LONGEST = 64 * 2**20  # bytes of a line; no report of ours comes near
_FAR = ("waiting", "failed", "done")  # the states of a place; it is never set back
_REQUEST = TypeAdapter(EvaluateRequest)
_QUESTIONS = TypeAdapter(tuple[Question, ...])
_ANY: TypeAdapter[object] = TypeAdapter(object)


class ImportFault(NamedTuple):
    """Holds what is wrong with a line or picture: the file, the line, and the problem.

    The line is None for the file as a whole.
    """

    file: str
    line: int | None
    problem: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.problem}."


@dataclass(kw_only=True)
class ImportSummary:
    """What came in.

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


def bring(store: Store, path: Path) -> ImportSummary:
    """Keep everything of an export that is not here yet; the rest stays as it is.

    Doing it again changes nothing.

    A faulty line is left out and named. Raises BadRequest where there is nothing to read,
    StoreError.
    """
    arriving = _RecordImporter(store, _images_folder(path))
    for file, number, said in _read_lines(path):
        try:
            if len(said) > _LONGEST:
                raise UnusableRecord(f"has more than {_LONGEST // 2**20} MB")
            arriving.take(record(said))
        except UnusableRecord as problem:
            arriving.found.faults.append(ImportFault(file, number, f"{problem}; it is left out"))
    return arriving.found


def _read_lines(path: Path) -> Iterator[tuple[str, int, str | bytes]]:
    """File, line and what stands there. Raises BadRequest."""
    file = path / json_lines.FILE if path.is_dir() else path
    try:
        if path.is_dir() and not file.is_file():
            if not (path / "runs.parquet").is_file():
                raise BadRequest(
                    f"The folder {str(path)!r} holds neither {json_lines.FILE} nor runs.parquet:"
                    " name what `hallascope export` wrote."
                )
            yield from tables.records(path)
        elif file.suffix.lower() == ".parquet":
            raise BadRequest(
                f"{str(path)!r} is one table of several: name the folder that holds runs.parquet"
                " and the others."
            )
        else:
            with file.open("rb") as stream:
                yield from (
                    (file.name, number, said.strip())
                    for number, said in enumerate(stream, 1)
                    if said.strip()
                )
    except OSError as error:
        raise BadRequest(
            f"{str(path)!r} cannot be read ({error.strerror or error}): check that it is there and"
            " may be read."
        ) from error
    except ValueError as error:
        raise BadRequest(
            f"{sentence(error)[:-1]}: name a folder that `hallascope export --to parquet` wrote."
        ) from error


def _images_folder(path: Path) -> Path:
    return (path if path.is_dir() else path.parent) / IMAGES


class _RecordImporter:
    """Takes records one by one: a run before its pictures, a picture before its evaluations."""

    def __init__(self, store: Store, images: Path) -> None:
        self._store = store
        self._images = images
        self._places: dict[
            str, dict[str, str | None]
        ] = {}  # run -> generation -> image, of the last run
        self._judged: set[tuple[str, str, str | None, int]] = set()
        self._looked: set[str] = set()
        self._facets = Facets("", "", "", "")  # of the prompt of the last run
        self.found = ImportSummary()

    def take(self, one: SharedRecord) -> None:
        """Raises Unusable where what it belongs to is not here, StoreError."""
        match one:
            case SharedRun():
                self._run(one)
            case SharedPicture():
                self._picture(one)
            case SharedEvaluation():
                self._evaluation(one)
            case SharedRating():
                self._rating(one)

    # --- runs
    # ----------------------------------------------------------------------------------------------

    def _run(self, one: SharedRun) -> None:
        for sha256 in pictures(one.request):
            self._image(sha256)
        request = with_paths(one.request, self._store.images.path)
        state = "stopped" if one.state == "running" else one.state  # nobody here is at it
        row = Run(
            id=one.id,
            created=one.created,
            state=state,
            prompt=request.prompt,
            request=_REQUEST.dump_json(request).decode(),
            notice=one.notice,
            questions=_QUESTIONS.dump_json(one.questions).decode(),
        )
        with self._store.database.writing() as session:
            there = session.get(Run, one.id) is not None
            self._store.database.upsert(session, row)
        self._count("runs", there)

    # --- pictures
    # ----------------------------------------------------------------------------------------------

    def _picture(self, one: SharedPicture) -> None:
        self._require_run(one.run)
        if one.image:
            self._image(one.image)
        values = {
            name: _ANY.dump_json(getattr(one, name) or {}).decode()
            for name in ("settings", "notes")
        }
        row = Generation(
            id=one.generation,
            prompt=one.prompt,
            model=one.model,
            revision=one.revision,
            seed=one.seed,
            state=one.state,
            image=one.image,
            seconds=one.seconds,
            failure=_ANY.dump_json(one.failure).decode() if one.failure else None,
            created=one.created,
            **values,
        )
        put = self._store.database.upsert
        with self._store.database.writing() as session:
            kept = session.get(Generation, one.generation)
            if kept is not None and (kept.prompt, kept.model, kept.seed) != (
                one.prompt,
                one.model,
                one.seed,
            ):
                raise UnusableRecord(
                    f"puts a picture in the place {one.generation!r}, where another prompt, model"
                    " or seed stands here"
                )
            there = kept is not None and _FAR.index(kept.state) >= _FAR.index(one.state)
            renew = () if there else ("state", "image", "seconds", "failure", "notes", "created")
            put(session, row, renew=renew)
            joined = session.get(RunPicture, (one.run, one.generation)) is not None
            put(session, RunPicture(run=one.run, generation=one.generation, position=one.position))
            if one.truth is not None:
                put(
                    session,
                    Truth(generation=one.generation, truth=_ANY.dump_json(one.truth).decode()),
                )
        self._places[one.run][one.generation] = kept.image if kept and there else one.image
        self._count("pictures", there and joined)

    def _image(self, sha256: str) -> None:
        """Take in the file of a picture where it lies beside, and is what its name says."""
        if sha256 in self._looked or self._store.picture(sha256):
            return
        self._looked.add(sha256)
        file = self._images / f"{sha256}.png"
        if not file.is_file():
            self.found.missing += 1
            return
        try:
            self._store.keep_image(_read_verified_picture(file, sha256))
            self.found.images += 1
        except (ValueError, OSError, BadImage) as problem:
            self.found.missing += 1
            self.found.faults.append(
                ImportFault(f"{IMAGES}/{file.name}", None, str(problem).rstrip("."))
            )

    # --- evaluations
    # ----------------------------------------------------------------------------------------------

    def _evaluation(self, one: SharedEvaluation) -> None:
        self._require_run(one.run)
        if self._places[one.run].get(one.generation) != one.image:
            raise UnusableRecord(
                f"is of a picture {one.image[:12]!r} in the place {one.generation!r}, and no line"
                " above says that it lies there"
            )
        name = one.generation, one.metric, one.judge or "", one.trial
        there = name in self._judged
        if not there:
            said = Evaluation(
                generation=one.generation,
                model=one.model,
                image=one.image,
                metric=one.metric,
                judge=one.judge,
                trial=one.trial,
                report=one.report,
                cached=one.cached,
                lineup=one.lineup,
            )
            self._store.keep_evaluation(
                run=one.run,
                said=said,
                judge_revision=one.judge_revision,
                category=one.category,
                domain=one.domain,
                level=self._facets.level,
                task=self._facets.task,
            )
            self._judged.add(name)
        self._count("evaluations", there)

    # --- people
    # ----------------------------------------------------------------------------------------------

    def _rating(self, one: SharedRating) -> None:
        """What a person said last stands: there or here."""
        about = RatingSubject(one.image, one.metric, one.prompt, one.finding, one.rater)
        self._count(
            "ratings", not self._store.ratings.take([Rating(about, one.value, one.created)])
        )

    # --- what is here already
    # ---------------------------------------------------------------------------------------

    def _require_run(self, run: str) -> None:
        """Look up, once a run, what this store has of it.

        Raises Unusable where it has no such run.
        """
        if run in self._places:
            return
        with self._store.database.reading() as session:
            if session.get(Run, run) is None:
                raise UnusableRecord(
                    f"belongs to the run {run!r}, which no line above brings and which is not here"
                )
            placed = select(Generation.id, Generation.image).join(
                RunPicture, col(RunPicture.generation) == col(Generation.id)
            )
            columns = (
                EvaluationRow.generation,
                EvaluationRow.metric,
                EvaluationRow.judge,
                EvaluationRow.trial,
            )
            images = dict(session.exec(placed.where(RunPicture.run == run)).all())
            judged = session.exec(select(*columns).where(EvaluationRow.run == run)).all()
        self._facets = prompt_facets.for_request(self._store.run(run).request)
        self._places = {run: images}
        self._judged = {tuple(row) for row in judged}  # type: ignore[misc]

    def _count(self, what: str, there: bool) -> None:
        name = "there" if there else what
        setattr(self.found, name, getattr(self.found, name) + 1)


def _read_verified_picture(file: Path, sha256: str) -> bytes:
    """The bytes of a picture.

    Raises ValueError where they are not those its name says, BadImage where they are no picture,
    OSError.
    """
    accept(file)  # no larger and no stranger than what a person may bring
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError(
            "does not hold what its name says (another SHA-256); the picture is left out"
        )
    return data
