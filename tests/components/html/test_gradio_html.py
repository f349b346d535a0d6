"""HTML components start the module of the page that they name, and always send all they hold."""

import inspect
from typing import Any

import gradio as gr
import pytest
from gradio.routes import App
from markupsafe import Markup

from hallascope.components.html import gradio_html, scripts

BODY = Markup("<p>${body} {{x}}</p>")


def test_a_live_component_starts_its_module() -> None:
    component = gradio_html.live("cards/cards", BODY)
    assert component.js_on_load == scripts.start("cards/cards")
    assert component.value == BODY


def test_a_component_that_only_shows_html_runs_no_script() -> None:
    assert gradio_html.still(BODY).js_on_load is None


def test_what_a_template_would_read_as_its_own_is_a_property() -> None:
    component = gradio_html.holder("people/labelling", BODY, {"at": 1})
    assert component.html_template == "${body}"
    assert component.props["body"] == BODY
    assert component.value == {"at": 1}


def test_an_update_of_html_carries_all_of_its_properties() -> None:
    component = gradio_html.holder("people/labelling", BODY, None)
    update = {"__type__": "update", "value": {"at": 2}}
    sent = gradio_html._with_all_properties(component, update)
    assert sent["props"]["body"] == BODY
    text = gr.Textbox()
    assert gradio_html._with_all_properties(text, update) is update


def test_events_that_carry_a_choice_run_one_after_the_other() -> None:
    options = gradio_html.chosen(inputs=[])
    assert (options["trigger_mode"], options["concurrency_limit"]) == ("multiple", 1)
    assert options["inputs"] == []
    assert gradio_html.quiet()["api_visibility"] == "private"


def test_a_layout_is_configured_once_and_makes_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    configured: list[bool] = []
    whole = gr.Blocks.get_config_file

    def count(blocks: gr.Blocks) -> Any:
        configured.append(True)
        return whole(blocks)

    monkeypatch.setattr(gr.Blocks, "get_config_file", count)
    monkeypatch.setattr(App, "create_app", staticmethod(lambda *_, **__: made.append(1)))
    with gradio_html.lay_out(title="x") as app:
        with app:
            gr.Textbox(label="first")
        with app.route("Second", "second"):
            gr.Textbox(label="second")
        app.queue(max_size=3)
    assert (made, len(configured)) == ([], 1)
    labels = [part["props"].get("label") for part in app.config["components"]]
    assert {"first", "second"} <= set(labels)
    gr.Blocks()
    assert made, "apps of others have servers as before"


def test_a_layout_that_fails_leaves_gradio_as_it_was() -> None:
    before = vars(App)["create_app"]
    with pytest.raises(ZeroDivisionError), gradio_html.lay_out():
        _ = 1 / 0
    assert vars(App)["create_app"] is before


def test_kept_signatures_are_those_of_the_constructors() -> None:
    with gradio_html.lay_out():
        pass
    for kind in (gr.Textbox, gr.HTML, gr.Number, gr.Row, gr.Blocks):
        plain = inspect.unwrap(kind.__init__)
        kept = inspect.signature(kind.__init__)
        names = plain.__code__.co_varnames[: len(kept.parameters)]
        assert set(kept.parameters) == set(names) | ({"kwargs"} & set(kept.parameters))
