"""Behind a bar are its prompts, worst first, and their evaluations."""

from hallascope.engine.leaderboard.board import leaderboard_rows
from hallascope.engine.leaderboard.drilldown import prompt_evaluations, prompt_page
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.store import Store
from tests.support.every_answer import every_answer


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
            row
            for row in leaderboard_rows(full, query.by, filters=query.filters)
            if row.model == "m/one"
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
        for row in leaderboard_rows(full, by):
            found = prompt_page(full, Query(by=by), row.model, row.group, size=100)
            counted = sum(
                item.answered if by == "coi" else item.value is not None for item in found.items
            )
            assert counted == row.n, (by, row)


def test_a_prompt_leads_to_the_evaluations_of_its_pictures(full: Store) -> None:
    (shown,) = prompt_evaluations(full, Query(), "m/one", "prompt 4")
    assert (shown.run, shown.value, shown.seed, shown.trial) == ("r4", 0.0, 0, 0)
    assert [said.generation for said in full.evaluations("r4") if said.model == "m/one"] == [
        shown.generation
    ] * 2


def test_what_people_say_and_remove_does_not_change_what_is_counted(full: Store) -> None:
    before = every_answer(full)
    full.ratings.keep(RatingSubject("00", "ihalla", "prompt 1", rater="ann"), "fine")
    full.ratings.remove(RatingSubject("00", "ihalla", "prompt 1", rater="ann"))
    full.remove_question_set("prompt 1")
    assert every_answer(full) == before
