"""Keeps people's verdicts on pictures and on single findings.

No score counts them; they are shown beside the scores.
"""

import json
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from typing import Any

from sqlmodel import col, delete, select

from hallascope.data.evidence import Finding
from hallascope.engine.access.limits import MARKED_IMAGES
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.database import Database, chunked, storable
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.tables import RatingRow

FINE = "fine"  # the value where a person disagrees with what a metric objects to

# the metric of an answer that a person gave to a question, and how its finding begins
IHALLA = "ihalla"
QUESTION = "question: "

# the metric of an answer given with a judge's in sight, and of one that was taken back
CHECK = "check"
SEEN = "seen"


@dataclass(frozen=True)
class RatingSubject:
    """Names what a person speaks of: a picture by its SHA-256, judged by a metric for a prompt.

    `finding` is as `finding_name` gives it ("": the picture as a whole), and `rater` is the person
    ("": not named).
    """

    image: str
    metric: str
    prompt: str
    finding: str = ""
    rater: str = ""


@dataclass(frozen=True, kw_only=True)
class Rating(RatingSubject):
    """Holds a person's verdict and when it was given, in seconds since 1970."""

    value: str
    created: float

    @property
    def subject(self) -> RatingSubject:
        return RatingSubject(self.image, self.metric, self.prompt, self.finding, self.rater)


def finding_name(finding: Finding) -> str:
    """Return the finding as a rating names it: by its words, so that it stays the same.

    Its number would change with the models that looked at the picture.
    """
    return f"{finding.kind}: {finding.expected} -> {finding.observed}"


class RatingStore:
    """Keeps ratings in `database`. Raises StoreError as the store does.

    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._owners = Owners(database)
        self._clock = clock

    def keep(self, subject: RatingSubject, value: str) -> None:
        """Keep a person's verdict, in place of an earlier one of the same person and subject."""
        self.keep_values({subject: value})

    def keep_values(self, values: Mapping[RatingSubject, str]) -> None:
        """Keep the verdicts on several subjects at once."""
        now = round(self._clock(), 6)  # no finer than tables write it
        self.keep_all(
            [Rating(**vars(subject), value=value, created=now) for subject, value in values.items()]
        )

    def keep_all(self, ratings: Iterable[Rating]) -> None:
        """Keep ratings with their time, in place of those of the same people and subjects.

        A check keeps the time of the first one, since when a judge's answers were in sight.

        Raises NotYours, and BadRequest where a visitor says something of too many images at once.
        """
        given = list(ratings)
        if self._owners.visitor and len(given) > MARKED_IMAGES.most:
            raise BadRequest(
                f"These are {len(given):,} images, and here at most {MARKED_IMAGES.most:,} are"
                " taken at once: choose fewer."
            )
        with self._database.write_transaction() as session:
            raters = {rating.rater for rating in given}
            names = {rater: self._owners.person(session, rater) for rater in raters}
            named = [replace(rating, rater=names[rating.rater]) for rating in given]
            rows = [
                RatingRow(id=_rating_id(each.subject), **storable(vars(each))) for each in named
            ]
            checks = [row for row in rows if row.metric in (CHECK, SEEN)]
            others = [row for row in rows if row.metric not in (CHECK, SEEN)]
            self._database.upsert(session, *checks, renew=("value",))
            self._database.upsert(session, *others, renew=("value", "created"))

    def keep_newer(self, ratings: Iterable[Rating], leeway: float = 0.0) -> int:
        """Keep those ratings that are newer than the stored ones, and return how many.

        They must be newer by more than `leeway` seconds than those of the same people and subjects.
        """
        oldest_first = sorted(ratings, key=lambda rating: rating.created)
        last = {_rating_id(rating.subject): rating for rating in oldest_first}
        query = select(RatingRow.id, RatingRow.created)
        stored: dict[str, float] = dict(self._database.read(query, col(RatingRow.id), last))
        newer = [
            rating
            for name, rating in last.items()
            if rating.created > stored.get(name, -math.inf) + leeway
        ]
        self.keep_all(newer)
        return len(newer)

    def all(
        self,
        metric: str | None = None,
        rater: str | None = None,
        images: Collection[str] | None = None,
    ) -> list[Rating]:
        """Return all ratings, the oldest first.

        Where a metric, a person or images (by SHA-256) are named, those of them alone.
        """
        if images is None:
            return self._read(metric=metric, rater=rater)
        found = [
            rating
            for chunk in chunked(sorted(images))
            for rating in self._read(col(RatingRow.image).in_(chunk), metric=metric, rater=rater)
        ]
        return sorted(found, key=lambda rating: (rating.created, _rating_id(rating.subject)))

    def _read(self, *conditions: Any, **values: str | None) -> list[Rating]:
        """Return the ratings with these values, the oldest first; None stands for any."""
        query = select(RatingRow).where(*conditions)
        for name, value in storable(values).items():
            if value is not None:
                query = query.where(getattr(RatingRow, name) == value)
        query = query.order_by(col(RatingRow.created), col(RatingRow.id))
        return [Rating(**row.model_dump(exclude={"id"})) for row in self._database.read(query)]

    def remove(self, subject: RatingSubject) -> None:
        """Take back a person's verdict; nothing happens where there is none. Raises NotYours."""
        with self._database.write_transaction() as session:
            subject = replace(subject, rater=self._owners.person(session, subject.rater))
            session.exec(delete(RatingRow).where(col(RatingRow.id) == _rating_id(subject)))

    def for_picture(self, image: str, metric: str, prompt: str) -> Mapping[str, Mapping[str, str]]:
        """Return the ratings of a picture's findings: by finding and rater the value.

        A visitor without a name is "", unless the operator rated the finding without a name, too.
        """
        values: dict[str, dict[str, str]] = {}
        for rating in self._read(image=image, metric=metric, prompt=prompt):
            values.setdefault(rating.finding, {})[rating.rater] = rating.value
        return {
            finding: {
                rater if "" in given else self._owners.shown_name(rater): value
                for rater, value in given.items()
            }
            for finding, given in values.items()
        }


def _rating_id(subject: RatingSubject) -> str:
    return sha256(json.dumps(astuple(subject)).encode()).hexdigest()
