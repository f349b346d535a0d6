"""Tests `hallascope errors slices`."""

from typing import Any

PROMPT = "a molecule of methane"


def test_an_empty_store_says_how_to_judge_images(command: Any) -> None:
    shown = command("errors", "slices")
    assert (shown.code, "hallascope evaluate" in shown.out) == (0, True)


def test_a_few_images_have_no_slice(command: Any) -> None:
    command("evaluate", PROMPT, "--models", "primer/careless", "--judge", "scripted/judge")
    found = command("errors", "slices", "--json").json
    assert (found["images"], found["prompts"], found["slices"]) == (1, 1, [])
    assert "No group fails more" in command("errors", "slices").out


def test_a_condition_narrows_the_images(command: Any) -> None:
    command("evaluate", PROMPT, "--models", "primer/careless", "--judge", "scripted/judge")
    assert command("errors", "slices", "--where", "number:4", "--json").json["images"] == 0
    refused = command("errors", "slices", "--where", "number")
    assert refused.code == 2
    assert "is no condition on images" in refused.err
