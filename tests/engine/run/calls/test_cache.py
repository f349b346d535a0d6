"""Two questions have one key exactly where the reply must be the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Ask, Generate, ReadPrompt
from hallascope.engine.run.calls.cache import key, repeatable

ASK = Ask(
    images=(Picture("aa", Path("here.png")),),
    text="Text",
    question="Question?",
    choices=("Red", "Blue"),
    template="v1",
)


def test_where_an_image_lies_and_the_order_of_settings_do_not_matter() -> None:
    moved = replace(ASK, images=(Picture("aa", Path("elsewhere.png")),))
    assert key(ASK, "m", "1", {"a": 1, "b": 2}) == key(moved, "m", "1", {"b": 2, "a": 1})


@pytest.mark.parametrize(
    "other",
    [
        key(replace(ASK, images=(Picture("ab", Path("here.png")),)), "m", "1", {}),
        key(replace(ASK, text="Text."), "m", "1", {}),
        key(replace(ASK, choices=("Blue", "Red")), "m", "1", {}),
        key(replace(ASK, template="v2"), "m", "1", {}),
        key(ASK, "n", "1", {}),
        key(ASK, "m", "2", {}),
        key(ASK, "m", "1", {"detail": "high"}),
        key(ASK, "m", "1", {}, trial=1),
        key(replace(ASK, region=Box(0, 0, 0.5, 0.5)), "m", "1", {}),
        key(replace(ASK, images=(*ASK.images, *ASK.images)), "m", "1", {}),
        key(Generate("Text", 0), "m", "1", {}),
    ],
)
def test_a_change_of_any_part_of_a_request_is_another_key(
    other: str,
) -> None:
    assert other != key(ASK, "m", "1", {})


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({}, True),
        ({"temperature": 0}, True),
        ({"temperature": 0.7}, False),
        ({"temperature": 0.7, "seed": 0}, True),
    ],
)
def test_only_temperature_0_or_a_fixed_seed_is_repeatable(
    settings: dict[str, float], kept: bool
) -> None:
    assert repeatable(ASK, settings) is kept


def test_what_the_request_says_goes_before_the_settings() -> None:
    assert not repeatable(replace(ASK, temperature=1.0), {"temperature": 0})
    assert repeatable(replace(ASK, temperature=1.0, seed=0), {"temperature": 0})
    assert repeatable(replace(ASK, temperature=0.0), {"temperature": 0.7})


def test_a_model_that_takes_no_temperature_draws_as_it_likes() -> None:
    assert not repeatable(replace(ASK, temperature=0.0), {"temperature": None})
    assert repeatable(ASK, {"temperature": None, "seed": 1})


def test_two_regions_of_one_picture_have_two_keys() -> None:
    keys = {
        key(replace(ASK, region=Box(0, 0, right, 0.5)), "m", "1", {}) for right in (0.25, 0.5, 0.75)
    }
    assert len(keys) == 3


def test_a_question_about_the_whole_picture_has_the_key_it_had_before_there_were_regions() -> None:
    assert (
        key(ASK, "m", "1", {}) == "c8cb7e6be482883bedb849bb3fee1e8f1a926f3590c6b77510de473c96abb98a"
    )


def test_a_prompt_is_read_once_for_all_trials_and_its_reading_is_always_kept() -> None:
    request = ReadPrompt("a cat", "What does it ask for?", "v1")
    assert key(request, "m", "1", {}) == key(request, "m", "1", {}, trial=2)
    assert key(request, "m", "1", {}) != key(request, "n", "1", {})
    assert key(request, "m", "1", {}) != key(replace(request, template="v2"), "m", "1", {})
    assert repeatable(request, {"temperature": None})
