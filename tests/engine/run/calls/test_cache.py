"""Two questions have one key exactly where the reply must be the same."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Ask,
    Detect,
    Embed,
    Generate,
    ReadPrompt,
    Request,
    Segment,
)
from hallascope.engine.run.calls.cache import key, repeatable

ASK = Ask(
    images=(Picture("aa", Path("here.png")),),
    text="Text",
    question="Question?",
    choices=("Red", "Blue"),
    template="v1",
)


def test_where_an_image_lies_and_how_it_is_written_do_not_matter() -> None:
    moved = replace(ASK, images=(Picture("aa", Path("elsewhere.png")),))
    assert key(ASK, "m", "1", {"a": 1, "b": 2}) == key(moved, "m", "1", {"b": 2, "a": 1})
    boxes = (Box(0, 0, 0.5, 1),), (Box(0.0, -0.0, 0.5, 1.0),)
    one, same = (key(Segment(ASK.images[0], each), "m", "1", {}) for each in boxes)
    assert one == same
    # as before there were regions
    before = "c8cb7e6be482883bedb849bb3fee1e8f1a926f3590c6b77510de473c96abb98a"
    assert key(ASK, "m", "1", {}) == before
    drawn = "89c4b9ccae50a2baeaae9f2137aee58a3e7bd247ce09e25574ff74387a4706a6"
    assert key(Generate("a cat", 3), "m", "r", {"steps": 2}) == drawn


def test_a_change_of_any_part_of_a_request_is_another_key() -> None:
    left, right = Box(0, 0, 0.5, 1), Box(0.5, 0, 1, 1)
    picture = ASK.images[0]
    detect = Detect(picture, ("a cat", "a dog"))
    segment = Segment(picture, (left, right), ("a cat", "a dog"))
    requests: list[Request] = [
        ASK,
        replace(ASK, images=(Picture("ab", Path("here.png")),)),
        replace(ASK, images=(picture, picture)),
        replace(ASK, text="Text."),
        replace(ASK, choices=("Blue", "Red")),
        replace(ASK, template="v2"),
        *(replace(ASK, region=Box(0, 0, side, 0.5)) for side in (0.25, 0.5, 0.75)),
        Generate("Text", 0),
        detect,
        replace(detect, phrases=("a dog", "a cat")),
        replace(detect, phrases=("a cat, a dog",)),
        replace(detect, threshold=0.25),
        segment,
        replace(segment, boxes=(right, left)),
        replace(segment, boxes=(left, Box(0.5, 0, 1, 0.999))),
        replace(segment, phrases=()),
        Embed(picture),
        Embed(text=picture.sha256),
        Embed(text="a cat"),
        Embed(text="a  cat"),
    ]
    keys = [
        *(key(request, "m", "1", {}) for request in requests),
        key(ASK, "n", "1", {}),
        key(ASK, "m", "2", {}),
        key(ASK, "m", "1", {"detail": "high"}),
        key(ASK, "m", "1", {}, trial=1),
    ]
    assert len(set(keys)) == len(keys)


def test_only_temperature_0_or_a_seed_is_repeatable_and_the_request_goes_before_settings() -> None:
    cases: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
        ({}, {}, True),
        ({}, {"temperature": 0}, True),
        ({}, {"temperature": 0.7}, False),
        ({}, {"temperature": 0.7, "seed": 0}, True),
        ({"temperature": 1.0}, {"temperature": 0}, False),
        ({"temperature": 1.0, "seed": 0}, {"temperature": 0}, True),
        ({"temperature": 0.0}, {"temperature": 0.7}, True),
        # a model that takes no temperature draws as it likes
        ({"temperature": 0.0}, {"temperature": None}, False),
        ({}, {"temperature": None, "seed": 1}, True),
    ]
    found = [repeatable(replace(ASK, **asked), settings) for asked, settings, _ in cases]
    assert found == [kept for _, _, kept in cases]


def test_a_prompt_is_read_once_for_all_trials_and_its_reading_is_always_kept() -> None:
    request = ReadPrompt("a cat", "What does it ask for?", "v1")
    assert key(request, "m", "1", {}) == key(request, "m", "1", {}, trial=2)
    assert key(request, "m", "1", {}) != key(request, "n", "1", {})
    assert key(request, "m", "1", {}) != key(replace(request, template="v2"), "m", "1", {})
    assert repeatable(request, {"temperature": None})
