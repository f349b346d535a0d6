"""Lists runs and sweeps, the pinned first, with their names and what they contain.

Runs are deleted with what was said of their images, and the images that no other run shows.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from hallascope.engine.errors import UnknownRun
from hallascope.engine.storage.database import Database, chunked
from hallascope.engine.storage.images import ImageStore
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.scores import delete_scores
from hallascope.engine.storage.tables import (
    CorrectedEvaluationRow,
    EmbeddingRow,
    EvaluationRow,
    Generation,
    RatingRow,
    Run,
    RunNoteRow,
    RunPicture,
    SweepItemRow,
    SweepRow,
    Truth,
    VerdictRow,
)

MOST_PER_PAGE = 200
_KEPT_FILE = re.compile(r"([0-9a-f]{2})[/\\]+([0-9a-f]{62})\.png")


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
class ListedRun:
    """Holds a run, or a sweep with all of its runs, as a list shows it.

    A run that belongs to a sweep is listed with the sweep alone. `note` is what a person called it,
    "" where nobody did; `title` is the prompt of a run, or the title of a sweep. `created` is in
    seconds since 1970. `runs` are in order; `images` counts the images that are there, `image` is
    the SHA-256 of the first of them, None where there is none.
    """

    id: str
    is_sweep: bool
    title: str
    note: str
    is_pinned: bool
    created: float
    state: str
    runs: tuple[CatalogRun, ...] = ()
    models: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    images: int = 0
    image: str | None = None
    scores: tuple[MeanScore, ...] = ()

    @property
    def prompts(self) -> tuple[str, ...]:
        """Return the prompts, each once, in order."""
        return tuple(dict.fromkeys(member.prompt for member in self.runs))

    @property
    def name(self) -> str:
        """Return what a person called it, else the first prompt and how many more."""
        first, *others = self.prompts or (self.title,)
        title = self.title if self.is_sweep else ""
        return self.note or title or (f"{first} + {len(others)} more" if others else first)


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
    ) -> list[ListedRun]:
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
            return _read_contents(session, session.execute(query).all())

    def count(self, text: str = "") -> int:
        """Return how many entries there are, as `entries` lists them without a limit."""
        query = sa.select(sa.func.count()).select_from(self._listed(text).subquery())
        return int(self._database.read(query)[0][0])

    def find(self, name: str, *, in_sweeps: bool = False) -> ListedRun:
        """Return the run or sweep of that id, or the one whose id begins so.

        Raises UnknownRun where there is none, or several begin so, or the run belongs to a sweep,
        unless those are to be found, too (`in_sweeps`).
        """
        listed = self._listed("", in_sweeps).subquery()
        begins = sa.select(listed).where(listed.c.id.startswith(name, autoescape=True)).limit(3)
        sweeps = sa.select(col(SweepItemRow.sweep)).where(col(SweepItemRow.run) == name).limit(1)
        if self._owners.visitor:
            sweeps = sweeps.where(col(SweepItemRow.sweep).in_(self._owners.own("run")))
        with self._database.read_transaction() as session:
            rows = list(session.execute(begins)) if name else []
            rows = [row for row in rows if row.id == name] or rows
            if len(rows) == 1:
                return _read_contents(session, rows)[0]
            sweep = session.execute(sweeps).scalar()
        if rows:
            raise UnknownRun(f"Several runs begin with {name!r}: give the whole id.")
        if sweep and name:
            raise UnknownRun(f"The run {name!r} belongs to the sweep {sweep!r}: name the sweep.")
        raise UnknownRun(
            f"No run {name!r} is stored here: `hallascope runs show` and the panel Runs on the page"
            " show what there is."
        )

    # --- names and pins ---

    def rename(self, entry: str, name: str) -> ListedRun:
        """Give a run or sweep a name; "" gives it its first name again.

        Raises UnknownRun, BadRequest where the name is too long, NotYours.
        """
        return self._keep_note(entry, "name", " ".join(name.split()))

    def pin(self, entry: str, is_pinned: bool) -> ListedRun:
        """Pin a run or sweep, so that it stands first, or unpin it. Raises UnknownRun, NotYours."""
        return self._keep_note(entry, "pinned", is_pinned)

    def _keep_note(self, entry: str, column: str, value: str | bool) -> ListedRun:
        entry = self.find(entry).id
        row = RunNoteRow.model_validate({"id": self._note_id(entry), column: value})
        with self._database.write_transaction() as session:
            self._owners.require(session, "run", entry)
            self._database.upsert(session, row, renew=(column,))
        return self.find(entry)

    def _note_id(self, entry: Any) -> Any:
        """Return the id of the visitor's note on a run, or the operator's."""
        visitor = self._owners.visitor
        return entry + f" {visitor.id}" if visitor else entry

    # --- queries ---

    def _listed(self, text: str, in_sweeps: bool = False) -> Any:
        """Return the statement of all entries that are wanted, runs and sweeps together."""
        only = self._owners.own("run") if self._owners.visitor else None
        return _listed(text, self._note_id, only, in_sweeps)


def _listed(text: str, note_id: Callable[[Any], Any], only: Any, in_sweeps: bool) -> Any:
    """Return the statement of all entries that are wanted; `only`: that of their ids.

    `in_sweeps`: the runs of sweeps are entries, too.
    """
    words = text.strip()
    swept = sa.select(col(SweepItemRow.run))
    if only is not None:
        swept = swept.where(col(SweepItemRow.sweep).in_(only))
    note = col(RunNoteRow.name)
    columns = (
        sa.func.coalesce(note, "").label("name"),
        sa.func.coalesce(col(RunNoteRow.pinned), sa.false()).label("pinned"),
    )
    runs: Any = sa.select(
        col(Run.id).label("id"),
        sa.literal(0).label("is_sweep"),
        col(Run.prompt).label("title"),
        *columns,
        col(Run.created).label("created"),
        col(Run.state).label("state"),
    ).outerjoin(RunNoteRow, col(RunNoteRow.id) == note_id(col(Run.id)))
    if not in_sweeps:
        runs = runs.where(col(Run.id).not_in(swept))
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
        runs = runs.where(_matches(words, col(Run.id), note, col(Run.prompt)))
        own = col(SweepItemRow.sweep) == col(SweepRow.id)
        in_item = _matches(words, col(SweepItemRow.run), col(SweepItemRow.prompt))
        has_item = sa.exists().where(own, in_item)
        named = [column.icontains(words, autoescape=True) for column in (note, col(SweepRow.title))]
        sweeps = sweeps.where(sa.or_(*named, has_item))
    if only is not None:
        runs = runs.where(col(Run.id).in_(only))
        sweeps = sweeps.where(col(SweepRow.id).in_(only))
    return sa.union_all(runs, sweeps)


def _matches(words: str, run: Any, *named: Any) -> Any:
    """Return whether words are in what is named, or a model or judge of a run has them."""

    def has(column: Any) -> Any:
        return column.icontains(words, autoescape=True)

    drawn = sa.exists().where(
        col(RunPicture.run) == run,
        col(RunPicture.generation) == col(Generation.id),
        has(col(Generation.model)),
    )
    judged = sa.exists().where(col(EvaluationRow.run) == run, has(col(EvaluationRow.judge)))
    return sa.or_(*map(has, named), drawn, judged)


def _read_contents(session: Session, entries: Sequence[Any]) -> list[ListedRun]:
    """Return the rows of entries with what is in them."""
    members: dict[str, list[CatalogRun]] = {
        row.id: [] if row.is_sweep else [CatalogRun(row.id, row.title)] for row in entries
    }
    for chunk in chunked(row.id for row in entries if row.is_sweep):
        query = (
            sa.select(col(SweepItemRow.sweep), col(SweepItemRow.run), col(SweepItemRow.prompt))
            .where(col(SweepItemRow.sweep).in_(chunk), col(SweepItemRow.run) != "")
            .order_by(col(SweepItemRow.sweep), col(SweepItemRow.position))
        )
        for sweep, run, prompt in session.execute(query):
            members[sweep].append(CatalogRun(run, prompt))
    generated = defaultdict[str, list[Any]](list)
    judged = defaultdict[str, list[Any]](list)
    value = col(EvaluationRow.value)
    key = (col(EvaluationRow.run), col(EvaluationRow.metric), col(EvaluationRow.judge))
    for chunk in chunked({member.run: None for own in members.values() for member in own}):
        pictures = (
            sa.select(col(RunPicture.run), col(Generation.model), col(Generation.image))
            .join(Generation, col(Generation.id) == col(RunPicture.generation))
            .where(col(RunPicture.run).in_(chunk))
            .order_by(col(RunPicture.run), col(RunPicture.position))
        )
        scores = (
            sa.select(
                *key,
                sa.func.coalesce(sa.func.sum(value), 0.0).label("total"),
                sa.func.count(value).label("n"),
                sa.func.sum(col(EvaluationRow.left_out)).label("left_out"),
            )
            .where(col(EvaluationRow.run).in_(chunk))
            .group_by(*key)
            .order_by(sa.func.min(col(EvaluationRow.id)))
        )
        for found, statement in ((generated, pictures), (judged, scores)):
            for row in session.execute(statement):
                found[row.run].append(row)
    return [
        _join_contents(
            row,
            members[row.id],
            [each for member in members[row.id] for each in generated[member.run]],
            [each for member in members[row.id] for each in judged[member.run]],
        )
        for row in entries
    ]


def _join_contents(
    row: Any, members: Sequence[CatalogRun], generated: Sequence[Any], judged: Sequence[Any]
) -> ListedRun:
    images = [each.image for each in generated if each.image]
    sums: dict[str, tuple[float, int, int]] = {}
    for each in judged:
        total, n, left_out = sums.get(each.metric, (0.0, 0, 0))
        sums[each.metric] = (total + each.total, n + each.n, left_out + each.left_out)
    return ListedRun(
        id=row.id,
        is_sweep=bool(row.is_sweep),
        title=row.title,
        note=row.name,
        is_pinned=bool(row.pinned),
        created=row.created,
        state=row.state,
        runs=tuple(members),
        models=tuple(dict.fromkeys(each.model for each in generated)),
        judges=tuple(dict.fromkeys(each.judge for each in judged if each.judge)),
        images=len(images),
        image=images[0] if images else None,
        scores=tuple(
            MeanScore(metric, total / n, n, left_out)
            for metric, (total, n, left_out) in sums.items()
            if n
        ),
    )


# --- deletion ---


@dataclass(frozen=True, kw_only=True)
class DeletionCount:
    """Counts what is deleted with runs: evaluations, verdicts and images.

    `kept_images` are those that other runs show, or that people rated: they stay.
    """

    runs: int
    evaluations: int
    verdicts: int
    images: int
    kept_images: int


@dataclass(frozen=True)
class _RunImages:
    """Holds the pictures that belong to the runs alone, and the images on either side."""

    generations: frozenset[str]
    images: frozenset[str]
    kept: frozenset[str]


class RunDeletion:
    """Deletes runs from `database` and their files from `images`. Raises StoreError."""

    def __init__(self, database: Database, images: ImageStore) -> None:
        self._database = database
        self._images = images

    def count(self, runs: Collection[str]) -> DeletionCount:
        """Return what would be deleted with these runs."""
        with self._database.read_transaction() as session:
            return _count(session, runs, _images_of(session, runs))

    def delete(
        self,
        runs: Collection[str],
        sweep: str | None = None,
        check: Callable[[Session], None] = lambda _: None,
    ) -> DeletionCount:
        """Delete these runs, and the sweep with its items where one is named.

        What a run has cost stays in the account, and replies of models stay cached. `check` raises
        where they may not be deleted, while nobody else writes.
        """
        with self._database.write_transaction() as session:
            check(session)
            found = _images_of(session, runs)
            counted = _count(session, runs, found)
            for run in sorted(runs):
                _delete_evaluations(session, run)
            sweeps = [sweep] if sweep else []
            for column, values in (
                (RunPicture.run, runs),
                (Truth.generation, found.generations),
                (Generation.id, found.generations),
                (Run.id, runs),
                (EmbeddingRow.image, found.images),
                (SweepItemRow.sweep, sweeps),
                (SweepRow.id, sweeps),
            ):
                named: Any = col(column)
                for chunk in chunked(sorted(values)):
                    session.execute(sa.delete(named.class_).where(named.in_(chunk)))
            for entry in (*runs, *sweeps):
                note = col(RunNoteRow.id)
                of_visitor = note.startswith(f"{entry} ", autoescape=True)
                session.execute(sa.delete(RunNoteRow).where(sa.or_(note == entry, of_visitor)))
        # after the rows, so that no row names a file that is not there
        with self._database.guard("written"):
            for image in found.images:
                self._images.delete(image)
        return counted

    def evaluation_ids(self, runs: Collection[str]) -> frozenset[int]:
        """Return the numbers of the evaluations of these runs."""
        query = select(EvaluationRow.id)
        return frozenset(self._database.read(query, col(EvaluationRow.run), sorted(runs)))

    def sweep_runs(self, sweep: str) -> frozenset[str]:
        """Return the runs of a sweep that no other sweep has."""
        others = select(SweepItemRow.run).where(SweepItemRow.sweep != sweep)
        runs = select(SweepItemRow.run).where(
            SweepItemRow.sweep == sweep,
            SweepItemRow.run != "",
            col(SweepItemRow.run).not_in(others),
        )
        return frozenset(self._database.read(runs))


def _delete_evaluations(session: Session, run: str) -> None:
    own = sa.select(col(EvaluationRow.id)).where(col(EvaluationRow.run) == run)
    prompts = sa.select(col(EvaluationRow.prompt)).where(col(EvaluationRow.run) == run).distinct()
    for prompt in session.execute(prompts).scalars().all():
        delete_scores(session, run, prompt)
    session.execute(sa.delete(VerdictRow).where(col(VerdictRow.evaluation).in_(own)))
    session.execute(
        sa.delete(CorrectedEvaluationRow).where(col(CorrectedEvaluationRow.evaluation).in_(own))
    )
    session.execute(sa.delete(EvaluationRow).where(col(EvaluationRow.run) == run))


def _count(session: Session, runs: Collection[str], found: _RunImages) -> DeletionCount:
    evaluations = verdicts = 0
    for chunk in chunked(sorted(runs)):
        own = col(EvaluationRow.run).in_(chunk)
        counted = sa.select(sa.func.count()).select_from(EvaluationRow).where(own)
        evaluations += session.execute(counted).scalar_one()
        answered = (
            sa.select(sa.func.count())
            .select_from(VerdictRow)
            .join(EvaluationRow, col(EvaluationRow.id) == col(VerdictRow.evaluation))
            .where(own)
        )
        verdicts += session.execute(answered).scalar_one()
    return DeletionCount(
        runs=len(runs),
        evaluations=evaluations,
        verdicts=verdicts,
        images=len(found.images),
        kept_images=len(found.kept),
    )


def _images_of(session: Session, runs: Collection[str]) -> _RunImages:
    """Return which pictures and images go with the runs, and which images stay."""
    chosen = frozenset(runs)
    images: dict[str, str | None] = {}
    for chunk in chunked(sorted(chosen)):
        query = (
            sa.select(col(Generation.id), col(Generation.image))
            .join(RunPicture, col(RunPicture.generation) == col(Generation.id))
            .where(col(RunPicture.run).in_(chunk))
        )
        images.update((row.id, row.image) for row in session.execute(query))
    shared = _generations_of_others(session, chosen, images)
    own = frozenset(images) - shared
    candidates = {image for generation in own if (image := images[generation])}
    needed = _needed_images(session, candidates, own)
    needed |= _requested_images(session, candidates - needed, chosen)
    gone = frozenset(candidates - needed)
    every = {image for image in images.values() if image}
    return _RunImages(own, gone, frozenset(every - gone))


def _generations_of_others(
    session: Session, runs: frozenset[str], generations: Collection[str]
) -> frozenset[str]:
    """Return those of the pictures that another run shows, or has evaluated."""
    shared: set[str] = set()
    tables: tuple[Any, ...] = (RunPicture, EvaluationRow)
    for chunk in chunked(sorted(generations)):
        for table in tables:
            query = (
                sa.select(col(table.generation), col(table.run))
                .where(col(table.generation).in_(chunk))
                .distinct()
            )
            shared.update(row.generation for row in session.execute(query) if row.run not in runs)
    return frozenset(shared)


def _needed_images(
    session: Session, images: Collection[str], generations: frozenset[str]
) -> set[str]:
    """Return those of the images that other pictures hold, or that people rated."""
    needed: set[str] = set()
    for chunk in chunked(sorted(images)):
        held = sa.select(col(Generation.id), col(Generation.image)).where(
            col(Generation.image).in_(chunk)
        )
        needed.update(row.image for row in session.execute(held) if row.id not in generations)
        rated = sa.select(col(RatingRow.image)).where(col(RatingRow.image).in_(chunk)).distinct()
        needed.update(session.execute(rated).scalars())
    return needed


def _requested_images(session: Session, images: Collection[str], runs: frozenset[str]) -> set[str]:
    """Return those of the images that requests of other runs name, such as references."""
    if not images:
        return set()
    query = sa.select(col(Run.id), col(Run.request)).where(col(Run.request).contains(".png"))
    return {
        image
        for row in session.execute(query)
        if row.id not in runs
        for parts in _KEPT_FILE.findall(row.request)
        if (image := "".join(parts)) in images
    }
