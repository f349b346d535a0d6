"""A planned store, and the Leaderboard of a store, for tests of the tab."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from hallascope.engine.services import Services
from hallascope.pages.leaderboard import view
from hallascope.pages.leaderboard.choice import (
    parse_choice,
)
from tests.support.labeled_stores import build_plan
from tests.support.ranked_store import MODELS

EXACT, HASTY, CARELESS = MODELS


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = build_plan(tmp_path_factory.mktemp("planned"))
    yield services
    services.store.close()


def shown(services: Services, **said: Any) -> view.LeaderboardView:
    return view.leaderboard_view(services, parse_choice(said))


WORDS = st.text(max_size=8)


def traces(found: view.LeaderboardView) -> list[dict[str, Any]]:
    assert found.figure is not None
    return list(found.figure.to_plotly_json()["data"])
