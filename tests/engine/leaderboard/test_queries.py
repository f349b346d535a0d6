"""The prompts behind a bar are what the evaluations say now, in order over all pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.engine.leaderboard.board import leaderboard_rows
from hallascope.engine.leaderboard.drilldown import prompt_page
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store(url, tmp_path / "home")
    yield opened
    opened.close()


def test_what_a_judgement_no_longer_says_is_no_longer_kept(store: Store) -> None:
    keep(store, Said(states=("correct", "incorrect"), cois=("color", "shape")))
    keep(store, Said(states=("correct",), cois=("color",)))
    assert prompt_page(store, Query(by="coi"), "m/one", "shape").items == ()
    assert [row.group for row in leaderboard_rows(store, "coi")] == ["color"]


def test_lower_is_better_lists_the_highest_first_and_the_unanswered_last_over_all_pages(
    store: Store,
) -> None:
    for at, states in enumerate(
        (("correct",), ("incorrect",), ("correct", "incorrect"), ("failed",), ("failed", "failed"))
    ):
        keep(store, Said(f"prompt {at}", states=states))  # type: ignore[arg-type]
    pages = [prompt_page(store, Query(), "m/one", page=page, size=2).items for page in range(4)]
    assert [[item.prompt[-1] for item in page] for page in pages] == [
        ["1", "2"],
        ["0", "4"],
        ["3"],
        [],
    ]
