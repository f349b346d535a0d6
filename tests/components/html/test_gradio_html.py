"""HTML components start the module of the page that they name, and always send all they hold."""

import functools
import inspect
from typing import Any

import gradio as gr
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


def test_the_parameters_of_a_component_are_read_once_and_stay_the_same() -> None:
    class Kind:
        def __init__(self, label: str = "x") -> None:
            self.label = label

    class Below(Kind):
        pass

    @functools.wraps(Kind.__init__)
    def decorated(self: Any, **options: Any) -> None:
        Kind.__init__(self, **options)

    kinds: Any = (Kind, Below)
    kinds[1].__init__ = decorated
    before = [inspect.signature(kind.__init__) for kind in kinds]
    gradio_html._keep_signatures(kinds[0])
    for kind, parameters in zip(kinds, before, strict=True):
        assert kind.__init__.__signature__ == parameters
        assert inspect.signature(kind.__init__) is kind.__init__.__signature__
