"""Models are compared on the prompts of both."""

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.store import Store


def test_a_difference_is_paired_by_prompt_and_says_how_sure_it_is(full: Store) -> None:
    found = difference(full, Query(), "m/two", "m/one")
    assert found.value == pytest.approx(2 / 9)
    assert found.n == 9
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    # two prompts differ, both the same way: of four flips two are as far from 0
    assert (found.p, found.flips) == (0.5, "exact")
    assert found.low < 0 < found.value < found.high
    back = difference(full, Query(), "m/one", "m/two")
    assert back.value == pytest.approx(-found.value)
    assert back.p == found.p
    assert difference(full, Query(by="coi"), "m/two", "m/one", "shape").value is None


def test_a_model_is_not_compared_with_itself_or_nobody(full: Store) -> None:
    with pytest.raises(BadRequest, match="compared with itself"):
        difference(full, Query(), "m/one", "m/one")
    with pytest.raises(BadRequest, match="Nothing of 'm/none' is stored"):
        difference(full, Query(), "m/one", "m/none")
