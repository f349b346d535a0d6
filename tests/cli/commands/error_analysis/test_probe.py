"""Tests `hallascope errors probe`: a table and sentences, JSON, and wrong requests."""

from typing import Any

PROBE = ("errors", "probe", "two red circles", "--vary", "number", "--model", "primer/exact")


def test_a_probe_is_printed_and_given_as_json(command: Any) -> None:
    said = command(*PROBE, "--images", "8", "--json")
    assert said.code == 0
    (model,) = said.json["models"]
    assert [level["level"] for level in model["levels"]] == ["1", "2", "3", "4"]
    assert model["images"] == model["answered"] == 8
    printed = command(*PROBE, "--images", "8")
    assert model["sentence"] in printed.out
    assert "four red circles" in printed.out


def test_an_axis_that_is_not_known_is_one_sentence(command: Any) -> None:
    refused = command("errors", "probe", "a cat", "--vary", "mood", "--model", "primer/exact")
    assert refused.code == 2
    assert "Nothing varies as 'mood': choose one of number, color" in refused.err


def test_an_estimate_draws_nothing(command: Any) -> None:
    said = command(*PROBE, "--estimate")
    assert said.code == 0
    assert command("runs", "list", "--json").json["total"] == 0
