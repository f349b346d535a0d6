"""Several judges are compared on the same questions."""

from typing import Any

from hallascope.engine.judge_eval.judge_agreement import disagreements, pairs
from tests.support.scripted_judges import PICTURES, run_trials


def test_two_judges_are_set_beside_each_other_with_their_disagreements(judge_services: Any) -> None:
    found = run_trials(judge_services, "good", "always-a", "refuser")
    by_pair = {(pair.one, pair.other): pair.kappa for pair in pairs(found)}
    assert len(by_pair) == 3
    same = by_pair["scripted/good", "scripted/refuser"]
    assert same.value == 1.0
    assert same.left_out == found[2].unanswered
    good, bad = found[:2]
    apart = list(disagreements([good, bad]))
    assert len(apart) == 5 * PICTURES - bad.overall.right
    assert all(
        one.said["scripted/good"] == one.right != one.said["scripted/always-a"] for one in apart
    )
    assert list(disagreements([good])) == []
