"""What is kept of single prompts is what their evaluations say: bars, differences and trials are
the same as when all rows are read.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import rows
from hallascope.engine.leaderboard.drilldown import behind
from hallascope.engine.leaderboard.filters import By, Filters, Query
from hallascope.engine.leaderboard.prompt_scores import Asked, pairs
from hallascope.engine.storage.rebuild_sums import recount
from hallascope.engine.storage.store import Store
from tests.engine.leaderboard.test_board import SAID, everything
from tests.support.filled_store import Said, keep

BYS: tuple[By, ...] = ("model", "coi", "domain", "trial")
SAYING = st.builds(
    lambda said, model, judge, injected: replace(
        said, model=model, judge=judge, settings={"injected": injected} if injected else {}
    ),
    SAID,
    st.sampled_from(["one", "two"]),
    st.sampled_from(["j/one", "j/one", "j/two"]),
    st.sampled_from([None, None, None, "text"]),
)
FILTERS = (
    Filters(),
    Filters(trial=0),
    Filters(domain="animal"),
    Filters(domain="not given", trial=1),
    Filters(judge="j/two", category="Biology"),
)


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store(url, tmp_path / "home")
    yield opened
    opened.close()


def test_whatever_is_written_the_kept_sums_of_prompts_tell_what_all_evaluations_tell(
    store: Store,
) -> None:
    """Every example has models of its own in one store, as a store takes long to make."""
    numbers = count()

    @settings(max_examples=8, deadline=None, database=None, phases=(Phase.generate,))
    @given(st.lists(SAYING, min_size=2, max_size=8))
    def holds(said: list[Said]) -> None:
        at = next(numbers)
        for one in said:
            keep(store, replace(one, model=f"{one.model}/{at}"))
        models = tuple(
            f"{name}/{at}{known}" for name in ("one", "two") for known in ("", " + text knowledge")
        )
        _same(
            store,
            Query(
                by=BYS[at % len(BYS)], filters=replace(FILTERS[at % len(FILTERS)], models=models)
            ),
        )

    holds()
    before = (everything(store), by_prompt(store))
    assert recount(store.database, store.standings)
    assert (everything(store), by_prompt(store)) == (
        pytest.approx(before[0]),
        pytest.approx(before[1]),
    )


def _same(store: Store, query: Query) -> None:
    for key in (
        way.key for way in queries.ways(store, replace(query, filters=_read(query.filters)))
    ):
        one = replace(query, filters=replace(query.filters, instrument=key))
        _same_bars(store, one)
        for part in ("", "existence"):
            kept, found = (
                pairs(store, Asked(Query(filters=filters), [key], part))
                for filters in (one.filters, _read(one.filters))
            )
            assert {model: _numbers(own) for model, own in kept.items()} == found


def _same_bars(store: Store, query: Query) -> None:
    read = replace(query, filters=_read(query.filters))
    bars, told = (rows(store, one.by, filters=one.filters) for one in (query, read))
    assert [_numbers(vars(bar)) for bar in bars] == [vars(bar) for bar in told]
    for bar in bars:
        for page in (0, 1):
            listed, found = (
                behind(store, one, bar.model, bar.group, page, 2) for one in (query, read)
            )
            assert (listed.total, [_numbers(vars(item)) for item in listed.items]) == (
                found.total,
                [vars(item) for item in found.items],
            )


def _read(filters: Filters) -> Filters:
    """The same, with a filter that leaves nothing out and is answered from all evaluations."""
    return replace(filters, since=0.0)


def _numbers(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: pytest.approx(value) if isinstance(value, float | tuple) else value
        for name, value in values.items()
    }


def by_prompt(store: Store) -> dict[tuple[object, ...], float]:
    """All that is kept of prompts."""
    with store.database.engine.connect() as connection:
        found = connection.execute(
            text(
                "SELECT above, trial, score, part, prompt, slice, evaluation, total, weight, value FROM prompt_standing"
            )
        )
        return {
            (*row[:7], at): -1.0 if value is None else float(value)
            for row in found
            for at, value in enumerate(row[7:])
        }


def test_what_a_judgement_no_longer_says_is_no_longer_kept(store: Store) -> None:
    keep(store, Said(states=("correct", "incorrect"), cois=("color", "shape")))
    keep(store, Said(states=("correct",), cois=("color",)))
    assert behind(store, Query(by="coi"), "m/one", "shape").items == ()
    assert {key[3] for key in by_prompt(store)} == {"", "color"}


def test_lower_is_better_lists_the_highest_first_and_the_unanswered_last_over_all_pages(
    store: Store,
) -> None:
    for at, states in enumerate(
        (("correct",), ("incorrect",), ("correct", "incorrect"), ("failed",), ("failed", "failed"))
    ):
        keep(store, Said(f"prompt {at}", states=states))  # type: ignore[arg-type]
    pages = [behind(store, Query(), "m/one", page=page, size=2).items for page in range(4)]
    assert [[item.prompt[-1] for item in page] for page in pages] == [
        ["1", "2"],
        ["0", "4"],
        ["3"],
        [],
    ]


def test_a_store_of_the_version_before_is_summed_up_by_prompt_as_it_is_opened(
    url: str, tmp_path: Path
) -> None:
    store = Store(url, tmp_path / "home")
    for at in range(6):
        keep(
            store,
            Said(
                f"prompt {at % 2}",
                f"m/{at % 3}",
                trial=at % 2,
                domain="animal" if at % 2 else "food",
                run=f"r{at}",
            ),
        )
    before = (everything(store), by_prompt(store))
    with store.database.engine.begin() as connection:
        for later in ("prompt_standing", "reservation", "claim"):
            connection.execute(text(f"DROP TABLE {later}"))
        connection.execute(
            text(
                "DELETE FROM standing WHERE trial >= 0 AND slice IN (SELECT id FROM slice WHERE facet = '')"
            )
        )
        connection.execute(text("UPDATE schema SET version = 7"))
        connection.execute(text("UPDATE hallascope_revision SET version_num = '0007'"))
    store.close()
    store = Store(url, tmp_path / "home")
    assert (everything(store), by_prompt(store)) == (
        pytest.approx(before[0]),
        pytest.approx(before[1]),
    )
    assert not recount(store.database, store.standings, missing=True)
    store.close()
