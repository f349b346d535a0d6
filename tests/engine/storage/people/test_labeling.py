"""Plans are kept and never changed; what raters do is kept by plan, rater and item."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.people.labeling import (
    LabeledQuestion,
    LabelingPlan,
    LabelingRecord,
    LabelingStore,
    PlannedImage,
)
from hallascope.engine.storage.tables import LabelingPlanRow

IMAGE = PlannedImage(
    image="00ff",
    prompt="a cat \u2013 with a hat",
    model="m/one",
    stratum="m/one",
    position=0,
    probability=1 / 3,
    item="r:g",
    evaluation=7,
)
PLAN = LabelingPlan(
    id="p1",
    created=1.5,
    title="What people see",
    judge="j/one",
    seed=2**40,
    raters_per_image=2,
    images=(IMAGE,),
)


@pytest.fixture
def labeling(database: Database) -> LabelingStore:
    times = iter(range(100))
    store = LabelingStore(database, clock=lambda: float(next(times)))
    store.keep_plan(PLAN)
    return store


class Choice:
    """Chooses one item, and remembers what it was given."""

    def __init__(self, item: str | None) -> None:
        self.item = item
        self.given: list[LabelingRecord] = []

    def __call__(self, statuses: Sequence[LabelingRecord]) -> str | None:
        self.given = list(statuses)
        return self.item


def test_a_plan_comes_back_as_it_was_and_the_first_of_an_id_stays(labeling: LabelingStore) -> None:
    assert labeling.plan("p1") == PLAN
    assert labeling.keep_plan(replace(PLAN, title="Another", created=9.0)) == PLAN
    later = replace(PLAN, id="p2", created=2.5)
    labeling.keep_plan(later)
    assert labeling.plans() == [later, PLAN]
    with pytest.raises(BadRequest, match="no labeling plan 'p9'"):
        labeling.plan("p9")


def test_a_plan_of_version_0_1_0_opens_without_its_options(
    labeling: LabelingStore, database: Database
) -> None:
    plan = asdict(replace(PLAN, id="old")) | {
        "design": "active",
        "attention_every": 3,
        "images": [asdict(IMAGE) | {"reason": "confidence", "unsure": 0.25}],
        "checks": [{"item": "r:check"}],
    }
    row = {"id": "old", "created": 1.5, "title": PLAN.title, "plan": json.dumps(plan)}
    with database.write_transaction() as session:
        session.add(LabelingPlanRow(**storable(row)))
    assert labeling.plan("old") == replace(PLAN, id="old")


def test_what_is_shown_is_given_to_those_who_choose_until_its_time_is_over(
    labeling: LabelingStore,
) -> None:
    assert labeling.reserve("p1", "Ann", Choice("r:g"), 3.0) == "r:g"  # at 0
    bo = Choice(None)
    assert labeling.reserve("p1", "Bo", bo, 3.0) is None  # at 1
    assert bo.given == [
        LabelingRecord(rater="Ann", item="r:g", state="shown", shown=0.0, created=0.0)
    ]
    again = Choice("r:g")
    labeling.reserve("p1", "Ann", again, 3.0)  # at 2: it keeps the first time
    (record,) = labeling.records("p1")
    assert (record.shown, record.created) == (0.0, 0.0)
    late = Choice("r:g")
    labeling.reserve("p1", "Ann", late, 3.0)  # at 3: its time is over
    assert late.given == []
    (record,) = labeling.records("p1")
    assert (record.shown, record.created) == (3.0, 3.0)


def test_a_label_keeps_the_time_at_which_the_image_was_shown(labeling: LabelingStore) -> None:
    labeling.reserve("p1", "Ann", Choice("r:g"), 60.0)
    answers = [LabeledQuestion("color?", "?", "A")]
    labeling.keep_record("p1", "Ann", "r:g", "labeled", answers)
    assert labeling.records("p1") == [
        LabelingRecord(
            rater="Ann", item="r:g", state="labeled", answers=tuple(answers), shown=0.0, created=1.0
        )
    ]
    labeling.keep_record("p1", "Ann", "r:g", "shown")
    (record,) = labeling.records("p1")
    assert (record.state, record.answers, record.shown) == ("shown", (), 2.0)


def test_raters_who_choose_at_once_do_not_choose_the_same(database: Database) -> None:
    store = LabelingStore(database)
    store.keep_plan(PLAN)
    items = [f"r:{number}" for number in range(12)]

    def first_free(statuses: Sequence[LabelingRecord]) -> str:
        taken = {status.item for status in statuses}
        return next(item for item in items if item not in taken)

    def reserve(rater: str) -> str | None:
        return store.reserve("p1", rater, first_free, 60.0)

    with ThreadPoolExecutor(max_workers=6) as pool:
        chosen = list(pool.map(reserve, [f"rater {number}" for number in range(12)]))
    assert sorted(name or "" for name in chosen) == sorted(items)
