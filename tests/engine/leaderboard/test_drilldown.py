"""Behind a bar are its prompts, worst first; models are compared on the prompts of both.

Methods disagree by rank, not by strictness.
"""

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hallascope.data.records import State
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.board import rows
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.disagreements import disagreements
from hallascope.engine.leaderboard.drilldown import pictures, prompt_page
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.ratings import RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.every_answer import every_answer
from tests.support.filled_store import Said, keep

RIGHT: State = "correct"
WRONG: State = "incorrect"


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Nine prompts: the model m/one is right about the first ones, m/two about two more."""
    store = Store(folder=tmp_path_factory.mktemp("full"))
    for at in range(9):
        for model, right in (("m/one", 4), ("m/two", 6)):
            said = Said(
                f"prompt {at}",
                model,
                (RIGHT if at < right else WRONG, "failed"),
                cois=("color", "shape"),
                run=f"r{at}",
            )
            keep(store, said)
            keep(
                store,
                Said(
                    f"prompt {at}",
                    model,
                    (RIGHT if at == 8 else WRONG,),
                    metric="tifa",
                    run=f"r{at}",
                ),
            )
    keep(store, Said("prompt 9", "m/one", ("failed",), cois=("color",), run="r9"))
    yield store
    store.close()


def test_the_prompts_behind_a_bar_come_worst_first_unanswered_last_and_in_pages(
    full: Store,
) -> None:
    first, last = (prompt_page(full, Query(), "m/one", page=page, size=6) for page in (0, 1))
    assert (first.total, len(first.items), len(last.items)) == (10, 6, 4)
    values = [item.value for item in (*first.items, *last.items)]
    assert values == [0.0] * 5 + [1.0] * 4 + [None]
    assert {item.prompt for item in first.items[:5]} == {f"prompt {at}" for at in range(4, 9)}
    assert (first.items[0].pictures, first.items[0].answered, first.items[0].unanswered) == (
        1,
        1,
        1,
    )


def test_how_many_prompts_there_are_is_the_same_on_every_page_and_however_they_are_found(
    full: Store,
) -> None:
    for query in (
        Query(),
        Query(by="coi"),
        Query(filters=Filters(since=0.0)),
        Query(by="category", filters=Filters(since=0.0)),
    ):
        for row in (
            row for row in rows(full, query.by, filters=query.filters) if row.model == "m/one"
        ):
            listed = len(prompt_page(full, query, row.model, row.group, size=100).items)
            assert {
                prompt_page(
                    store=full, query=query, model=row.model, group=row.group, page=page, size=4
                ).total
                for page in (0, 1, 9)
            } == {listed}


def test_behind_a_composition_of_interest_are_its_questions_alone(full: Store) -> None:
    found = prompt_page(full, Query(by="coi"), "m/one", "shape")
    assert (found.total, {item.value for item in found.items}) == (9, {None})
    assert prompt_page(full, Query(by="coi"), "m/one", "color").total == 10


def test_behind_a_group_is_what_its_bar_counts(full: Store) -> None:
    for by in ("category", "domain", "level", "trial", "judge", "coi"):
        for row in rows(full, by):
            found = prompt_page(full, Query(by=by), row.model, row.group, size=100)
            counted = sum(
                item.answered if by == "coi" else item.value is not None for item in found.items
            )
            assert counted == row.n, (by, row)


def test_a_prompt_leads_to_the_evaluations_of_its_pictures(full: Store) -> None:
    (shown,) = pictures(full, Query(), "m/one", "prompt 4")
    assert (shown.run, shown.value, shown.seed, shown.trial) == ("r4", 0.0, 0, 0)
    assert [said.generation for said in full.evaluations("r4") if said.model == "m/one"] == [
        shown.generation
    ] * 2


def test_a_difference_is_paired_by_prompt_and_says_how_sure_it_is(full: Store) -> None:
    found = difference(full, Query(), "m/two", "m/one")
    assert found.value == pytest.approx(2 / 9)
    assert found.n == 9
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.p is not None
    assert 0 <= found.low < found.value < found.high
    back = difference(full, Query(), "m/one", "m/two")
    assert back.value == pytest.approx(-found.value)
    assert back.p == found.p
    assert difference(full, Query(by="coi"), "m/two", "m/one", "shape").value is None


def test_a_model_is_not_compared_with_itself_or_nobody(full: Store) -> None:
    with pytest.raises(BadRequest, match="compared with itself"):
        difference(full, Query(), "m/one", "m/one")
    with pytest.raises(BadRequest, match="Nothing of 'm/none' is stored"):
        difference(full, Query(), "m/one", "m/none")


def test_methods_disagree_where_one_ranks_a_picture_high_and_another_low(full: Store) -> None:
    found = disagreements(full, metrics=("ihalla", "tifa"), size=50)
    assert (found.total, found.considered) == (18, 18)
    assert all(one.value >= other.value for one, other in pairwise(found.items))
    top = found.items[0]
    assert (top.prompt, top.scores) == ("prompt 8", {"ihalla": 0.0, "tifa": 1.0})
    assert top.value == pytest.approx(max(top.ranks.values()) - min(top.ranks.values()))
    assert top.run == "r8"
    assert disagreements(full, Filters(models=("m/one",)), ("ihalla", "tifa")).total == 9
    assert disagreements(full, metrics=("ihalla",)).total == 0


def test_what_people_say_and_remove_does_not_change_what_is_counted(full: Store) -> None:
    before = every_answer(full)
    full.ratings.keep(RatingSubject("00", "ihalla", "prompt 1", rater="ann"), "fine")
    full.ratings.remove(RatingSubject("00", "ihalla", "prompt 1", rater="ann"))
    full.remove_question_set("prompt 1")
    assert every_answer(full) == before


def test_writers_at_once_count_everything_once(url: str, tmp_path: Path) -> None:
    stores = [Store(url, tmp_path / "home") for _ in range(3)]
    said = [
        Said("a cat", seed=seed, states=(RIGHT if seed % 2 else WRONG,), run=f"r{seed % 2}")
        for seed in range(9)
    ]

    def write(number: int) -> None:
        for one in said[number::3]:
            keep(stores[number], one)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (row,) = rows(stores[0])
    assert row.value == pytest.approx(4 / 9)
    assert (row.n, row.answered) == (1, 9)
    again = rows(stores[0], filters=Filters(runs=("r0",)))
    assert [(row.value, row.answered) for row in again] == [(0.0, 5)]
    for store in stores:
        store.close()
