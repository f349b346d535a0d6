"""Methods disagree by rank, not by strictness."""

from itertools import pairwise

import pytest

from hallascope.engine.leaderboard.disagreements import disagreements
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.storage.store import Store


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
