"""Judged images are chosen, shown in rows and columns, and tagged; a link restores the choice."""

from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.conditions import Condition, format_conditions
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.error_analysis.slices.discovery import Slice, SliceReport
from hallascope.engine.errors import BadRequest
from hallascope.pages.error_analysis.gallery import (
    MOST_AT_ONCE,
    NOT_UNDERSTOOD,
    GalleryHandlers,
    server_functions,
)
from hallascope.pages.error_analysis.grid_view import grid_value
from hallascope.pages.error_analysis.selection_bar import SelectionEvents
from hallascope.pages.error_analysis.selection_choice import (
    CONDITIONS,
    PREFIX,
    SelectionChoice,
    parse_address,
    parse_choice,
    selection_fields,
)
from hallascope.pages.error_analysis.slice_table import (
    SliceHandlers,
    report_html,
    slice_row,
)
from tests.engine.error_analysis.test_selection import MODELS, evaluate
from tests.pages.conftest import Judged

# --- the selection ---


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


# --- the grid ---


def test_axes_that_cannot_be_shown_are_replaced(judged: Judged) -> None:
    services, view = judged("ihalla")
    axes = {
        ("prompt", "model"): ("prompt", "model"),
        ("model", "seed"): ("model", "seed"),
        ("weather", ""): ("prompt", "model"),
        ("model", "model"): ("model", "prompt"),
    }
    for asked, shown_axes in axes.items():
        value = grid_value(services, ErrorSelection(), asked)
        assert value is not None
        assert (value["rows"], value["columns"]) == shown_axes
        ids = [id_ for _, _, cell in value["cells"] for id_ in cell]
        assert len(ids) == len(set(ids)) == len(view.shots)
    none = ErrorSelection(tags=("nobody gave this",))
    assert grid_value(services, none, ("prompt", "model")) is None


# --- the gallery ---


@pytest.fixture
def shown(judged: Judged) -> tuple[dict[str, Any], list[int]]:
    """The functions of a gallery by name, and the evaluations of a run."""
    services, _ = judged("ihalla")
    functions = {
        each.__name__: each if each.__name__ == "read_images" else partial(each, asker=gr.Request())
        for each in server_functions(GalleryHandlers(services))
    }
    ids = read_judged_images(services.store, ErrorSelection()).images["evaluation"].tolist()
    return functions, ids


def test_an_image_is_shown_with_its_file_and_every_answer(shown: Any) -> None:
    functions, ids = shown
    (image, *_) = functions["read_images"]({"evaluations": ids})["images"]
    assert image["src"].endswith(".webp")
    assert len(image["answers"]) == 5
    assert {kind for kind, _, _ in image["answers"]} <= {"correct", "incorrect", "left-out"}
    wrong = sum(kind == "incorrect" for kind, _, _ in image["answers"])
    assert image["verdict"].startswith(f"{wrong} of 5 wrong")


def test_tags_and_notes_are_kept_and_offered_again(shown: Any) -> None:
    functions, ids = shown
    one = ids[:1]
    changed = functions["change_tags"]({"evaluations": one, "tag": " Green  Fur ", "rater": "Ann"})
    assert changed == {"number": 1, "tag": "green fur"}
    functions["keep_note"]({"evaluations": one, "note": "It is fur.", "rater": "Ann"})
    choices = functions["read_tag_choices"]({"evaluations": one})
    assert choices["counts"] == [("green fur", 1)]
    assert choices["latest"] == ["green fur"]
    assert choices["notes"] == [{"author": "Ann", "text": "It is fur."}]
    assert len(choices["questions"]) == 5
    (image,) = functions["read_images"]({"evaluations": one})["images"]
    assert image["tags"] == ["green fur"]
    removed = {"evaluations": one, "tag": "green fur", "remove": True}
    assert functions["change_tags"](removed) == {"number": 1}


@pytest.mark.parametrize(
    ("name", "sent", "words"),
    [
        ("read_images", {"evaluations": "all"}, NOT_UNDERSTOOD),
        ("read_images", {"evaluations": [1] * (MOST_AT_ONCE + 1)}, NOT_UNDERSTOOD),
        ("change_tags", {"evaluations": [1], "tag": " "}, "The tag is empty"),
        ("change_tags", {"evaluations": [999], "tag": "blurry"}, "None of these images"),
        ("keep_note", {"evaluations": [1], "note": "x" * 1001}, "shorten it"),
        ("read_tag_choices", {}, NOT_UNDERSTOOD),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    shown: Any, name: str, sent: dict[str, Any], words: str
) -> None:
    functions, _ = shown
    assert words in functions[name](sent)["wrong"]


# --- slices ---


FOUND = Slice(
    conditions=(Condition("number above 3", "yes"),),
    error_rate=0.61,
    rest_error_rate=0.12,
    low=0.5,
    high=0.7,
    images=84,
    prompts=30,
    p=0.0001,
    corrected_p=0.004,
    evaluations=(1, 2),
)


def slice_event(**data: Any) -> Any:
    return SimpleNamespace(_data=data)


def test_a_slice_as_a_filter_keeps_the_conditions_that_hold() -> None:
    row = slice_row(FOUND, (Condition("model", "a"),))
    assert row.conditions == "number above 3:yes"
    assert row.filter == "model:a;number above 3:yes"
    assert row.interval == (0.5, 0.7)


def test_the_report_says_among_what_slices_were_found() -> None:
    report = SliceReport(
        slices=(FOUND,),
        looked_at=763,
        images=323,
        prompts=119,
        error_rate=0.4,
        by_questions=True,
        counted=900,
        left_out=17,
    )
    html = report_html(report, ())
    assert "Numbers above three: 61 % wrong, 5.1 times the rest, n = 84" in html
    assert "40 % of 900 answers are wrong, 17 left out. 763 groups" in html


def test_the_gallery_shows_the_images_that_meet_the_conditions(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    handlers = SliceHandlers(services)
    shown = handlers.show_images(slice_event(conditions="model:primer%2Fhasty"), ErrorSelection())
    assert shown["title"] == "Model primer/hasty"
    assert len(shown["evaluations"]) == 2


def test_what_cannot_be_read_is_an_error(services: Any) -> None:
    handlers = SliceHandlers(services)
    with pytest.raises(gr.Error, match="is no condition"):
        handlers.show_images(slice_event(conditions="model"), ErrorSelection())
    with pytest.raises(gr.Error, match="reload the page"):
        handlers.show_images(slice_event(other=1), ErrorSelection())
