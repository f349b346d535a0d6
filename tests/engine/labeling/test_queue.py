"""The queue hands each image to as many raters as planned, keeps what they say, and goes on where
each of them stopped.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling import queue
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.labeling.queue import RESERVED_SECONDS, QueueItem
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingStore
from tests.support.labeling_store import build

Clock = Callable[[float], None]


def take(services: Any, plan: LabelingPlan, rater: str) -> QueueItem:
    item = queue.next_image(services, plan, rater)
    assert item is not None
    return item


def label(
    services: Any, plan: LabelingPlan, rater: str, marks: Sequence[str] = ("A", "A")
) -> QueueItem:
    """Label what is next with these marks."""
    item = take(services, plan, rater)
    queue.keep(services, plan, item.rateable.id, marks, rater)
    return item


def label_all(services: Any, plan: LabelingPlan, rater: str) -> list[QueueItem]:
    items = []
    while queue.next_image(services, plan, rater):
        items.append(label(services, plan, rater))
    return items


@pytest.fixture
def pass_time(services: Any) -> Clock:
    """A clock that stands still until it is moved by so many seconds."""
    now = [1_000.0]
    services.store.labeling = LabelingStore(services.store.database, lambda: now[0])

    def move(seconds: float) -> None:
        now[0] += seconds

    return move


# --- in order ---


def test_a_rater_who_comes_back_goes_on_where_they_stopped(tmp_path: Path) -> None:
    services = build(tmp_path / "home")
    plan = create_plan(services)
    for _ in range(3):
        label(services, plan, "Ann")
    before = take(services, plan, "Ann")
    services.store.close()
    again = build(tmp_path / "home")
    assert take(again, create_plan(again), "Ann").rateable.id == before.rateable.id
    assert take(again, create_plan(again), " Ann\n").number == 4, "the same name"
    again.store.close()


# --- several raters ---


def test_with_two_raters_an_image_the_first_images_overlap_first(services: Any) -> None:
    plan = create_plan(services, raters_per_image=2)
    assert [label(services, plan, "Ann").position for _ in range(3)] == [0, 1, 2]
    assert [label(services, plan, "Bo").position for _ in range(2)] == [0, 1]
    assert take(services, plan, "Cy").position == 2, "0 and 1 have two raters"
    assert take(services, plan, "Bo").position == 3, "2 has Ann, and is shown to Cy"


def test_an_outlook_names_images_that_the_rater_may_be_shown(services: Any) -> None:
    plan = create_plan(services)
    for _ in range(3):
        label(services, plan, "Ann")
    assert take(services, plan, "Bo").position == 3
    outlook = queue.read_outlook(services, plan, "Bo")
    assert outlook.soon == tuple(image.image for image in plan.images[4:6])
    assert outlook.left == len(plan.images) - 3


def test_raters_at_once_in_threads_label_every_image_as_often_as_planned(services: Any) -> None:
    plan = create_plan(services, raters_per_image=2)
    names = ["Ann", "Bo", "Cy", "Di"]
    threads = [threading.Thread(target=label_all, args=(services, plan, name)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in names:  # whoever ended while others were shown the last ones
        label_all(services, plan, name)
    records = services.store.labeling.records(plan.id)
    assert Counter(record.item for record in records) == {image.item: 2 for image in plan.images}


def test_what_a_rater_left_is_free_for_others_after_half_an_hour(
    services: Any, pass_time: Clock
) -> None:
    plan = create_plan(services)
    left = take(services, plan, "Ann")
    pass_time(RESERVED_SECONDS - 1)
    assert take(services, plan, "Bo").position == 1
    pass_time(1)
    assert take(services, plan, "Cy").rateable.id == left.rateable.id
    assert take(services, plan, "Ann").position == 2, "it is shown to Cy, and the next to Bo"
    queue.keep(services, plan, left.rateable.id, ["A", "A"], "Ann")  # answered after all
    assert {r.rater for r in services.store.labeling.records(plan.id) if r.state == "labeled"} == {
        "Ann"
    }


def test_an_image_checked_with_the_judge_in_sight_is_never_asked_of_that_rater(
    services: Any,
) -> None:
    plan = create_plan(services)
    item = take(services, plan, "Bo")
    ratings.keep_marks(services, item.rateable, ["A", "A"], "Ann", ratings.CHECKS)
    queue.skip(services, plan, item.rateable.id, "Bo")
    ids = {one.rateable.id for one in label_all(services, plan, "Ann")}
    assert item.rateable.id not in ids
    assert len(ids) == 23
    assert take(services, plan, "Cy").rateable.id == item.rateable.id


def test_an_image_checked_while_it_is_shown_is_neither_kept_nor_shown_again(services: Any) -> None:
    plan = create_plan(services)
    shown = take(services, plan, "Ann").rateable
    ratings.keep_marks(services, shown, ["A", "A"], "Ann", ratings.CHECKS)
    with pytest.raises(BadRequest, match="seen a judge's answers"):
        queue.keep(services, plan, shown.id, ["A", "A"], "Ann")
    assert take(services, plan, "Ann").rateable.id != shown.id


# --- skip and undo ---


# --- what is refused ---


@pytest.mark.parametrize("marks", [[], ["A"], ["A", "A", "A"], ["A", None], ["A", "C"], ["A", 1]])
def test_marks_that_are_none_are_refused_and_nothing_is_kept(
    services: Any, marks: list[object]
) -> None:
    plan = create_plan(services)
    item = take(services, plan, "Ann")
    with pytest.raises(BadRequest, match=r"^This image has 2 questions: give each a mark"):
        queue.keep(services, plan, item.rateable.id, marks, "Ann")
    assert services.store.ratings.all() == []
    assert [r.state for r in services.store.labeling.records(plan.id)] == ["shown"]
