"""Judged images are chosen, shown in rows and columns, and tagged; a link restores the choice."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from hallascope.components.evidence.viewer import viewer
from hallascope.engine.error_analysis.conditions import Condition, format_conditions
from hallascope.engine.error_analysis.features import FEATURES
from hallascope.engine.error_analysis.gallery import GalleryImage, ShownAnswer, read_gallery_images
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.error_analysis.slices.discovery import Slice
from hallascope.pages.errors import gallery
from hallascope.pages.errors.gallery import (
    page_html,
)
from hallascope.pages.errors.image_grid import GridHandlers
from hallascope.pages.errors.image_tiles import (
    image_caption,
    tile,
    tile_page,
)
from hallascope.pages.errors.selection_bar import SelectionHandlers
from hallascope.pages.errors.selection_choice import (
    CONDITIONS,
    CONTROLS,
    PREFIX,
    SelectionChoice,
    offered_choice,
    parse_address,
    parse_choice,
    selection_fields,
)
from hallascope.pages.errors.slice_table import (
    SliceHandlers,
    slice_html,
)
from hallascope.pages.shared.server_functions import NOT_UNDERSTOOD, server_functions
from tests.engine.error_analysis.test_selection import MODELS, evaluate
from tests.pages.conftest import Judged
from tests.support.any_json import any_json
from tests.support.tiles import EVIL, no_markup_of

# --- the selection ---


WORDS = st.text(min_size=1, max_size=8)
CHOICES = st.builds(
    SelectionChoice,
    metric=st.sampled_from(("ihalla", "fig")),
    models=st.lists(WORDS, max_size=3, unique=True).map(tuple),
    run=WORDS | st.just(""),
    instrument=WORDS | st.just(""),
    tags=st.lists(WORDS, max_size=2, unique=True).map(tuple),
    slice=st.lists(
        st.builds(Condition, st.sampled_from(FEATURES), WORDS), max_size=2, unique=True
    ).map(format_conditions),
)
JSON = any_json()


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


ASKER: Any = SimpleNamespace(query_params=QueryParams(), cookies={}, headers={})


def test_the_bar_says_what_is_chosen_and_offers_to_narrow_it(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    offered = offered_choice(services, ASKER, SelectionChoice())
    assert offered.selection.metric == "ihalla"
    assert "4 judged images" in offered.summary
    assert offered.options["slice"]["model:primer%2Fhasty"] == "model: hasty (2)"
    narrowed = offered_choice(services, ASKER, parse_choice({"slice": ["model:primer/hasty"]}))
    assert narrowed.selection.conditions == (Condition("model", MODELS[1]),)
    assert "2 judged images" in narrowed.summary
    assert narrowed.chosen["slice"] == ("model:primer%2Fhasty",)
    assert narrowed.options["slice"]["model:primer%2Fhasty"] == "model: hasty"
    gone = offered_choice(services, ASKER, parse_choice({"run": ["gone"]}))
    assert "No run or sweep “gone”" in gone.summary


def test_images_are_read_again_for_a_new_choice_or_a_new_image_alone(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    handlers = SelectionHandlers(services)
    values = {"metric": "ihalla", "models": [], "run": "", CONDITIONS: [], "tags": []}
    sent = [values.get(name) for name in CONTROLS]
    selection, reading, held, *_, fold, _ = handlers.choose(ASKER, *sent)
    assert selection == ErrorSelection()
    assert handlers.open_tab(ASKER, held)[1] == reading
    assert held == {"metric": ["ihalla"]}
    assert fold["label"] == "Filter"
    sent[list(CONTROLS).index(CONDITIONS)] = ["model:primer/hasty"]
    _, other_reading, held, *_, fold, _ = handlers.choose(ASKER, *sent)
    assert other_reading != reading
    assert held["slice"] == ["model:primer%2Fhasty"]
    assert fold["label"] == "Filter: model: hasty"
    evaluate(services, "a gentoo penguin")
    assert handlers.open_tab(ASKER, held)[1] != other_reading


def test_an_empty_store_and_unreadable_conditions_are_sentences(services: Any) -> None:
    empty = offered_choice(services, ASKER, SelectionChoice())
    assert "No judged images yet" in empty.summary
    held = {"slice": ["nothing"]}
    *unchanged, sentence = SelectionHandlers(services).open_tab(ASKER, held)
    assert "not a condition" in sentence
    assert all(each == gr.skip() for each in unchanged)


# --- the grid ---


def test_axes_that_cannot_be_shown_are_replaced(judged: Judged) -> None:
    services, view = judged("ihalla")
    axes = {
        ("prompt", "model"): ("prompt", "model"),
        ("model", "seed"): ("model", "seed"),
        ("weather", ""): ("prompt", "model"),
        ("model", "model"): ("model", "prompt"),
    }
    handlers = GridHandlers(services)
    for asked, shown_axes in axes.items():
        rows, columns, *_ = handlers.choose(ErrorSelection(), *asked, None)
        assert (rows["value"], columns["value"]) == shown_axes
    *_, html, evidence = handlers.choose(ErrorSelection(), "model", "seed", None)
    assert html.count('role="option"') == len(view.shots)
    assert evidence == viewer(())
    none = ErrorSelection(tags=("nobody gave this",))
    assert "No judged image" in handlers.choose(none, None, None, None)[3]


# --- the gallery ---


@pytest.fixture
def shown(judged: Judged) -> tuple[dict[str, Any], list[int], Any]:
    """The functions of a gallery by name, the evaluations of a run, and the services."""
    services, _ = judged("ihalla")
    functions = {
        each.__name__: partial(each, asker=gr.Request())
        for each in server_functions(
            services, gallery.read_tag_choices, gallery.change_tags, gallery.keep_note
        )
    }
    ids = read_judged_images(services.store, ErrorSelection()).images["evaluation"].tolist()
    return functions, ids, services


def test_no_text_of_an_image_or_a_slice_becomes_markup() -> None:
    image = GalleryImage(
        evaluation=1,
        run=EVIL,
        generation=EVIL,
        image="",
        metric="ihalla",
        model=EVIL,
        prompt=EVIL,
        seed=0,
        value=0.5,
        answers=(ShownAnswer(EVIL, "", "incorrect", EVIL),),
        thumbnail=None,
        tags=(EVIL,),
    )
    html = tile_page(EVIL, tile(image, "list", EVIL, EVIL), [1], EVIL, range(1), {EVIL: EVIL})
    found = replace(FOUND, conditions=(Condition(EVIL, EVIL),))
    for shown in (html, image_caption(image), slice_html(found, ())):
        assert no_markup_of(EVIL, shown)


def test_of_many_images_a_page_is_shown_with_the_ids_of_all(
    shown: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ids, services = shown
    monkeypatch.setattr(gallery, "PER_PAGE", 1)
    value = {"title": "All", "evaluations": ids * 3}
    first, last = (page_html(services, value, page, "list") for page in (0, 99))
    assert "1 to 1 of 3 images" in first
    assert 'data-page="1"' in first
    assert "3 to 3 of 3 images" in last
    assert 'data-page="1"' in last
    for html in (first, last):
        assert html.count('role="option"') == 1
        assert f'data-all="{ids * 3}"' in html
    assert page_html(services, None, 0, "list") == ""


def test_tags_and_notes_are_kept_and_offered_again(shown: Any) -> None:
    functions, ids, services = shown
    one = ids[:1]
    changed = functions["change_tags"]({"evaluations": one, "tag": " Green  Fur ", "rater": "Ann"})
    assert changed["words"] == "“green fur” added to 1 image"
    assert changed["tags"] == {str(ids[0]): "green fur"}
    functions["keep_note"]({"evaluations": one, "note": "It is fur.", "rater": "Ann"})
    choices = functions["read_tag_choices"]({"evaluations": one})
    assert choices["counts"] == [("green fur", 1)]
    assert choices["latest"] == ["green fur"]
    assert choices["notes"] == [{"author": "Ann", "text": "It is fur."}]
    assert len(choices["questions"]) == 5
    assert read_gallery_images(services.store, one)[0].tags == ("green fur",)
    removed = {"evaluations": one, "tag": "green fur", "remove": True}
    assert functions["change_tags"](removed)["words"] == "“green fur” removed from 1 image"


@pytest.mark.parametrize(
    "name, sent, words",
    [
        ("change_tags", {"evaluations": [1], "tag": " "}, "The tag is empty"),
        ("change_tags", {"evaluations": [999], "tag": "blurry"}, "None of these images"),
        ("keep_note", {"evaluations": [1], "note": "x" * 1001}, "shorten it"),
        ("read_tag_choices", {"evaluations": "all"}, NOT_UNDERSTOOD),
        ("read_tag_choices", {}, NOT_UNDERSTOOD),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    shown: Any, name: str, sent: dict[str, Any], words: str
) -> None:
    functions, *_ = shown
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
    return SimpleNamespace(**data)


def test_the_gallery_shows_the_images_that_meet_the_conditions(services: Any) -> None:
    evaluate(services, "a molecule of methane")
    handlers = SliceHandlers(services)
    shown = handlers.show_images(slice_event(conditions="model:primer%2Fhasty"), ErrorSelection())
    assert shown["title"] == "Model primer/hasty"
    assert len(shown["evaluations"]) == 2
