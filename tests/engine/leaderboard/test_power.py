"""Before a sweep it is known which differences its prompts can tell."""

from hallascope.engine.leaderboard.power import ASSUMED_DEVIATION, power_forecast
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.paired_difference import least_difference, prompts_needed


def test_where_nothing_is_stored_the_deviation_is_assumed(full: Store) -> None:
    found = power_forecast(full, "ihalla", ("m/new", "m/other", "m/third"), 200)
    assert found is not None
    assert (found.deviation, found.measured, found.open_pairs) == (ASSUMED_DEVIATION, 0, ())
    # three pairs are compared
    assert found.least_difference == least_difference(200, ASSUMED_DEVIATION, 0.05 / 3)
    assert prompts_needed(found.least_difference, ASSUMED_DEVIATION, 0.05 / 3) in (200, 201)
    (sentence,) = found.sentences
    assert sentence.startswith("200 prompts tell models apart that differ by 0.06")
    assert "assumed, as nothing is stored" in sentence


def test_stored_pairs_give_the_deviation_and_what_they_would_need(full: Store) -> None:
    found = power_forecast(full, "ihalla", ("m/one", "m/two"), 50)
    assert found is not None
    # of nine prompts two differ by 1
    assert found.deviation is not None
    assert abs(found.deviation - (2 * (1 - 2 / 9) / 8) ** 0.5) < 1e-9
    assert found.measured == 1
    least, power = found.sentences
    assert "measured on 1 stored pair" in least
    assert power.startswith("About 33 prompts would be needed to tell m/two from m/one")


def test_few_prompts_one_model_and_scores_without_bounds_have_their_own_words(full: Store) -> None:
    few = power_forecast(full, "ihalla", ("m/new", "m/other"), 5)
    assert few is not None
    assert few.sentences == ["5 prompts are too few to tell models apart by I-HallA."]
    unknown = power_forecast(full, "clipscore", ("m/new", "m/other"), 50)
    assert unknown is not None
    assert unknown.sentences == [
        "Nothing is stored that says which difference of CLIPScore can be told."
    ]
    assert power_forecast(full, "ihalla", ("m/one",), 50) is None
