"""Plans, ratings and corrections are kept by what they are about, and the last word of each author
stands.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial

import pytest

from hallascope.data.prompt_reading import (
    AskedObject,
    Count,
    PromptReading,
    StyleWords,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.people.labeling import (
    LabelingPlan,
    LabelingRecord,
    LabelingStore,
    PlannedImage,
)
from hallascope.engine.storage.people.ratings import (
    FINE,
    RatingStore,
    RatingSubject,
)
from hallascope.engine.storage.people.readings import Correction, ReadingStore
from hallascope.engine.storage.tables import LabelingPlanRow
from tests.support.ratings import rating_of
from tests.support.threads import run_at_once

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


def test_raters_who_choose_at_once_do_not_choose_the_same(database: Database) -> None:
    store = LabelingStore(database)
    store.keep_plan(PLAN)
    items = [f"r:{number}" for number in range(12)]

    def first_free(statuses: Sequence[LabelingRecord]) -> str:
        taken = {status.item for status in statuses}
        return next(item for item in items if item not in taken)

    def reserve(rater: str) -> str | None:
        return store.reserve("p1", rater, first_free, 60.0)

    chosen = run_at_once(*(partial(reserve, f"rater {number}") for number in range(12)))
    assert sorted(name or "" for name in chosen) == sorted(items)


ANN = RatingSubject("00ff", "fig", "a cat", "color: red -> blue", "Ann")
BO = RatingSubject("00ff", "fig", "a cat", "color: red -> blue", "Bo")


@pytest.fixture
def ratings(database: Database) -> RatingStore:
    times = iter(range(100))
    return RatingStore(database, clock=lambda: float(next(times)))


def test_the_last_word_of_a_person_stands_until_it_is_taken_back(ratings: RatingStore) -> None:
    ratings.keep(ANN, "four")
    ratings.keep(ANN, FINE)
    ratings.keep_values({BO: "five"})
    assert ratings.all() == [rating_of(ANN, FINE, 1.0), rating_of(BO, "five", 2.0)]
    assert ratings.all("fig", "Bo") == [rating_of(BO, "five", 2.0)]
    assert ratings.all("grade") == []
    assert ratings.all(images={ANN.image}) == ratings.all()
    assert ratings.all(images={"another image"}) == []
    values = {"color: red -> blue": {"Ann": FINE, "Bo": "five"}}
    assert ratings.for_picture("00ff", "fig", "a cat") == values
    ratings.remove(ANN)
    ratings.remove(ANN)
    assert [rating.subject for rating in ratings.all()] == [BO]


def test_only_what_is_newer_than_the_leeway_is_kept(ratings: RatingStore) -> None:
    ratings.keep_all([rating_of(ANN, "four", 10.0)])
    assert ratings.keep_newer([rating_of(ANN, "old", 9.0), rating_of(BO, "five", 1.0)]) == 1
    assert ratings.keep_newer([rating_of(ANN, "same", 10.5)], leeway=1.0) == 0
    assert ratings.keep_newer([rating_of(ANN, "new", 12.0), rating_of(ANN, "less", 11.0)]) == 1
    assert ratings.all() == [rating_of(BO, "five", 1.0), rating_of(ANN, "new", 12.0)]


PROMPT = "two red cats, oil painting"
CAT = AskedObject(id="o1", name="cat", spans=((8, 12),), count=Count.exactly(2))
STYLE = StyleWords("oil painting", (14, 26))
READING = PromptReading(prompt=PROMPT, objects=(CAT,), style=(STYLE,))


@pytest.fixture
def readings(database: Database) -> ReadingStore:
    times = iter(range(100))
    return ReadingStore(database, clock=lambda: float(next(times)))


def test_the_newest_of_a_prompt_is_used_whoever_wrote_it_until_it_is_taken_back(
    readings: ReadingStore,
) -> None:
    assert readings.newest(PROMPT) is None
    first = readings.keep(READING, "Ann")
    assert first == replace(READING, source="person", author="Ann")
    assert readings.all() == [Correction(first, 0.0)]
    bo = readings.keep(replace(READING, objects=()), "Bo")
    assert readings.newest(PROMPT) == bo
    ann = readings.keep(replace(READING, style=()), "Ann")
    assert readings.newest(PROMPT) == ann
    assert readings.all() == [Correction(bo, 1.0), Correction(ann, 2.0)]
    assert readings.of_prompt(PROMPT) == [ann, bo]
    for author in ("Ann", "Cy"):
        readings.remove(PROMPT, author)
    assert readings.newest(PROMPT) == bo


def test_spaces_do_not_tell_prompts_apart_and_capitals_do(readings: ReadingStore) -> None:
    cat = readings.keep(PromptReading(prompt="a cat"), "Ann")
    asked = [" a  cat\n", "A cat", "a cat", "a cat here"]
    assert readings.newest_of(asked) == {" a  cat\n": cat, "a cat": cat}
    readings.keep(PromptReading(prompt="a  cat", unreadable="fragment"), "A\0nn")
    readings.remove("a cat", "Ann")
    assert [correction.reading.unreadable for correction in readings.all()] == ["fragment"]


def test_many_and_long_prompts_are_looked_up_at_once(readings: ReadingStore) -> None:
    prompts = [f"{number} {'long ' * 800}" for number in range(600)]
    readings.keep_authored(PromptReading(prompt=prompt, author="Ann") for prompt in prompts)
    assert {reading.prompt for reading in readings.newest_of(prompts).values()} == set(prompts)
