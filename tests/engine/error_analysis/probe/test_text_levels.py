"""Rules of words vary English prompts, and make one question where the meaning changes."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.tidy import tidy
from hallascope.engine.error_analysis.probe.levels import AxisName, CannotVary
from hallascope.engine.error_analysis.probe.text_levels import (
    pluralize,
    singularize,
    vary_text,
)


@given(prompt=st.text(max_size=60), axis=st.sampled_from(get_args(AxisName)))
def test_any_text_has_levels_or_one_sentence(prompt: str, axis: AxisName) -> None:
    try:
        levels = vary_text(prompt, axis).levels
    except CannotVary:
        return
    assert len({level.label for level in levels}) == len(levels) >= 2
    for question in (question for level in levels for question in level.questions):
        assert len(set(question.choices)) == 5


@pytest.mark.parametrize("noun", ["cat", "box", "cherry", "glass", "peach", "toy", "red apple"])
def test_a_plural_leads_back_to_its_singular(noun: str) -> None:
    assert singularize(pluralize(noun)) == noun


def test_numbers_reach_ten_and_each_has_its_right_answer() -> None:
    levels = vary_text("three red apples on a plate", "number").levels
    assert levels[0].prompt == "a red apple on a plate"
    assert levels[9].prompt == "ten red apples on a plate"
    for level in levels:
        (question,) = map(tidy, level.questions)
        assert question.choice(question.gold) == level.label
        assert question.text == "How many red apples are in the image?"


def test_a_color_takes_the_place_of_another() -> None:
    prompts = [level.prompt for level in vary_text("three red apples", "color").levels]
    assert prompts[:2] == ["three red apples", "three orange apples"]
    assert (
        vary_text("a chair by a window", "material").levels[0].prompt.startswith("a wooden chair")
    )


def test_levels_of_the_same_meaning_are_judged_as_the_first_prompt() -> None:
    for axis in ("distractors", "negation", "position", "paraphrase"):
        levels = vary_text("a cat on a table", axis).levels
        assert {level.judged_as for level in levels} == {"a cat on a table"}


def test_no_rule_translates() -> None:
    with pytest.raises(CannotVary, match="name a writer"):
        vary_text("a cat", "language")
