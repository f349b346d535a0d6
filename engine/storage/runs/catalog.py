"""Lists runs and sweeps, the pinned first, with their names and what they contain."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.engine.errors import UnknownRun
from hallascope.engine.storage.database import Database, chunked
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    Run,
    RunNoteRow,
    RunPicture,
    SweepItemRow,
    SweepRow,
)

MOST_PER_PAGE = 200


@dataclass(frozen=True, kw_only=True)
class CatalogEntry:
    """Holds a run, or a sweep with all of its runs, as a list shows it.

    A run that belongs to a sweep is listed with the sweep alone. `name` is what a person called it,
    "" where nobody did; `title` is the prompt of a run, or the title of a sweep. `created` is in
    seconds since 1970.
    """

    id: str
    is_sweep: bool
    title: str
    name: str
    is_pinned: bool
    created: float
    state: str


class CatalogRun(NamedTuple):
    """Names a run of an entry and its prompt."""

    run: str
    prompt: str


@dataclass(frozen=True)
class MeanScore:
    """Holds the mean of the main score of a metric over `n` evaluations that have one.

    `left_out` counts the questions, and the like, that none of its evaluations has an answer to.
    """

    metric: str
    value: float
    n: int
    left_out: int

    @property
    def words(self) -> str:
        """Return the mean with what it rests on: "ihalla 0.75 (n 4, 2 left out)"."""
        return f"{self.metric} {self.value:.2f} (n {self.n:,}, {self.left_out:,} left out)"


@dataclass(frozen=True, kw_only=True)
class CatalogContents:
    """Holds what is in an entry: its runs in order, models, judges, images and scores.

    `images` counts the images that are there, `image` is the SHA-256 of the first of them, None
    where there is none.
    """

    runs: tuple[CatalogRun, ...] = ()
    models: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    images: int = 0
    image: str | None = None
    scores: tuple[MeanScore, ...] = ()

    def mean(self, metric: str) -> MeanScore:
        """Return the mean by a metric that is among `scores`."""
        return next(mean for mean in self.scores if mean.metric == metric)


class RunCatalog:
    """Lists the runs and sweeps in `database`, and keeps names and pins.

    Raises StoreError as the store does.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owners = Owners(database)

    # --- the list ---

    def entries(
        self,
        text: str = "",
        *,
        limit: int = MOST_PER_PAGE,
        offset: int = 0,
    ) -> list[CatalogEntry]:
        """Return runs and sweeps, the pinned first, then the newest.

        `text` is searched in names, titles, prompts, models and judges, in any case.
        """
        listed = self._listed(text).subquery()
        query = (
            sa.select(listed)
            .order_by(listed.c.pinned.desc(), listed.c.created.desc(), listed.c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._database.read_transaction() as session:
            return [_entry(row) for row in session.execute(query)]

    def count(self, text: str = "") -> int:
        """Return how many entries there are, as `entries` lists them without a limit."""
        query = sa.select(sa.func.count()).select_from(self._listed(text).subquery())
        with self._database.read_transaction() as session:
            return int(session.execute(query).scalar_one())

    def find(self, name: str) -> CatalogEntry:
        """Return the run or sweep of that id, or the one whose id begins so.

        Raises UnknownRun where there is none, or several begin so, or the run belongs to a sweep.
        """
        listed = self._listed("").subquery()
        begins = sa.select(listed).where(listed.c.id.startswith(name, autoescape=True)).limit(3)
        sweeps = sa.select(col(SweepItemRow.sweep)).where(col(SweepItemRow.run) == name).limit(1)
        with self._database.read_transaction() as session:
            rows = list(session.execute(begins)) if name else []
            sweep = session.execute(sweeps).scalar()
        exact = [row for row in rows if row.id == name]
        if exact or len(rows) == 1:
            return _entry((exact or rows)[0])
        if rows:
            raise UnknownRun(f"Several runs begin with {name!r}: give the whole id.")
        if sweep and name:
            raise UnknownRun(f"The run {name!r} belongs to the sweep {sweep!r}: name the sweep.")
        raise UnknownRun(
            f"No run {name!r} is stored here: `hallascope runs list` and the panel Runs on the page"
            " show what there is."
        )

    def contents(self, entries: Sequence[CatalogEntry]) -> dict[str, CatalogContents]:
        """Return what is in each entry, by its id."""
        with self._database.read_transaction() as session:
            members = _members(session, entries)
            runs = [run for listed in members.values() for run, _ in listed]
            by_run = _run_contents(session, runs)
        return {entry.id: _join_contents(members[entry.id], by_run) for entry in entries}

    # --- names and pins ---

    def rename(self, entry: str, name: str) -> None:
        """Keep the name of a run or sweep; "" takes it away. Raises BadRequest, NotYours."""
        words = " ".join(name.split())
        self._keep_note(entry, RunNoteRow(id=self._note_id(entry), name=words), "name")

    def pin(self, entry: str, is_pinned: bool) -> None:
        """Pin a run or sweep, so that it stands first, or unpin it. Raises NotYours."""
        self._keep_note(entry, RunNoteRow(id=self._note_id(entry), pinned=is_pinned), "pinned")

    def _keep_note(self, entry: str, row: RunNoteRow, column: str) -> None:
        with self._database.write_transaction() as session:
            self._owners.require(session, "run", entry)
            self._database.upsert(session, row, renew=(column,))

    def _note_id(self, entry: Any) -> Any:
        """Return the id of the visitor's note on a run, or the operator's."""
        visitor = self._owners.visitor
        return entry + f" {visitor.id}" if visitor else entry

    # --- queries ---

    def _listed(self, text: str) -> Any:
        """Return the statement of all entries that are wanted, runs and sweeps together."""
        return _listed(
            text, self._note_id, self._owners.own("run") if self._owners.visitor else None
        )


def _listed(text: str, note_id: Callable[[Any], Any], only: Any) -> Any:
    """Return the statement of all entries that are wanted; `only`: that of their ids."""
    words = text.strip()
    swept = sa.select(col(SweepItemRow.run))
    note = col(RunNoteRow.name)
    columns = (
        sa.func.coalesce(note, "").label("name"),
        sa.func.coalesce(col(RunNoteRow.pinned), sa.false()).label("pinned"),
    )
    runs: Any = (
        sa.select(
            col(Run.id).label("id"),
            sa.literal(0).label("is_sweep"),
            col(Run.prompt).label("title"),
            *columns,
            col(Run.created).label("created"),
            col(Run.state).label("state"),
        )
        .outerjoin(RunNoteRow, col(RunNoteRow.id) == note_id(col(Run.id)))
        .where(col(Run.id).not_in(swept))
    )
    sweeps: Any = (
        sa.select(
            col(SweepRow.id),
            sa.literal(1),
            col(SweepRow.title),
            *columns,
            col(SweepRow.created),
            col(SweepRow.state),
        )
        .outerjoin(RunNoteRow, col(RunNoteRow.id) == note_id(col(SweepRow.id)))
        .where(
            sa.exists().where(
                col(SweepItemRow.sweep) == col(SweepRow.id), col(SweepItemRow.run) != ""
            )
        )
    )
    if words:
        runs = runs.where(_run_matches(words, note))
        sweeps = sweeps.where(_sweep_matches(words, note))
    if only is not None:
        runs = runs.where(col(Run.id).in_(only))
        sweeps = sweeps.where(col(SweepRow.id).in_(only))
    return sa.union_all(runs, sweeps)


def _has(column: Any, words: str) -> Any:
    return column.icontains(words, autoescape=True)


def _run_matches(words: str, note: Any) -> Any:
    drawn = sa.exists().where(
        col(RunPicture.run) == col(Run.id),
        col(RunPicture.generation) == col(Generation.id),
        _has(col(Generation.model), words),
    )
    judged = sa.exists().where(
        col(EvaluationRow.run) == col(Run.id), _has(col(EvaluationRow.judge), words)
    )
    return sa.or_(_has(note, words), _has(col(Run.prompt), words), drawn, judged)


def _sweep_matches(words: str, note: Any) -> Any:
    own = col(SweepItemRow.sweep) == col(SweepRow.id)
    prompted = sa.exists().where(own, _has(col(SweepItemRow.prompt), words))
    drawn = sa.exists().where(
        own,
        col(RunPicture.run) == col(SweepItemRow.run),
        col(RunPicture.generation) == col(Generation.id),
        _has(col(Generation.model), words),
    )
    judged = sa.exists().where(
        own,
        col(EvaluationRow.run) == col(SweepItemRow.run),
        _has(col(EvaluationRow.judge), words),
    )
    return sa.or_(_has(note, words), _has(col(SweepRow.title), words), prompted, drawn, judged)


def _entry(row: Any) -> CatalogEntry:
    return CatalogEntry(
        id=row.id,
        is_sweep=bool(row.is_sweep),
        title=row.title,
        name=row.name,
        is_pinned=bool(row.pinned),
        created=row.created,
        state=row.state,
    )


def _members(
    session: Session, entries: Sequence[CatalogEntry]
) -> dict[str, tuple[CatalogRun, ...]]:
    """Return the runs of each entry, in order."""
    members: dict[str, tuple[CatalogRun, ...]] = {
        entry.id: () if entry.is_sweep else (CatalogRun(entry.id, entry.title),)
        for entry in entries
    }
    for chunk in chunked(entry.id for entry in entries if entry.is_sweep):
        query = (
            sa.select(col(SweepItemRow.sweep), col(SweepItemRow.run), col(SweepItemRow.prompt))
            .where(col(SweepItemRow.sweep).in_(chunk), col(SweepItemRow.run) != "")
            .order_by(col(SweepItemRow.sweep), col(SweepItemRow.position))
        )
        for sweep, run, prompt in session.execute(query):
            members[sweep] = (*members[sweep], CatalogRun(run, prompt))
    return members


class _Sums(NamedTuple):
    """Holds the sum of scores of a metric, how many there are, and what was left out."""

    total: float = 0.0
    n: int = 0
    left_out: int = 0

    def plus(self, other: "_Sums") -> "_Sums":
        return _Sums(self.total + other.total, self.n + other.n, self.left_out + other.left_out)


class _RunContents:
    """Holds what is in one run, while it is read: sums of scores by metric among it."""

    def __init__(self) -> None:
        self.models: list[str] = []
        self.judges: list[str] = []
        self.images: list[str] = []
        self.scores: defaultdict[str, _Sums] = defaultdict(_Sums)


def _run_contents(session: Session, runs: Iterable[str]) -> Mapping[str, _RunContents]:
    found: defaultdict[str, _RunContents] = defaultdict(_RunContents)
    for chunk in chunked(dict.fromkeys(runs)):
        pictures = (
            sa.select(col(RunPicture.run), col(Generation.model), col(Generation.image))
            .join(Generation, col(Generation.id) == col(RunPicture.generation))
            .where(col(RunPicture.run).in_(chunk))
            .order_by(col(RunPicture.run), col(RunPicture.position))
        )
        for run, model, image in session.execute(pictures):
            found[run].models.append(model)
            if image:
                found[run].images.append(image)
        value = col(EvaluationRow.value)
        scores = (
            sa.select(
                col(EvaluationRow.run),
                col(EvaluationRow.metric),
                col(EvaluationRow.judge),
                sa.func.sum(value),
                sa.func.count(value),
                sa.func.sum(col(EvaluationRow.left_out)),
            )
            .where(col(EvaluationRow.run).in_(chunk))
            .group_by(col(EvaluationRow.run), col(EvaluationRow.metric), col(EvaluationRow.judge))
            .order_by(sa.func.min(col(EvaluationRow.id)))
        )
        for run, metric, judge, total, n, left_out in session.execute(scores):
            if judge:
                found[run].judges.append(judge)
            before = found[run].scores[metric]
            found[run].scores[metric] = before.plus(_Sums(total or 0.0, n, left_out))
    return found


def _join_contents(
    members: Sequence[CatalogRun], by_run: Mapping[str, _RunContents]
) -> CatalogContents:
    parts = [by_run[member.run] for member in members if member.run in by_run]
    every: defaultdict[str, _Sums] = defaultdict(_Sums)
    for part in parts:
        for metric, sums in part.scores.items():
            every[metric] = every[metric].plus(sums)
    images = [image for part in parts for image in part.images]
    return CatalogContents(
        runs=tuple(members),
        models=tuple(dict.fromkeys(model for part in parts for model in part.models)),
        judges=tuple(dict.fromkeys(judge for part in parts for judge in part.judges)),
        images=len(images),
        image=images[0] if images else None,
        scores=tuple(
            MeanScore(metric, sums.total / sums.n, sums.n, sums.left_out)
            for metric, sums in every.items()
            if sums.n
        ),
    )
