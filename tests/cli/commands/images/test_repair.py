"""Tests `hallascope repair`: rounds as text and as JSON, and the estimate alone."""

from typing import Any

PROMPT = "a molecule of methane"


def test_the_rounds_of_a_repair_are_printed_and_given_as_json(command: Any) -> None:
    asked = ("repair", PROMPT, "--model", "primer/careless", "--rounds", "2")
    said = command(*asked, "--json")
    assert said.code == 0
    rounds = said.json["rounds"]
    assert [each["round"] for each in rounds] == list(range(len(rounds)))
    assert rounds[0]["prompt"] == PROMPT
    assert all(each["prompt"].startswith(PROMPT) and each["run"] for each in rounds)
    assert said.json["repaired"] == (rounds[-1]["wrong"] == [])
    printed = command(*asked)
    assert printed.out.startswith("round 0: score ")
    assert said.json["end"] in printed.out
    assert rounds[0]["run"] in printed.out


def test_an_estimate_draws_nothing(command: Any) -> None:
    said = command("repair", PROMPT, "--model", "primer/exact", "--estimate")
    assert said.code == 0
    assert "Nothing that costs money is asked for" in said.out
    assert command("runs", "list", "--json").json["total"] == 0


def test_a_wrong_number_of_rounds_is_one_sentence(command: Any) -> None:
    refused = command("repair", PROMPT, "--model", "primer/exact", "--rounds", "0")
    assert refused.code == 2
    assert "give a whole number from 1 to 10" in refused.err
