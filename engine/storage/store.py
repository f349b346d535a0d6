"""Keeps runs, pictures and evaluations in a database by URL.

What is written is whole or not there.
"""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple, cast

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import col, delete, select

from hallascope.data.models.specs import KNOWLEDGE, Knowledge
from hallascope.data.records import Picture, Question, Report
from hallascope.data.requests import Failure, Generated, Role, Setting
from hallascope.engine.errors import UnknownRun
from hallascope.engine.events import (
    UPLOADED,
    EvaluateRequest,
    Evaluation,
    GeneratedPicture,
    PictureState,
)
from hallascope.engine.storage.claims import Claims
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.ledger import Ledger
from hallascope.engine.storage.lessons import LessonStore
from hallascope.engine.storage.questions_and_replies import CHUNK, QuestionAndReplyStore
from hallascope.engine.storage.ratings import RatingStore
from hallascope.engine.storage.scores import INJECTED as INJECTED
from hallascope.engine.storage.scores import Facets, score_rows, write_scores
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    Run,
    RunPicture,
    Truth,
    VerdictRow,
)
from hallascope.metrics.running_sums import parts

RunState = Literal["running", "stopped", "finished"]
_OURS: Any = {"key_share": True}  # nobody else changes the row before we do; others may refer to it

_SAME = ("run", "generation", "metric", "judge", "trial")  # what no two evaluations have in common
_MADE = sa.text("SELECT seed, settings FROM generation WHERE id = :id")

_REQUEST = TypeAdapter(EvaluateRequest)
_REPORT = TypeAdapter(Report)
_FAILURE = TypeAdapter(Failure)
_QUESTIONS = TypeAdapter(tuple[Question, ...])
_SETTINGS = TypeAdapter(dict[str, Setting])
_ANYTHING = TypeAdapter(dict[str, Any])
_LINEUP = TypeAdapter(dict[Role, str])


class PictureSlot(NamedTuple):
    """Where a picture is to be: its id and all it depends on.

    With knowledge beside the prompt `settings` says which (INJECTED).
    """

    id: str
    prompt: str
    model: str
    revision: str
    seed: int
    settings: Mapping[str, Setting]


class MetricHistoryEntry(NamedTuple):
    """Holds what a metric said of a picture, its run's request, and the picture's knowledge."""

    request: EvaluateRequest
    evaluation: Evaluation
    injected: Knowledge | None


class RunRecord(NamedTuple):
    """The head of a stored run."""

    id: str
    created: float
    state: RunState
    request: EvaluateRequest
    questions: tuple[Question, ...]
    notice: str | None


def home() -> Path:
    """Where everything is kept: HALLASCOPE_HOME, else ``.hallascope`` in the working folder."""
    return Path(os.environ.get("HALLASCOPE_HOME") or ".hallascope").absolute()


class Store(QuestionAndReplyStore):
    """Runs and what came of them.

    `url` is SQLite or PostgreSQL; None is SQLite in `folder`, where the images lie too.

    Without both it is the database that HALLASCOPE_STORE names, or SQLite at home; the images lie
    at home. Every method raises StoreError with one sentence where the database or the disk does
    not do its part. Safe to use from several threads and several processes.
    """

    def __init__(
        self, url: str | None = None, folder: Path | None = None, images: ImageStore | None = None
    ) -> None:
        if folder is None:
            url = url or os.environ.get("HALLASCOPE_STORE")
        self.folder = folder or home()
        super().__init__(Database(url, self.folder))
        self._keeping = _keeping(self.database)
        self.images = images or ImageStore(self.folder / "images")
        self.ledger = Ledger(self.database)
        self.claims = Claims(self.database)
        self.ratings = RatingStore(self.database)
        self.lessons = LessonStore(self.database)

    def __repr__(self) -> str:
        return f"Store({self.display_address!r})"

    @property
    def display_address(self) -> str:
        """Where the database is, for people: the URL without its password."""
        return self.database.display_address

    def close(self) -> None:
        self.database.close()

    # --- runs
    # ----------------------------------------------------------------------------------------------

    def start_run(
        self,
        run: str,
        request: EvaluateRequest,
        places: Sequence[PictureSlot],
        questions: Sequence[Question] = (),
        notice: str | None = None,
    ) -> None:
        """Keep a run and the places of its pictures; what is there of it already stays."""
        said = _REQUEST.dump_json(request).decode()
        asked = _QUESTIONS.dump_json(tuple(questions)).decode()
        with self.database.writing() as session:
            row = Run(
                id=run,
                state="running",
                prompt=request.prompt,
                request=said,
                notice=notice,
                questions=asked,
            )
            self.database.upsert(session, row, renew=("state", "notice", "questions"))
            self.database.upsert(session, *(_waiting(place) for place in places))
            self.database.upsert(
                session,
                *(
                    RunPicture(run=run, generation=place.id, position=i)
                    for i, place in enumerate(places)
                ),
            )

    def end_run(self, run: str, state: RunState) -> None:
        with self.database.writing() as session:
            row = session.get(Run, run)
            if row:
                row.state = state
                session.add(row)

    def run(self, run: str) -> RunRecord:
        """Raises UnknownRun."""
        with self.database.reading() as session:
            row = session.get(Run, run)
        if row is None:
            raise UnknownRun(
                f"No run {run!r} is stored here: start it again, or look whether HALLASCOPE_HOME"
                " names the right folder."
            )
        return _record(row)

    def runs(self, limit: int = 20) -> list[RunRecord]:
        """The newest runs, newest first."""
        with self.database.reading() as session:
            rows = session.exec(select(Run).order_by(col(Run.created).desc()).limit(limit)).all()
        return [_record(row) for row in rows]

    # --- pictures
    # ----------------------------------------------------------------------------------------------

    def shots(self, run: str) -> list[GeneratedPicture]:
        """The pictures of a run and the places of those to come, in order."""
        chosen = select(Generation).join(
            RunPicture, col(RunPicture.generation) == col(Generation.id)
        )
        with self.database.reading() as session:
            rows = session.exec(
                chosen.where(RunPicture.run == run).order_by(col(RunPicture.position))
            ).all()
        return [self._shot(row) for row in rows]

    def shots_by_id(self, generations: Sequence[str]) -> list[GeneratedPicture]:
        """The places of these ids that are there, in any run."""
        found: list[Generation] = []
        with self.database.reading() as session:
            for start in range(0, len(generations), CHUNK):
                found += session.exec(
                    select(Generation).where(
                        col(Generation.id).in_(generations[start : start + CHUNK])
                    )
                ).all()
        return [self._shot(row) for row in found]

    def shots_showing(self, image: str) -> list[GeneratedPicture]:
        """The places in which that picture (its SHA-256) stands, in any run."""
        with self.database.reading() as session:
            rows = session.exec(
                select(Generation).where(Generation.image == image).order_by(col(Generation.id))
            ).all()
        return [self._shot(row) for row in rows]

    def picture(self, image: str) -> Picture | None:
        """The stored picture with that SHA-256."""
        path = self.images.path(image)
        return Picture(image, path) if path.exists() else None

    def keep_image(self, png: bytes, about: Mapping[str, str] | None = None) -> Picture:
        """Keep a PNG as a file, with what it is about in its text chunks.

        Raises ValueError where it is no whole PNG.
        """
        with self.database.guard("written"):
            return self.images.add(png, about)

    def brought_bytes(self) -> int:
        """How much room the pictures take that people brought to be judged, in bytes."""
        with self.database.reading() as session:
            images = session.exec(
                select(Generation.image).where(Generation.model == UPLOADED).distinct()
            ).all()
        paths = [self.images.path(image) for image in images if image]
        return sum(path.stat().st_size for path in paths if path.exists())

    def keep_picture(
        self,
        place: PictureSlot,
        image: Picture,
        made: Generated | None = None,
        seconds: float | None = None,
    ) -> GeneratedPicture:
        """Put a kept image in its place.

        The file is there before the row, so a row never names a file that is not.
        """
        notes = _SETTINGS.dump_json(dict(made.notes) if made else {}).decode()
        with self.database.writing() as session:
            row = session.get_one(Generation, place.id, with_for_update=_OURS)
            row.state, row.image, row.seconds, row.failure, row.notes, row.created = (
                "done",
                image.sha256,
                seconds,
                None,
                notes,
                time.time(),
            )
            session.add(row)
            if made and made.truth is not None:
                self.database.upsert(
                    session,
                    Truth(
                        generation=place.id, truth=_ANYTHING.dump_json(dict(made.truth)).decode()
                    ),
                    renew=("truth",),
                )
            return self._shot(row)

    def keep_failure(self, place: PictureSlot, failure: Failure) -> GeneratedPicture:
        """Note that there is no picture, and why; a picture that is there already stays."""
        with self.database.writing() as session:
            row = session.get_one(Generation, place.id, with_for_update=_OURS)
            if row.state != "done":
                row.state, row.failure = "failed", _FAILURE.dump_json(failure).decode()
                session.add(row)
            return self._shot(row)

    def truth(self, image: str) -> Mapping[str, Any] | None:
        """What the maker of a picture knows it drew, for showing it to people.

        None where nobody knows.
        """
        chosen = (
            select(Truth)
            .join(Generation, col(Truth.generation) == col(Generation.id))
            .where(Generation.image == image)
        )
        with self.database.reading() as session:
            found = session.exec(chosen).first()
        return _ANYTHING.validate_json(found.truth) if found else None

    def seconds(self, model: str, last: int = 20) -> float | None:
        """The median of how long the model's last pictures took."""
        chosen = select(Generation.seconds).where(
            Generation.model == model, col(Generation.seconds).is_not(None)
        )
        with self.database.reading() as session:
            found = [
                s
                for s in session.exec(
                    chosen.order_by(col(Generation.created).desc()).limit(last)
                ).all()
                if s is not None
            ]
        return median(found) if found else None

    def _shot(self, row: Generation) -> GeneratedPicture:
        path = self.images.path(row.image) if row.image else None
        small = self.images.thumbnail(row.image) if row.image else None
        failure = _FAILURE.validate_json(row.failure) if row.failure else None
        notes = _SETTINGS.validate_json(row.notes)
        injected = _knowledge_of(row.settings)
        return GeneratedPicture(
            generation=row.id,
            model=row.model,
            seed=row.seed,
            state=cast(PictureState, row.state),
            image=row.image,
            path=path,
            thumbnail=small,
            seconds=row.seconds,
            failure=failure,
            notes=notes,
            injected=injected,
        )

    # --- evaluations
    # -------------------------------------------------------------------------------------------

    def evaluations(self, run: str) -> list[Evaluation]:
        """Return the evaluations of a run, in the order of its pictures, metrics and trials."""
        chosen = select(EvaluationRow).join(
            RunPicture,
            (col(RunPicture.generation) == col(EvaluationRow.generation))
            & (col(RunPicture.run) == col(EvaluationRow.run)),
        )
        order = (col(RunPicture.position), col(EvaluationRow.metric), col(EvaluationRow.trial))
        with self.database.reading() as session:
            rows = session.exec(chosen.where(EvaluationRow.run == run).order_by(*order)).all()
        return [_evaluation(row) for row in rows]

    def evaluations_of(self, images: Iterable[str]) -> list[Evaluation]:
        """What was said of these pictures (by SHA-256) in any run, the oldest first."""
        wanted = sorted(set(images))
        found = list[EvaluationRow]()
        with self.database.reading() as session:
            for start in range(0, len(wanted), CHUNK):
                chosen = select(EvaluationRow).where(
                    col(EvaluationRow.image).in_(wanted[start : start + CHUNK])
                )
                found += session.exec(chosen.order_by(col(EvaluationRow.id))).all()
        return [_evaluation(row) for row in found]

    def metric_history(self, metric: str) -> list[MetricHistoryEntry]:
        """What a metric said in all runs, the newest first.

        Of a picture that several runs show, each judge's newest trials alone.
        """
        chosen = select(EvaluationRow, Run.request, Generation.settings).where(
            EvaluationRow.metric == metric
        )
        chosen = chosen.join(Run, col(Run.id) == col(EvaluationRow.run)).join(
            Generation, col(Generation.id) == col(EvaluationRow.generation)
        )
        with self.database.reading() as session:
            rows = session.exec(chosen.order_by(col(EvaluationRow.id).desc())).all()
        found: dict[tuple[str, str, int], MetricHistoryEntry] = {}
        for row, request, settings in rows:
            told = MetricHistoryEntry(
                _REQUEST.validate_json(request), _evaluation(row), _knowledge_of(settings)
            )
            found.setdefault((row.generation, row.judge, row.trial), told)
        return list(found.values())

    def keep_evaluation(
        self,
        run: str,
        said: Evaluation,
        judge_revision: str = "",
        category: str | None = None,
        domain: str | None = None,
        *,
        level: str | None = None,
        task: str | None = None,
    ) -> None:
        """Keep an evaluation with its verdicts.

        One of the same picture, metric, judge and trial is replaced.

        Its scores, which leaderboards average, are written in the same transaction. `domain`:
        several with "+" between.
        """
        report = said.report
        strict = said.report.scores.get("strict")
        row = EvaluationRow(
            run=run,
            generation=said.generation,
            image=said.image,
            model=said.model,
            metric=said.metric,
            version=report.version,
            judge=said.judge or "",
            judge_revision=judge_revision,
            trial=said.trial,
            prompt=report.prompt,
            category=category,
            domain=domain,
            value=report.score.value,
            counted=report.score.counted,
            left_out=report.score.left_out,
            strict=strict.value if strict else None,
            report=_REPORT.dump_json(report).decode(),
            cached=said.cached,
            lineup=_LINEUP.dump_json(dict(said.lineup)).decode(),
        )
        values = storable(row.model_dump(exclude={"id"}))
        with self.database.writing() as session:
            number = session.execute(self._keeping, values).scalar_one()
            session.execute(delete(VerdictRow).where(col(VerdictRow.evaluation) == number))
            if report.verdicts:
                session.execute(self.database.insert(VerdictRow), _verdicts(number, report))
            seed, settings = session.connection().execute(_MADE, {"id": said.generation}).one()
            row.id = number
            rows = score_rows(
                row,
                parts(report),
                facets=Facets(category or "", domain or "", level or "", task or ""),
                seed=seed,
                injected=_knowledge_of(settings),
                created=time.time(),
            )
            write_scores(session, rows)


def _keeping(database: Database) -> Any:
    """Insert an evaluation, or put it in the place of the same one; gives its number.

    It takes long to build, and always is the same.
    """
    put = database.insert(EvaluationRow)
    names = [column.name for column in put.table.columns if column.name not in ("id", *_SAME)]
    kept = put.on_conflict_do_update(
        index_elements=_SAME, set_={name: put.excluded[name] for name in names}
    )
    return kept.returning(col(EvaluationRow.id))


def _record(row: Run) -> RunRecord:
    if row.state == "running":
        state: RunState = "running"
    elif row.state == "stopped":
        state = "stopped"
    else:
        state = "finished"
    return RunRecord(
        id=row.id,
        created=row.created,
        state=state,
        request=_REQUEST.validate_json(row.request),
        questions=_QUESTIONS.validate_json(row.questions),
        notice=row.notice,
    )


def _knowledge_of(settings: str) -> Knowledge | None:
    said = _SETTINGS.validate_json(settings).get(INJECTED)
    return next((way for way in KNOWLEDGE if way == said), None)


def _waiting(place: PictureSlot) -> Generation:
    settings = _SETTINGS.dump_json(dict(place.settings)).decode()
    return Generation(**{**place._asdict(), "settings": settings})


def _evaluation(row: EvaluationRow) -> Evaluation:
    report = _REPORT.validate_json(row.report)
    lineup = _LINEUP.validate_json(row.lineup)
    return Evaluation(
        generation=row.generation,
        model=row.model,
        image=row.image,
        metric=row.metric,
        judge=row.judge or None,
        trial=row.trial,
        report=report,
        cached=row.cached,
        lineup=lineup,
    )


def _verdicts(evaluation: int, report: Report) -> list[dict[str, Any]]:
    rows = [
        {
            "evaluation": evaluation,
            "index": i,
            "coi": v.question.coi,
            "question": v.question.text,
            "gold": v.question.gold,
            "answer": v.answer,
            "state": v.state,
            "raw": v.raw,
            "probability": v.probability,
        }
        for i, v in enumerate(report.verdicts)
    ]
    return [storable(row) for row in rows]
