"""Keeps runs and pictures in a database by URL, with all that belongs to them.

What is written is whole or not there.
"""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, cast

import sqlalchemy as sa
from sqlmodel import col, select

from hallascope.data.records import Picture, Question
from hallascope.data.requests import Failure, Generated, Setting
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import UnknownRun
from hallascope.engine.events import EvaluateRequest, GeneratedPicture, PictureState, RunState
from hallascope.engine.storage.catalog import RunCatalog
from hallascope.engine.storage.database import Database, chunked, storable
from hallascope.engine.storage.embeddings import EmbeddingStore
from hallascope.engine.storage.evaluations import EvaluationStore
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.ledger import Ledger
from hallascope.engine.storage.lessons import LessonStore
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.people.labeling import LabelingStore
from hallascope.engine.storage.people.ratings import RatingStore
from hallascope.engine.storage.people.readings import ReadingStore
from hallascope.engine.storage.questions_and_replies import QuestionAndReplyStore
from hallascope.engine.storage.scores import injected_knowledge
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

_COLUMNS = "g.id, g.model, g.seed, g.settings, g.state, g.image, g.seconds, g.failure, g.notes"
# Written out, since every image needs them, and to build them takes longer than to run them.
_SELECT_STATE = sa.text(
    "SELECT state, notice, questions, EXISTS (SELECT 1 FROM owner WHERE kind = 'run' AND key ="
    " :run) AS is_owned FROM run WHERE id = :run"
)
_SELECT_OF_RUN = sa.text(
    f"SELECT {_COLUMNS} FROM generation g JOIN runpicture p ON p.generation = g.id WHERE p.run ="
    " :run ORDER BY p.position"
)
_SELECT_BY_ID = sa.text(f"SELECT {_COLUMNS} FROM generation g WHERE g.id IN :ids").bindparams(
    sa.bindparam("ids", expanding=True)
)
_SELECT_BY_IMAGE = sa.text(
    f"SELECT {_COLUMNS} FROM generation g WHERE g.image = :image ORDER BY g.id"
)
_END_RUN = sa.text("UPDATE run SET state = :state WHERE id = :run AND state <> 'finished'")
_PUT_PICTURE = sa.text(
    "UPDATE generation SET state = 'done', image = :image, seconds = :seconds, failure = NULL,"
    " notes = :notes, created = :created WHERE id = :id"
)
_PUT_FAILURE = sa.text(
    "UPDATE generation SET state = 'failed', failure = :failure WHERE id = :id AND state <> 'done'"
)


class PictureSlot(NamedTuple):
    """Names where a picture is to be: its id and all it depends on.

    With knowledge beside the prompt `settings` says which (`scores.INJECTED`).
    """

    id: str
    prompt: str
    model: str
    revision: str
    seed: int
    settings: Mapping[str, Setting]


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """Holds the head of a stored run; `created` is in seconds since 1970."""

    id: str
    created: float
    state: RunState
    request: EvaluateRequest
    questions: tuple[Question, ...] = ()
    notice: str | None = None


def home() -> Path:
    """Return where everything is kept.

    It is HALLASCOPE_HOME, else ``.hallascope`` in the working folder.
    """
    return Path(os.environ.get("HALLASCOPE_HOME") or ".hallascope").absolute()


class Store(EvaluationStore, QuestionAndReplyStore):
    """Keeps runs and what came of them.

    `url` is SQLite or PostgreSQL; None is SQLite in `folder`, where the images lie too.

    Without both it is the database that HALLASCOPE_STORE names, or SQLite at home; the images lie
    at home. `database`: one that is open already, in place of `url`. Every method raises StoreError
    with one sentence where the database or the disk does not do its part. Safe to use from several
    threads and several processes.
    """

    def __init__(
        self,
        url: str | None = None,
        folder: Path | None = None,
        images: ImageStore | None = None,
        database: Database | None = None,
    ) -> None:
        if folder is None:
            url = url or os.environ.get("HALLASCOPE_STORE")
        self.folder = folder or home()
        self.images = images or ImageStore(self.folder / "images")
        super().__init__(database or Database(url, self.folder))
        self.owners = Owners(self.database)
        self.ledger = Ledger(self.database)

    # what few jobs need is made when it is first asked for

    @cached_property
    def ratings(self) -> RatingStore:
        return RatingStore(self.database)

    @cached_property
    def readings(self) -> ReadingStore:
        return ReadingStore(self.database)

    @cached_property
    def labeling(self) -> LabelingStore:
        return LabelingStore(self.database)

    @cached_property
    def embeddings(self) -> EmbeddingStore:
        return EmbeddingStore(self.database)

    @cached_property
    def lessons(self) -> LessonStore:
        return LessonStore(self.database)

    @cached_property
    def catalog(self) -> RunCatalog:
        return RunCatalog(self.database)

    def __repr__(self) -> str:
        return f"Store({self.display_address!r})"

    @property
    def display_address(self) -> str:
        """Where the database is, for people: the URL without its password."""
        return self.database.display_address

    def close(self) -> None:
        self.database.close()

    def acting_for(self, visitor: Visitor | None) -> "Store":
        """Return the same store as a visitor of a public app may use it; None is the operator."""
        return Store(
            folder=self.folder, images=self.images, database=self.database.acting_for(visitor)
        )

    def stored_bytes(self) -> int:
        """Return how much room the store takes on the disk of this machine, in bytes."""
        files = (path for path in self.folder.rglob("*") if path.is_file())
        with self.database.guard("read"):
            return sum(path.stat().st_size for path in files)

    # --- runs ---

    def start_run(
        self,
        run: str,
        request: EvaluateRequest,
        slots: Sequence[PictureSlot],
        questions: Sequence[Question] = (),
        notice: str | None = None,
    ) -> bool:
        """Keep a run and the slots of its pictures; what is there of them already stays.

        A run that is finished stays so; return whether it is.
        """
        shown = QUESTIONS.dump_json(tuple(questions)).decode()
        with self.database.read_connection() as connection:
            known = connection.execute(_SELECT_STATE, {"run": run}).first()
        if (
            known
            and (known.state, known.notice, known.questions) == ("finished", notice, shown)
            and not known.is_owned
            and self.owners.visitor is None
        ):
            return True
        now = time.time()
        row = {
            "id": run,
            "created": now,
            "state": "running",
            "prompt": request.prompt,
            "request": REQUEST.dump_json(request).decode(),
            "notice": notice,
            "questions": shown,
        }
        empty = {"state": "waiting", "image": None, "seconds": None, "failure": None, "notes": "{}"}
        pictures = [
            {
                **slot._asdict(),
                "settings": SETTINGS.dump_json(dict(slot.settings)).decode(),
                **empty,
                "created": now,
            }
            for slot in slots
        ]
        positions = [
            {"run": run, "generation": slot.id, "position": position}
            for position, slot in enumerate(slots)
        ]
        # who asks for a run again, and stops it, does not leave it unfinished for others
        with self.database.write_transaction() as session:
            connection = session.connection()
            known = connection.execute(_SELECT_STATE, {"run": run}).first()
            is_over = known is not None and known.state == "finished"
            renew = ("notice", "questions") if is_over else ("state", "notice", "questions")
            self.owners.add(session, "run", run, is_author=known is None)
            if self.owners.visitor is None and known and known.is_owned:
                self.owners.share(session, "run", run)
            self.database.write_rows(connection, Run, [row], renew=renew)
            self.database.write_rows(connection, Generation, pictures)
            self.database.write_rows(connection, RunPicture, positions)
        return is_over

    def end_run(self, run: str, state: RunState) -> None:
        with self.database.write_connection() as connection:
            connection.execute(_END_RUN, {"run": run, "state": state})

    def has_run(self, run: str) -> bool:
        with self.database.read_transaction() as session:
            return session.get(Run, run) is not None

    def run(self, run: str) -> RunRecord:
        """Return the head of a run. Raises UnknownRun."""
        with self.database.read_transaction() as session:
            row = session.get(Run, run)
        if row is None:
            raise UnknownRun(
                f"No run {run!r} is stored here: start it again, or look whether HALLASCOPE_HOME"
                " names the right folder."
            )
        return _run_record(row)

    def runs(self, limit: int = 20) -> list[RunRecord]:
        """Return the newest runs, newest first."""
        query = select(Run).order_by(col(Run.created).desc()).limit(limit)
        return [_run_record(row) for row in self.database.read(query)]

    # --- pictures ---

    def generated_pictures(self, run: str) -> list[GeneratedPicture]:
        """Return the pictures of a run and the slots of those to come, in order."""
        return self._read_pictures(_SELECT_OF_RUN, [{"run": run}])

    def generated_pictures_by_id(self, generations: Sequence[str]) -> list[GeneratedPicture]:
        """Return the slots of these ids that are there, in any run."""
        return self._read_pictures(_SELECT_BY_ID, [{"ids": ids} for ids in chunked(generations)])

    def generated_pictures_of_image(self, image: str) -> list[GeneratedPicture]:
        """Return the slots that hold the picture of that SHA-256, in any run."""
        return self._read_pictures(_SELECT_BY_IMAGE, [{"image": image}])

    def _read_pictures(
        self, statement: sa.TextClause, values: Sequence[Mapping[str, Any]]
    ) -> list[GeneratedPicture]:
        with self.database.read_connection() as connection:
            rows = [row for each in values for row in connection.execute(statement, each)]
        return [self._generated_picture(row) for row in rows]

    def picture(self, image: str) -> Picture | None:
        """Return the stored picture with that SHA-256."""
        path = self.images.path(image)
        return Picture(image, path) if path.exists() else None

    def keep_image(self, png: bytes, text: Mapping[str, str] | None = None) -> Picture:
        """Keep a PNG as a file, with `text` about it in its text chunks.

        Raises ValueError where it is no whole PNG.
        """
        with self.database.guard("written"):
            return self.images.add(png, text, self.database.count_stored)

    def keep_picture(
        self,
        slot: PictureSlot,
        image: Picture,
        generated: Generated | None = None,
        seconds: float | None = None,
    ) -> GeneratedPicture:
        """Put a kept image into its slot.

        The file is there before the row, so a row never names a file that is not. An image that was
        `generated` leaves the one that another process has put there meanwhile.
        """
        notes = dict(generated.notes) if generated else {}
        values = {
            "id": slot.id,
            "image": image.sha256,
            "seconds": seconds,
            "notes": SETTINGS.dump_json(notes).decode(),
            "created": time.time(),
        }
        with self.database.write_connection() as connection:
            row = self._locked_row(connection, slot)
            if generated and row.image and self.images.path(row.image).exists():
                return self._generated_picture(row)
            connection.execute(_PUT_PICTURE, storable(values))
            if generated and generated.truth is not None:
                truth = TRUTH.dump_json(dict(generated.truth)).decode()
                rows = [{"generation": slot.id, "truth": truth}]
                self.database.write_rows(connection, Truth, rows, renew=("truth",))
            return self._generated_picture(self._locked_row(connection, slot))

    def _locked_row(self, connection: sa.Connection, slot: PictureSlot) -> Any:
        """Return the row of a slot, which nobody else changes before this transaction does."""
        lock = " FOR NO KEY UPDATE" if connection.dialect.name == "postgresql" else ""
        statement = sa.text(f"SELECT {_COLUMNS} FROM generation g WHERE g.id = :id{lock}")
        return connection.execute(statement, {"id": slot.id}).one()

    def keep_failure(self, slot: PictureSlot, failure: Failure) -> GeneratedPicture:
        """Note that there is no picture, and why; a picture that is there already stays."""
        values = {"id": slot.id, "failure": FAILURE.dump_json(failure).decode()}
        with self.database.write_connection() as connection:
            connection.execute(_PUT_FAILURE, storable(values))
            return self._generated_picture(self._locked_row(connection, slot))

    def truth(self, image: str) -> Mapping[str, Any] | None:
        """Return what a simulated model knows it drew, for showing it to people.

        It is None where nobody knows.
        """
        query = (
            select(Truth.truth)
            .join(Generation, col(Truth.generation) == col(Generation.id))
            .where(Generation.image == image)
            .limit(1)
        )
        return next(map(TRUTH.validate_json, self.database.read(query)), None)

    def median_seconds(self, model: str, last: int = 20) -> float | None:
        """Return the median of how long the model's last pictures took, None without any."""
        query = (
            select(Generation.seconds)
            .where(Generation.model == model, col(Generation.seconds).is_not(None))
            .order_by(col(Generation.created).desc())
            .limit(last)
        )
        durations = self.database.read(query)
        return median(durations) if durations else None

    def _generated_picture(self, row: Any) -> GeneratedPicture:
        failure = FAILURE.validate_json(row.failure) if row.failure else None
        return GeneratedPicture(
            generation=row.id,
            model=row.model,
            seed=row.seed,
            state=cast(PictureState, row.state),
            image=row.image,
            path=self.images.path(row.image) if row.image else None,
            thumbnail=self.images.thumbnail_path(row.image) if row.image else None,
            seconds=row.seconds,
            failure=failure,
            notes=SETTINGS.validate_json(row.notes),
            injected=injected_knowledge(row.settings),
        )


def _run_record(row: Run) -> RunRecord:
    # a state of a later version counts as finished
    state = row.state if row.state in ("running", "stopped") else "finished"
    return RunRecord(
        id=row.id,
        created=row.created,
        state=cast(RunState, state),
        request=REQUEST.validate_json(row.request),
        questions=QUESTIONS.validate_json(row.questions),
        notice=row.notice,
    )
