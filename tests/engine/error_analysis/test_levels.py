"""Levels of a prompt differ in one thing, and images go to the levels that tell most about where
half of the images fail.
"""

import math
import random
from collections.abc import Sequence
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.files.questions import tidy_question
from hallascope.engine.error_analysis.probe.failure_curve import (
    LevelCounts,
    choose_by_curve,
    fit_curve,
    holds_to,
    plan_halving,
    share_of_level,
)
from hallascope.engine.error_analysis.probe.levels import AxisName, CannotVary
from hallascope.engine.error_analysis.probe.primer_levels import vary_primer_prompt
from hallascope.engine.error_analysis.probe.text_levels import vary_text
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


@pytest.mark.parametrize(
    "prompt, axis, words",
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


def test_numbers_reach_ten_and_each_has_its_right_answer() -> None:
    levels = vary_text("three red apples on a plate", "number").levels
    assert levels[0].prompt == "a red apple on a plate"
    assert levels[9].prompt == "ten red apples on a plate"
    for level in levels:
        (question,) = map(tidy_question, level.questions)
        assert question.choice(question.gold) == level.label
        assert question.text == "How many red apples are in the image?"
    for prompt, first, second in (
        ("four children in a park", "a child in a park", "two children in a park"),
        ("an old man", "an old man", "two old men"),
    ):
        irregular = vary_text(prompt, "number").levels
        assert [level.prompt for level in irregular[:2]] == [first, second]


def level_counts(failed: Sequence[int], answered: Sequence[int]) -> list[LevelCounts]:
    return [
        LevelCounts(failed=wrong, answered=number, value=value)
        for value, (wrong, number) in enumerate(zip(failed, answered, strict=True), 1)
    ]


def test_half_of_the_images_fail_where_the_counts_say() -> None:
    posterior = fit_curve(level_counts([0, 1, 9, 18, 20], [20] * 5))
    boundary = posterior.boundary()
    assert 2.7 < boundary.low < boundary.value < boundary.high < 3.5
    assert boundary.value == pytest.approx(3.1, abs=0.15)
    assert holds_to(posterior, [1, 2, 3, 4, 5]) == 2


def test_a_boundary_outside_the_levels_is_said_to_lie_outside() -> None:
    def boundary(failed: int) -> float:
        return fit_curve(level_counts([failed] * 3, [20] * 3)).boundary().value

    assert boundary(0) == math.inf
    assert boundary(20) == -math.inf


def test_nothing_answered_leaves_the_boundary_open() -> None:
    levels = level_counts([0] * 4, [0] * 4)
    boundary = fit_curve(levels).boundary()
    assert (boundary.low, boundary.high) == (-math.inf, math.inf)
    assert holds_to(fit_curve(levels), [1, 2, 3, 4]) is None
    assert share_of_level(levels[0]) is None


@pytest.mark.full
def test_the_interval_of_the_boundary_covers_the_truth_where_levels_are_chosen_by_thompson() -> (
    None
):
    truth = 3.6
    covered = 0
    runs = 120
    for run in range(runs):
        chance = np.random.default_rng(run)
        failed, drawn = [0] * 6, [0] * 6
        for _ in range(40):
            place = choose_by_curve(drawn, level_counts(failed, drawn), chance)
            drawn[place] += 1
            failed[place] += chance.random() < 1 / (1 + math.exp(-1.6 * (place + 1 - truth)))
        boundary = fit_curve(level_counts(failed, drawn)).boundary()
        covered += boundary.low <= truth <= boundary.high
    assert covered >= 0.9 * runs


@given(levels=st.integers(2, 12), images=st.integers(1, 300))
def test_halving_spends_no_more_than_it_has_and_begins_with_all_levels(
    levels: int, images: int
) -> None:
    remaining, spent = levels, 0
    for each in plan_halving(levels, images):
        spent += each * remaining
        remaining = -(-remaining // 2)
    assert spent <= images
    if images >= levels * 4:
        assert plan_halving(levels, images)[0] >= 1
        assert spent > images / 2
