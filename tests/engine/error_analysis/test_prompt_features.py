"""What is read from a prompt: concepts, number, colors, relations, negation, length, style."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.prompt_features import (
    NO,
    YES,
    PromptFeatures,
    is_above,
    read_prompt_features,
)


def test_a_prompt_of_the_primer_world_is_read_as_its_scene() -> None:
    assert read_prompt_features("four red circles above a blue square") == PromptFeatures(
        concept="circle+square",
        number="4",
        color="blue+red",
        relation="above",
        negation=NO,
        length="medium",
        style_words=NO,
    )


@pytest.mark.parametrize(
    ("prompt", "number"),
    [
        ("a cat", "1"),
        ("a cat and three dogs", "3"),
        ("12 cats", "5 or more"),
        ("a pair of skiers", "2"),
        ("a 30 cm ruler from 1900", "1"),
    ],
)
def test_the_highest_number_of_things_is_read(prompt: str, number: str) -> None:
    assert read_prompt_features(prompt).number == number


@pytest.mark.parametrize(
    ("prompt", "style"),
    [
        ("a cat, highly detailed", YES),
        ("an oil painting of a cat", YES),
        ("a cat, a dog", NO),
        ("a fire engine", NO),
    ],
)
def test_words_of_style_are_told_from_things(prompt: str, style: str) -> None:
    assert read_prompt_features(prompt).style_words == style


def test_relation_and_negation_are_read() -> None:
    read = read_prompt_features("a man without a hat to the left of a red car")
    assert (read.relation, read.negation, read.color) == ("left of", YES, "red")


def test_a_number_is_above_those_below_it_alone() -> None:
    assert [is_above(number, 3) for number in ("1", "3", "4", "5 or more")] == [NO, NO, YES, YES]


@given(st.text())
def test_any_prompt_has_features(prompt: str) -> None:
    read = read_prompt_features(prompt)
    assert read.number in {"1", "2", "3", "4", "5 or more"}
    assert read.length in {"short", "medium", "long"}
