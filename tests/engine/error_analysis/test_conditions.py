"""Conditions on images: their written form, and which images meet them."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.conditions import (
    Condition,
    format_conditions,
    parse_conditions,
    select_images,
)
from hallascope.engine.errors import BadRequest

CONDITIONS = st.lists(st.builds(Condition, st.text(min_size=1), st.text()), unique=True)


@given(CONDITIONS)
def test_what_is_written_is_read_back(conditions: list[Condition]) -> None:
    assert parse_conditions(format_conditions(conditions)) == tuple(conditions)


@given(st.text())
def test_any_text_is_read_or_refused_with_one_sentence(text: str) -> None:
    try:
        parse_conditions(text)
    except BadRequest as refused:
        sentence = str(refused)
    else:
        sentence = "write feature:value"
    assert "write feature:value" in sentence


def test_signs_of_the_form_in_a_value_are_encoded() -> None:
    condition = Condition("model", "a:b;c")
    assert format_conditions([condition]) == "model:a%3Ab%3Bc"


def test_a_condition_that_stands_twice_counts_once() -> None:
    assert parse_conditions("number:4; ;number:4;") == (Condition("number", "4"),)


@pytest.mark.parametrize("text", ["number", ":4", "number:4;model"])
def test_a_condition_without_feature_or_value_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="is no condition"):
        parse_conditions(text)


def test_an_image_is_selected_that_meets_all_conditions() -> None:
    features = pd.DataFrame({"model": ["a", "a", "b"], "number": ["1", "4", "4"]})
    chosen = select_images(features, [Condition("model", "a"), Condition("number", "4")])
    assert chosen.tolist() == [False, True, False]


def test_a_feature_that_is_not_there_is_met_by_no_image() -> None:
    features = pd.DataFrame({"model": ["a", "b"]})
    assert not select_images(features, [Condition("color", "red")]).any()
