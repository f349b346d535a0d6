"""Every level of a Primer prompt is drawn by Primer, and asks what counts at it."""

import random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.probe.levels import AxisName, CannotVary
from hallascope.engine.error_analysis.probe.primer_levels import vary_primer_prompt
from hallascope.primer.scenes import parse, sample_prompt


@given(seed=st.integers(0, 10_000), axis=st.sampled_from(get_args(AxisName)))
def test_each_level_is_another_prompt_whose_questions_hold_those_that_count(
    seed: int, axis: AxisName
) -> None:
    prompt = sample_prompt(random.Random(seed))
    try:
        variation = vary_primer_prompt(prompt, axis)
    except CannotVary:
        return
    levels = variation.levels
    assert len({level.prompt for level in levels}) == len(levels) >= 2
    for level in levels:
        asked = {question.text for question in parse(level.prompt).questions().questions}
        assert level.counted
        assert level.counted <= asked


def test_numbers_count_how_many_things_are_there_and_nothing_else() -> None:
    variation = vary_primer_prompt("three ladybugs", "number")
    assert [level.prompt for level in variation.levels] == [
        "two ladybugs",
        "three ladybugs",
        "four ladybugs",
    ]
    assert {text for level in variation.levels for text in level.counted} == {
        "How many ladybugs are in the image?"
    }
    assert variation.note == "Left out, as no question is asked about it: 1."


def test_a_prompt_is_turned_round_without_another_meaning() -> None:
    levels = vary_primer_prompt("a red circle above two blue squares", "position").levels
    assert [level.prompt for level in levels] == [
        "a red circle above two blue squares",
        "two blue squares below a red circle",
    ]


@pytest.mark.parametrize(
    ("prompt", "axis", "words"),
    [
        ("three ladybugs", "color", "in their own colors only"),
        ("a red circle", "relation", "names one thing"),
        ("a red circle and a star", "distractors", "names two things already"),
        ("a red circle", "language", "cannot vary the language"),
        ("a spaceship", "number", "cannot draw"),
    ],
)
def test_what_cannot_vary_is_one_sentence(prompt: str, axis: AxisName, words: str) -> None:
    with pytest.raises(CannotVary, match=words):
        vary_primer_prompt(prompt, axis)
