"""The choice of judged images is read from controls and addresses, and a link restores it."""

from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from hallascope.engine.error_analysis.conditions import Condition, format_conditions
from hallascope.engine.errors import BadRequest
from hallascope.pages.error_analysis.selection_bar import SelectionEvents, fill_once
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


def test_a_choice_is_read_anew_where_it_differs_and_whenever_the_tab_is_opened(
    services: Any,
) -> None:
    evaluate(services, "a molecule of methane")
    events = SelectionEvents(services)
    opening: Any = SimpleNamespace(query_params=QueryParams("slice=model:primer/hasty"))
    selection, first, bar = events.open_tab(opening, {})
    assert selection.conditions == (Condition("model", MODELS[1]),)
    assert bar.value == {"slice": ["model:primer/hasty"]}
    _, same, _ = events.show_choice(selection, {"slice": ["model:primer/hasty"]})
    assert same == gr.skip(), "the part would be filled twice, and lose what was chosen in it"
    _, unreadable, _ = events.show_choice(selection, {"slice": ["nothing"]})
    assert unreadable == gr.skip()
    _, other, _ = events.show_choice(selection, {})
    _, again, _ = events.open_tab(opening, {})
    assert first < other < again, "the store may hold more by then"


def test_a_part_is_filled_once_for_each_reading_and_not_before_the_first() -> None:
    def look(_: Any, selection: str, axes: str) -> tuple[str, str]:
        looked.append(selection)
        return selection, axes

    looked: list[str] = []
    fill = fill_once(look, 2)
    assert fill(None, 0, 0, "not read yet", "axes") == gr.skip()
    assert fill(None, 0, 1, "all", "axes") == ("all", "axes", 1)
    assert fill(None, 1, 1, "all", "axes") == gr.skip()
    assert fill(None, 1, 2, "some", "axes") == ("some", "axes", 2)
    assert looked == ["all", "some"]
    assert fill_once(lambda *_: "one", 1)(None, 0, 1) == ("one", 1)
