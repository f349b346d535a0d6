"""Keeps what leaderboards count: what each evaluation adds, and the sums by slice, in the
transaction that writes the evaluation.

It knows no leaderboard. The sums are those of the evaluations that are `newest`;
`hallascope.engine.storage.rebuild_sums` makes them anew.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session

from hallascope.data.records import Report
from hallascope.engine.storage import prompt_sums
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.prompt_sums import Held, Key, Own
from hallascope.engine.storage.tables import EvaluationRow
from hallascope.metrics.running_sums import Cluster, Part, Sums, parts

EVERY = -1  # stands where a trial would: all of them together
# the setting of a place that names the knowledge its model is given beside the prompt
INJECTED = "injected"
SEVERAL = "+"  # between the domains of a prompt that has several
# the number of PostgreSQL's lock that a recounting takes alone and every writer with the others
TURN = 5_270_318_844
KEY = ("slice", "trial", "score", "part")
FACETS = ("category", "domain", "level", "task")
WHOLE = "model"  # the facet of slices over all prompts of a model
_NAMED = ("metric", "version", "judge", "judge_revision", "lineup", "model", *FACETS)
_INSTRUMENT = 5  # so many of them say how it was judged

# Written out: a statement that is built anew for every evaluation takes longer than the database
# does. Both databases read them.
_LOCK = sa.text(f"SELECT pg_advisory_xact_lock_shared({TURN}), pg_advisory_xact_lock(:mine)")
_SLICE = sa.text("SELECT id FROM slice WHERE key = :key")
_NEW_SLICE = sa.text(
    f"INSERT INTO slice (key, instrument, facet, {', '.join(_NAMED)}) "
    f"VALUES (:key, :instrument, :facet, {', '.join(f':{name}' for name in _NAMED)}) "
    "ON CONFLICT (key) DO NOTHING"
)
_ROLLUP = sa.text(
    "INSERT INTO rollup (slice, above) VALUES (:slice, :above) ON CONFLICT (slice, above) DO NOTHING"
)
_ABOVE = sa.text(
    "SELECT l.id FROM rollup r JOIN slice l ON l.id = r.above WHERE r.slice = :slice "
    f"ORDER BY CASE l.facet WHEN '{WHOLE}' THEN 0 ELSE 1 END"
)
_LIKE = sa.text(
    "SELECT s.evaluation, s.slice, l.instrument FROM scored s JOIN slice l ON l.id = s.slice "
    "WHERE s.generation = :generation AND s.trial = :trial AND l.metric = :metric"
)
_ELSEWHERE = sa.text(
    "SELECT DISTINCT s.slice FROM scored s JOIN slice l ON l.id = s.slice "
    "WHERE s.prompt = :prompt AND s.slice != :slice AND l.instrument = :instrument AND l.model = :model"
)
_MOVE = sa.text(
    "UPDATE scored SET slice = :slice WHERE prompt = :prompt AND slice IN :others"
).bindparams(sa.bindparam("others", expanding=True))
_OWN = sa.text(
    "SELECT s.slice, s.trial, p.score, p.part, sum(p.total), sum(p.weight), sum(p.answered), sum(p.unanswered), min(s.evaluation) "
    "FROM scored s JOIN score_part p ON p.evaluation = s.evaluation "
    "WHERE s.slice IN :slices AND s.prompt = :prompt AND s.newest GROUP BY s.slice, s.trial, p.score, p.part"
).bindparams(sa.bindparam("slices", expanding=True))
_SCORED = sa.text(
    "INSERT INTO scored (evaluation, slice, prompt, run, generation, seed, trial, newest, created) "
    "VALUES (:evaluation, :slice, :prompt, :run, :generation, :seed, :trial, :newest, :created) "
    "ON CONFLICT (evaluation) DO UPDATE SET slice = excluded.slice, newest = excluded.newest, created = excluded.created"
)
_FORGET = sa.text("DELETE FROM score_part WHERE evaluation = :evaluation")
_PART = sa.text(
    "INSERT INTO score_part (evaluation, score, part, total, weight, answered, unanswered) "
    "VALUES (:evaluation, :score, :part, :total, :weight, :answered, :unanswered)"
)
_NEWEST = sa.text(
    "UPDATE scored SET newest = :newest WHERE evaluation = :evaluation AND newest != :newest"
)
_ORDERED = sa.text(
    "SELECT s.evaluation FROM scored s JOIN slice l ON l.id = s.slice WHERE s.generation = :generation AND s.trial = :trial "
    "AND l.instrument = :instrument ORDER BY s.created DESC, s.evaluation DESC"
)
_STANDING = sa.text(
    f"INSERT INTO standing ({', '.join((*KEY, *Sums._fields))}) VALUES ({', '.join(f':{name}' for name in (*KEY, *Sums._fields))}) "
    f"ON CONFLICT ({', '.join(KEY)}) DO UPDATE SET {', '.join(f'{name} = standing.{name} + excluded.{name}' for name in Sums._fields)}"
)


class Facets(NamedTuple):
    """What a prompt is sorted by; "" where nobody knows. `domain`: several with "+" between."""

    category: str = ""
    domain: str = ""
    level: str = ""
    task: str = ""


class Counted(NamedTuple):
    """An evaluation, as what is counted of it depends on it: its number and row, the picture's seed
    and knowledge, and when.
    """

    number: int
    row: EvaluationRow
    facets: Facets
    seed: int
    injected: str | None
    created: float


def prompt_key(prompt: str) -> str:
    """How a prompt is named in indexes, which do not take long ones."""
    return sha256(prompt.encode()).hexdigest()[:32]


def named(model: str, injected: str | None) -> str:
    """The name under which a model is ranked: with the knowledge it was given, it is another one."""
    return f"{model} + {injected} knowledge" if injected else model


def slice_values(row: EvaluationRow, facets: Facets, injected: str | None = None) -> dict[str, str]:
    """The slice that an evaluation belongs to, with its hash and that of the way of judging."""
    lineup = json.dumps(json.loads(row.lineup), sort_keys=True, separators=(",", ":"))
    values = (
        row.metric,
        row.version,
        row.judge,
        row.judge_revision,
        lineup,
        named(row.model, injected),
        *facets,
    )
    told = storable(dict(zip(_NAMED, values, strict=True)))
    return _keyed(told | {"instrument": _hash(list(told.values())[:_INSTRUMENT])}, "")


def _rollups(values: Mapping[str, str]) -> list[dict[str, str]]:
    """The slices above it: of all prompts, and of each thing that is known of its own."""
    nothing = dict.fromkeys(FACETS, "")
    said = [(facet, value) for facet in FACETS for value in values[facet].split(SEVERAL)]
    return [
        _keyed({**values, **nothing}, WHOLE),
        *(_keyed({**values, **nothing, facet: value}, facet) for facet, value in said),
    ]


def _keyed(values: Mapping[str, str], facet: str) -> dict[str, str]:
    return {**values, "facet": facet, "key": _hash([facet, *(values[name] for name in _NAMED)])}


def scored_values(counted: Counted, number: int) -> dict[str, Any]:
    """An evaluation as one that is counted in the slice of that number."""
    row, about = (
        counted.row,
        {"evaluation": counted.number, "slice": number, "prompt": prompt_key(counted.row.prompt)},
    )
    told = {"run": row.run, "generation": row.generation, "trial": row.trial, "seed": counted.seed}
    return about | told | {"newest": True, "created": counted.created}


def part_values(number: int, added: Iterable[Part]) -> list[dict[str, Any]]:
    """What an evaluation adds, as rows."""
    return [storable({"evaluation": number, **part._asdict()}) for part in added]


def _hash(values: Iterable[object]) -> str:
    return sha256(json.dumps(list(values)).encode()).hexdigest()[:16]


class Standings:
    """What is counted in `database`. Every method works within a transaction of its own caller."""

    def __init__(self, database: Database) -> None:
        self._postgresql = database.engine.dialect.name == "postgresql"
        self._slices: dict[str, int] = {}  # by key; none is ever removed
        self._rollups: dict[int, list[int]] = {}

    def enter(self, session: Session, counted: Counted, report: Report) -> None:
        """Count an evaluation that was just written, in place of what was counted of it and of its
        like before.
        """
        row, prompt, run = counted.row, prompt_key(counted.row.prompt), session.connection().execute
        # nobody else counts evaluations of this prompt, metric and model meanwhile; SQLite has one
        # writer anyway
        if self._postgresql:
            run(
                _LOCK,
                {
                    "mine": int(
                        sha256(f"{row.metric} {row.model} {prompt}".encode()).hexdigest()[:15], 16
                    )
                },
            )
        values = slice_values(row, counted.facets, counted.injected)
        number, added = self.slice(session, values), parts(report)
        same = {"generation": row.generation, "trial": row.trial}
        like = run(_LIKE, {**same, "metric": row.metric}).all()
        again = [one for one in like if one.evaluation == counted.number]
        instruments = sorted({values["instrument"], *(one.instrument for one in again)})
        rivals = [one for one in like if one.instrument in instruments]
        place = {"slice": number, "prompt": prompt}
        others = (
            run(_ELSEWHERE, place | {name: values[name] for name in ("instrument", "model")})
            .scalars()
            .all()
        )
        slices = sorted({number, *others, *(one.slice for one in rivals)})
        before = _own(session, slices, prompt)
        run(_SCORED, scored_values(counted, number))
        if again:
            run(_FORGET, {"evaluation": counted.number})
        if added:
            run(_PART, part_values(counted.number, added))
        # what is known of the prompt has changed: all of it moves, or it would be counted as two
        # prompts
        if others:
            run(_MOVE, place | {"others": list(others)})
        if rivals or others:
            for instrument in instruments:
                _crown(session, {**same, "instrument": instrument})
            after = _own(session, slices, prompt)
        else:
            after = _with(before, counted, number, added)
        self._add(session, before, after)
        prompt_sums.renew(
            session, prompt, before, after, {one: self._above(session, one)[0] for one in slices}
        )

    def slice(self, session: Session, values: Mapping[str, str]) -> int:
        """The number of a slice, which is made with those above it where it is missing."""
        key, run = values["key"], session.connection().execute
        if key not in self._slices:
            found = run(_SLICE, {"key": key}).scalar()
            if found is None:  # not remembered, as the transaction may come to nothing
                return _new(session, values)
            self._slices[key] = int(found)
        return self._slices[key]

    def _above(self, session: Session, number: int) -> list[int]:
        """The slices that a slice is counted in, that of all prompts first; it is one of them."""
        if number not in self._rollups:
            found = list(session.connection().execute(_ABOVE, {"slice": number}).scalars().all())
            if number not in self._slices.values():
                return found
            self._rollups[number] = found
        return self._rollups[number]

    def _add(self, session: Session, before: Own, after: Own) -> None:
        """Bring the sums up to date.

        In one order everywhere, or two writers wait for each other for ever.
        """
        changes: dict[Key, Sums] = {}
        for number, trial, score, part in {*before, *after}:
            old, new = (
                before.get((number, trial, score, part)),
                after.get((number, trial, score, part)),
            )
            change = (new.cluster.sums() if new else Sums()).less(
                old.cluster.sums() if old else Sums()
            )
            above = self._above(session, number) if any(change) else []
            for one in above if trial == EVERY else dict.fromkeys((*above[:1], number)):
                key = (one, trial, score, part)
                changes[key] = changes[key].plus(change) if key in changes else change
        if changes:
            rows = [
                dict(zip(KEY, key, strict=True)) | changes[key]._asdict() for key in sorted(changes)
            ]
            session.connection().execute(_STANDING, rows)


def _new(session: Session, values: Mapping[str, str]) -> int:
    run, above = session.connection().execute, sorted(_rollups(values), key=lambda one: one["key"])
    run(_NEW_SLICE, [*above, dict(values)])
    number, *numbers = (
        int(run(_SLICE, {"key": one["key"]}).scalar_one()) for one in (values, *above)
    )
    run(_ROLLUP, [{"slice": number, "above": one} for one in sorted([number, *numbers])])
    return number


def _crown(session: Session, same: Mapping[str, Any]) -> None:
    """Of the evaluations of one picture by one instrument in one trial, let the one that was
    written last be the newest.
    """
    run = session.connection().execute
    for place, evaluation in enumerate(run(_ORDERED, dict(same)).scalars().all()):
        run(_NEWEST, {"evaluation": evaluation, "newest": place == 0})


def _own(session: Session, slices: Sequence[int], prompt: str) -> Own:
    """What one prompt has in these slices, in each trial and over all."""
    own: dict[Key, Held] = {}
    for (
        number,
        trial,
        score,
        part,
        total,
        weight,
        answered,
        unanswered,
        first,
    ) in session.connection().execute(_OWN, {"slices": list(slices), "prompt": prompt}):
        _count(
            own,
            (number, trial),
            Part(score, part, total, weight, int(answered), int(unanswered)),
            first,
        )
    return own


def _with(own: Own, counted: Counted, number: int, added: Iterable[Part]) -> Own:
    """The same with what one more evaluation adds."""
    more = dict(own)
    for part in added:
        _count(more, (number, counted.row.trial), part, counted.number)
    return more


def _count(own: dict[Key, Held], place: tuple[int, int], part: Part, evaluation: int) -> None:
    """Add to what a prompt has in a slice, in one trial and over all."""
    number, trial = place
    for one in (trial, EVERY):
        key = (number, one, part.score, part.part)
        own[key] = own.get(key, Held(Cluster(part.part), evaluation)).plus(*part[2:], evaluation)
