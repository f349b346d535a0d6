"""Tests `hallascope errors slice-trial`."""

from typing import Any


def test_a_trial_says_how_often_of_how_many(command: Any) -> None:
    trial = command(
        "errors", "slice-trial", "--repetitions", "1", "--prompts", "120", "--json"
    ).json
    assert trial["nothing_reported"]["repetitions"] == 1
    assert trial["images"] == 120 * 6
    assert 0 <= trial["planted_first"]["share"] <= 1


def test_an_unknown_weakness_is_refused(command: Any) -> None:
    refused = command("errors", "slice-trial", "--prompts", "50", "--weakness", "weather:rain")
    assert (refused.code, "No simulated image" in refused.err) == (2, True)
