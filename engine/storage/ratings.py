"""Keeps what people say of pictures and of single findings.

No score counts it, it is shown beside them.
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256

from sqlmodel import col, delete, select

from hallascope.data.evidence import Finding
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.tables import RatingRow

_AT_ONCE = 500  # that are looked up in one statement
FINE = "fine"  # of something that the metric objects to, and the person does not


@dataclass(frozen=True)
class RatingSubject:
    """What a person speaks of: a picture by its SHA-256, judged by a metric against a prompt.

    `finding` is the one that is meant, as `name` gives it ("": the picture as a whole), and `rater`
    who speaks ("": nobody said).
    """

    image: str
    metric: str
    prompt: str
    finding: str = ""
    rater: str = ""


@dataclass(frozen=True)
class Rating:
    """What a person said, and when, in seconds since 1970."""

    about: RatingSubject
    value: str
    created: float


def name(finding: Finding) -> str:
    """Return the finding as a rating names it: by its words, so that it stays the same.

    Its place would change with whoever looked at the picture.
    """
    return f"{finding.kind}: {finding.expected} -> {finding.observed}"


class RatingStore:
    """What people said, in `database`. Raises StoreError as the store does.

    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def keep(self, about: RatingSubject, value: str) -> None:
        """Keep what a person says, in place of what the same person said of the same before."""
        self.say({about: value})

    def say(self, said: Mapping[RatingSubject, str]) -> None:
        """The same of several things at once."""
        now = round(self._clock(), 6)  # no finer than tables write it
        self.keep_all([Rating(about, value, now) for about, value in said.items()])

    def keep_all(self, ratings: Iterable[Rating]) -> None:
        """Keep ratings with their time, in place of what the same people said of the same."""
        rows = [
            RatingRow(
                id=_id(r.about),
                **storable({**asdict(r.about), "value": r.value, "created": r.created}),
            )
            for r in ratings
        ]
        with self._database.writing() as session:
            self._database.upsert(session, *rows, renew=("value", "created"))

    def take(self, ratings: Iterable[Rating], leeway: float = 0.0) -> int:
        """Keep ratings newer by `leeway` seconds than the same people's, and return how many.

        They are of the same.
        """
        last = {
            _id(rating.about): rating
            for rating in sorted(ratings, key=lambda rating: rating.created)
        }
        known = self._times(list(last))
        newer = [
            rating
            for name, rating in last.items()
            if rating.created > known.get(name, -math.inf) + leeway
        ]
        self.keep_all(newer)
        return len(newer)

    def _times(self, names: Sequence[str]) -> dict[str, float]:
        """When each rating that is here was given."""
        found: dict[str, float] = {}
        with self._database.reading() as session:
            for start in range(0, len(names), _AT_ONCE):
                some = names[start : start + _AT_ONCE]
                found |= dict(
                    session.exec(
                        select(RatingRow.id, RatingRow.created).where(col(RatingRow.id).in_(some))
                    ).all()
                )
        return found

    def all(self, metric: str | None = None, rater: str | None = None) -> list[Rating]:
        """Return all ratings, of a metric or by a person where one is named, the oldest first."""
        wanted = {
            name: value
            for name, value in (("metric", metric), ("rater", rater))
            if value is not None
        }
        chosen = select(RatingRow).where(
            *(col(getattr(RatingRow, field)) == value for field, value in storable(wanted).items())
        )
        with self._database.reading() as session:
            rows = session.exec(chosen.order_by(col(RatingRow.created), col(RatingRow.id))).all()
        return [
            Rating(
                RatingSubject(row.image, row.metric, row.prompt, row.finding, row.rater),
                row.value,
                row.created,
            )
            for row in rows
        ]

    def remove(self, about: RatingSubject) -> None:
        """Take back what a person said; nothing happens where nothing was said."""
        with self._database.writing() as session:
            session.exec(delete(RatingRow).where(col(RatingRow.id) == _id(about)))

    def for_picture(self, image: str, metric: str, prompt: str) -> Mapping[str, Mapping[str, str]]:
        """What was said of the findings of a picture: by finding, by rater, the value."""
        wanted = storable({"image": image, "metric": metric, "prompt": prompt})
        chosen = select(RatingRow).where(
            *(col(getattr(RatingRow, field)) == value for field, value in wanted.items())
        )
        with self._database.reading() as session:
            rows = session.exec(chosen.order_by(col(RatingRow.created))).all()
        found: dict[str, dict[str, str]] = {}
        for row in rows:
            found.setdefault(row.finding, {})[row.rater] = row.value
        return found


def _id(about: RatingSubject) -> str:
    return sha256(json.dumps(astuple(about)).encode()).hexdigest()
