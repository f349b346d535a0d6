"""Keeps plans of what people label, and what each rater did with the images of a plan.

A plan changes only where a run is deleted, whose images leave it. The answers themselves are kept
as ratings, too (`hallascope.engine.storage.people.ratings`).
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, delete, select

from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.database import Database, chunked, storable
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.tables import LabelingPlanRow, LabelingRecordRow

LabelingState = Literal["shown", "labeled", "skipped"]


@dataclass(frozen=True, kw_only=True)
class PlannedImage:
    """Holds an image of a plan, which is labeled with all of its questions.

    `image` is its SHA-256, `item` the id by which `hallascope.engine.ratings.find_rateable` finds
    it, and `evaluation` the number of the judge's stored report. `stratum` is the model's name in
    the frame, `position` (from 0) the place in the order in which images are labeled.

    `probability` is the share of its prompt in one draw from the stratum; those of the prompts of a
    stratum sum to 1. Of n prompts drawn it is included with probability min(1, n * probability),
    as `inclusion_probabilities` of `hallascope.metrics.statistics.prediction_powered` has it. Only
    plans that version 0.1.0 drew with `--design active` have prompts of different probabilities.
    """

    image: str
    prompt: str
    model: str
    stratum: str
    position: int = 0
    probability: float = 1.0
    item: str
    evaluation: int


@dataclass(frozen=True, kw_only=True)
class LabelingPlan:
    """Holds which images people label, in which order, and how they were drawn.

    `judge` is the judge whose scores the labels correct. `raters_per_image` (1 to 5) people label
    each image. `created` is in seconds since 1970. The same frame and options have the same `id`.
    Version 0.1.0 stored plans with further fields, which are passed over.
    """

    id: str
    created: float
    title: str
    judge: str
    seed: int
    raters_per_image: int
    images: tuple[PlannedImage, ...]

    @property
    def by_item(self) -> dict[str, PlannedImage]:
        """Return the images by their ids."""
        return {image.item: image for image in self.images}


class LabeledQuestion(NamedTuple):
    """Holds a rater's mark of a question, A to E or "?", and the expected letter."""

    question: str
    mark: str
    expected: str


@dataclass(frozen=True, kw_only=True)
class LabelingRecord:
    """Holds what a rater did with an item of a plan.

    `answers` are () unless it is labeled. `shown` and `created` are when the rater first saw it and
    when the state was reached, in seconds since 1970.
    """

    rater: str
    item: str
    state: LabelingState
    answers: tuple[LabeledQuestion, ...] = ()
    shown: float
    created: float


_PLAN = TypeAdapter(LabelingPlan)
_ANSWERS = TypeAdapter(tuple[LabeledQuestion, ...])
ChooseItem = Callable[[Sequence[LabelingRecord]], str | None]
CheckItem = Callable[[Sequence[LabelingRecord]], None]


def unknown_plan(name: str) -> BadRequest:
    """Return the error that says that there is no such plan."""
    return BadRequest(
        f"There is no labeling plan {name!r}: `hallascope label progress` lists all plans."
    )


class LabelingStore:
    """Keeps plans and records in `database`. Raises StoreError as the store does.

    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._owners = Owners(database)
        self._clock = clock

    # --- plans ---

    def keep_plan(self, plan: LabelingPlan) -> LabelingPlan:
        """Keep a plan, and return it as it is stored: the first of the same id stays.

        Raises NotYours where that is another visitor's.
        """
        head = {"id": plan.id, "created": plan.created, "title": plan.title}
        row = LabelingPlanRow(**storable(head | {"plan": _PLAN.dump_json(plan).decode()}))
        with self._database.write_transaction() as session:
            if session.get(LabelingPlanRow, plan.id) is None:
                self._owners.new(session, "plan", plan.id)
            else:
                self._owners.require(session, "plan", plan.id)
            self._database.upsert(session, row)
        return self.plan(plan.id)

    def may_label(self, session: Session, plan: str, rater: str) -> str:
        """Return the name under which the visitor labels images of a plan.

        They made the plan or have its link for raters, and nobody else has the name. Raises
        NotYours, OverLimit.
        """
        visitor = self._owners.visitor
        if visitor and plan not in visitor.plans:
            self._owners.require(session, "plan", plan)
        return self._owners.person(session, rater)

    def is_own(self, plan: str) -> bool:
        """Return whether the visitor made the plan, or is the operator."""
        with self._database.read_transaction() as session:
            return self._owners.is_sole_author(session, "plan", plan)

    def require_own(self, plan: str) -> None:
        """Raise NotYours where the visitor did not make the plan."""
        with self._database.read_transaction() as session:
            self._owners.require(session, "plan", plan)

    def delete_plan(self, plan: str) -> None:
        """Delete a plan with what raters did in it; their answers stay as ratings.

        Raises NotYours.
        """
        with self._database.write_transaction() as session:
            self._owners.require(session, "plan", plan)
            self._owners.remove(session, "plan", plan)
            session.exec(delete(LabelingRecordRow).where(col(LabelingRecordRow.plan) == plan))
            session.exec(delete(LabelingPlanRow).where(col(LabelingPlanRow.id) == plan))

    def plan(self, name: str) -> LabelingPlan:
        """Return the plan of that id. Raises BadRequest where there is none."""
        with self._database.read_transaction() as session:
            row = session.get(LabelingPlanRow, name)
        if row is None:
            raise unknown_plan(name)
        return _PLAN.validate_json(row.plan)

    def plans(self, beginning: str = "") -> list[LabelingPlan]:
        """Return all plans whose id begins so, the newest first; none that another visitor made."""
        query = self._owners.hide_others(select(LabelingPlanRow), "plan", col(LabelingPlanRow.id))
        query = query.where(
            col(LabelingPlanRow.id).startswith(beginning, autoescape=True)
        ).order_by(col(LabelingPlanRow.created).desc(), col(LabelingPlanRow.id))
        return [_PLAN.validate_json(row.plan) for row in self._database.read(query)]

    def count_planned(self, evaluations: Collection[int]) -> dict[str, int]:
        """Return by the id of a plan how many of its images have one of these evaluations."""
        with self._database.read_transaction() as session:
            plans = _all_plans(session)
        counts = {
            plan.id: sum(image.evaluation in evaluations for image in plan.images) for plan in plans
        }
        return {plan: count for plan, count in counts.items() if count}

    def drop_images(self, evaluations: Collection[int]) -> None:
        """Take the images with these evaluations out of all plans; a plan without any goes."""
        with self._database.write_transaction() as session:
            for plan in _all_plans(session):
                left = tuple(one for one in plan.images if one.evaluation not in evaluations)
                gone = {one.item for one in plan.images} - {one.item for one in left}
                records = col(LabelingRecordRow.plan) == plan.id
                for items in chunked(gone):
                    dropped = col(LabelingRecordRow.item).in_(items)
                    session.exec(delete(LabelingRecordRow).where(records, dropped))
                if gone and left:
                    row = session.get_one(LabelingPlanRow, plan.id)
                    row.plan = _PLAN.dump_json(replace(plan, images=_rescale(left))).decode()
                elif gone:
                    session.exec(delete(LabelingPlanRow).where(col(LabelingPlanRow.id) == plan.id))

    # --- records ---

    def reserve(self, plan: str, rater: str, choose: ChooseItem, lifetime: float) -> str | None:
        """Note that a rater is shown the item that `choose` returns, and return it.

        `choose` is given what all raters did, the oldest first, and may return None. What is shown
        to a rater is so for `lifetime` seconds, and then free for others. No two raters choose at
        once. The time at which an item was first shown stays for as long.
        """
        now = self._clock()
        with self._database.write_transaction() as session:
            self._database.take_turn(session)
            rater = self.may_label(session, plan, rater)
            statuses = _read_statuses(session, plan, now - lifetime)
            item = choose(statuses)
            if item is None:
                return None
            if not any((status.rater, status.item) == (rater, item) for status in statuses):
                record = LabelingRecord(
                    rater=rater, item=item, state="shown", shown=now, created=now
                )
                row = _record_row(plan, record)
                self._database.upsert(session, row, renew=("shown", "created"))
        return item

    def statuses(self, plan: str, lifetime: float) -> list[LabelingRecord]:
        """Return what all raters did, the oldest first.

        What was shown more than `lifetime` seconds ago, and is neither labeled nor skipped, is not
        among them.
        """
        with self._database.read_transaction() as session:
            return _read_statuses(session, plan, self._clock() - lifetime)

    def keep_record(
        self,
        plan: str,
        rater: str,
        item: str,
        state: LabelingState,
        answers: Sequence[LabeledQuestion] = (),
        *,
        check: CheckItem = lambda statuses: None,
        lifetime: float = 0.0,
    ) -> None:
        """Keep that a rater labeled or skipped an item, or is shown it again.

        `check` is given what all raters did, as in `reserve`, and raises where that may not be.
        """
        now = self._clock()
        renew = ["state", "answers", "created"]
        if state == "shown":
            renew.append("shown")
        with self._database.write_transaction() as session:
            self._database.take_turn(session)
            rater = self.may_label(session, plan, rater)
            check(_read_statuses(session, plan, now - lifetime))
            record = LabelingRecord(
                rater=rater, item=item, state=state, answers=tuple(answers), shown=now, created=now
            )
            self._database.upsert(session, _record_row(plan, record), renew=renew)

    def records(self, plan: str) -> list[LabelingRecord]:
        """Return what all raters did, the oldest first."""
        with self._database.read_transaction() as session:
            return _read_records(session, plan)


def _all_plans(session: Session) -> list[LabelingPlan]:
    """Return the plans of everybody."""
    return [_PLAN.validate_json(row.plan) for row in session.exec(select(LabelingPlanRow))]


def _rescale(images: Sequence[PlannedImage]) -> tuple[PlannedImage, ...]:
    """Return the images with the probabilities of the prompts that are left in each stratum."""
    chances = {(image.stratum, image.prompt): image.probability for image in images}
    totals = defaultdict[str, float](float)
    for (stratum, _), probability in chances.items():
        totals[stratum] += probability
    return tuple(
        replace(image, probability=image.probability / totals[image.stratum]) for image in images
    )


def _read_records(session: Session, plan: str) -> list[LabelingRecord]:
    row = LabelingRecordRow
    names = ("rater", "item", "state", "answers", "shown", "created")
    # as columns: whole rows take several times as long, and what raters did is read often
    query = (
        select_columns(*(col(getattr(row, name)) for name in names))
        .where(col(row.plan) == plan)
        .order_by(col(row.created), col(row.id))
    )
    return [
        LabelingRecord(**{**found, "answers": _ANSWERS.validate_json(found["answers"])})
        for found in session.connection().execute(query).mappings()
    ]


def _read_statuses(session: Session, plan: str, oldest_shown: float) -> list[LabelingRecord]:
    """Return the records of a plan, without what is shown since before `oldest_shown`."""
    records = _read_records(session, plan)
    return [one for one in records if one.state != "shown" or one.created > oldest_shown]


def _record_row(plan: str, record: LabelingRecord) -> LabelingRecordRow:
    name = sha256(json.dumps([plan, record.rater, record.item]).encode()).hexdigest()
    answers = _ANSWERS.dump_json(record.answers).decode()
    return LabelingRecordRow(
        **storable(vars(record) | {"id": name, "plan": plan, "answers": answers})
    )
