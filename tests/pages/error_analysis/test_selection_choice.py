"""The choice of judged images is read from controls and addresses, and a link restores it."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.conditions import Condition, format_conditions
from hallascope.engine.errors import BadRequest
from hallascope.pages.error_analysis.selection_bar import SelectionEvents
from hallascope.pages.error_analysis.selection_choice import (
    CONDITIONS,
    PREFIX,
    SelectionChoice,
    parse_address,
    parse_choice,
    selection_fields,
)
from tests.engine.error_analysis.test_selection import MODELS, evaluate

WORDS = st.text(min_size=1, max_size=8)
CHOICES = st.builds(
    SelectionChoice,
    metric=st.sampled_from(("ihalla", "fig")),
    models=st.lists(WORDS, max_size=3, unique=True).map(tuple),
    run=WORDS | st.just(""),
    instrument=WORDS | st.just(""),
    tags=st.lists(WORDS, max_size=2, unique=True).map(tuple),
    slice=st.lists(st.builds(Condition, WORDS, WORDS), max_size=2, unique=True).map(
        format_conditions
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@given(CHOICES)
def test_a_link_restores_the_choice(choice: SelectionChoice) -> None:
    fields = selection_fields(choice.selection)
    pairs = [
        (name if name == CONDITIONS else f"{PREFIX}{name}", value)
        for name, values in fields.items()
        for value in values
    ]
    address = parse_qsl(urlencode(pairs), keep_blank_values=True)
    assert parse_choice(parse_address(address)).selection == choice.selection


@given(JSON | st.dictionaries(st.sampled_from(("metric", "models", "slice", "run")), JSON))
def test_whatever_is_sent_is_a_choice(sent: Any) -> None:
    assert isinstance(parse_choice(sent), SelectionChoice)


def test_conditions_that_cannot_be_read_are_one_sentence() -> None:
    with pytest.raises(BadRequest, match="no condition"):
        _ = parse_choice({"slice": ["nothing"]}).selection


def test_the_bar_says_what_is_chosen_and_offers_to_narrow_it(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    events = SelectionEvents(services)
    selection, bar = events.read_choice({})
    assert selection.metric == "ihalla"
    assert "4 judged images" in bar
    assert 'value="model:primer%2Fhasty"' in bar
    narrowed, bar = events.read_choice({"slice": ["model:primer/hasty"]})
    assert narrowed.conditions == (Condition("model", MODELS[1]),)
    assert "2 judged images" in bar
    assert "Remove the condition model: hasty" in bar
    _, bar = events.read_choice({"slice": ["<b>:x"]})
    assert "<b>" not in bar


def test_an_empty_store_and_unreadable_conditions_are_sentences(services: Any) -> None:
    events = SelectionEvents(services)
    assert "Nothing has been judged here yet" in events.read_choice({})[1]
    evaluate(services, "a molecule of methane")
    assert "no condition" in events.read_choice({"slice": ["nothing"]})[1]
