"""The trials that ship are those of the weights that ship."""

from hallascope.backends import registry
from hallascope.data.models.specs import read_models
from hallascope.engine.judge_eval.shipped import JUDGE, load_shipped_trials
from hallascope.metrics.ihalla import plan


def test_what_ships_belongs_to_the_weights_that_ship_and_to_no_others() -> None:
    ships = load_shipped_trials(lambda judge: str(registry.revision(read_models()[judge])))
    assert ships, (
        "run `python -m hallascope.engine.judge_eval.shipped`: the judge has other weights than its"
        " trial"
    )
    assert ships.primer.overall.asked >= 1000
    assert ships.primer.unanswered == 0
    assert ships.primer.none_right.asked >= 100
    assert ships.primer.reliability.baseline.asked == ships.primer.overall.asked
    assert ships.primer.overall.interval_method == "clopper-pearson"
    assert ships.halo.left_out == 0
    assert {ships.primer.judge, ships.halo.judge} == {JUDGE}
    assert ships.primer.version == plan.METRIC.version, (
        "the same questions and the same reading as today"
    )
    assert load_shipped_trials(lambda judge: "other weights") is None
