"""HTML components start the module of the page that they name."""

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


def test_events_that_carry_a_choice_run_one_after_the_other() -> None:
    options = gradio_html.chosen(inputs=[])
    assert (options["trigger_mode"], options["concurrency_limit"]) == ("multiple", 1)
    assert options["inputs"] == []
    assert gradio_html.quiet()["api_visibility"] == "private"
