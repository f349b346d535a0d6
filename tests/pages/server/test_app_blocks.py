"""An open page takes little memory, its values are its own, and HTML always sends all it holds."""

import functools
import inspect
from types import SimpleNamespace
from typing import Any, cast

import gradio as gr
import pytest
from gradio.state_holder import SessionState
from markupsafe import Markup

from hallascope.components.html import gradio_html
from hallascope.pages.server import app_blocks
from hallascope.pages.server.app_blocks import CLOSED_KEPT, AppBlocks
from tests.support.coroutines import run_apart


@pytest.fixture
def demo() -> AppBlocks:
    return run_apart(build())


async def build() -> AppBlocks:
    demo = AppBlocks(analytics_enabled=False)
    with demo:
        gr.State([1])
        gr.Textbox("first", elem_id="field")
    return demo


def test_a_session_holds_no_description_of_components(demo: AppBlocks) -> None:
    session = SessionState(demo)
    assert list(session.components) == []
    kinds = [part["type"] for part in demo.get_config_file()["components"]]
    assert kinds[:2] == ["state", "textbox"]


def test_a_value_of_one_session_is_no_value_of_another(demo: AppBlocks) -> None:
    one, other = SessionState(demo), SessionState(demo)
    state, field, *_ = demo.blocks
    one[state].append(2)
    one[field] = gr.Textbox("second", render=False)
    assert (one[state], other[state]) == ([1, 2], [1])
    assert (one[field].value, other[field].value) == ("second", "first")


def test_an_update_of_html_carries_all_of_its_properties() -> None:
    body = Markup("<p>${body} {{x}}</p>")
    component = gradio_html.holder("people/labelling", body, None)
    update = {"__type__": "update", "value": {"at": 2}}
    sent = app_blocks._with_all_properties(component, update)
    assert sent["props"]["body"] == body
    text = gr.Textbox()
    assert app_blocks._with_all_properties(text, update) is update


def test_the_state_of_closed_pages_is_forgotten_but_for_the_last(demo: AppBlocks) -> None:
    holder = demo.state_holder
    for number in range(CLOSED_KEPT + 5):
        holder[f"closed {number}"].is_closed = True
        assert not holder[f"open {number}"].is_closed
    demo.forget_closed_sessions()
    closed = [name for name in holder.session_data if name.startswith("closed")]
    assert closed == [f"closed {number}" for number in range(5, CLOSED_KEPT + 5)]
    assert len(holder.session_data) == 2 * CLOSED_KEPT + 5


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
    app_blocks._keep_signatures(kinds[0])
    for kind, parameters in zip(kinds, before, strict=True):
        assert kind.__init__.__signature__ == parameters
        assert inspect.signature(kind.__init__) is kind.__init__.__signature__


def test_a_call_with_too_few_values_is_a_sentence_that_names_no_object(demo: AppBlocks) -> None:
    function = SimpleNamespace(inputs=[gr.State(), gr.Textbox()], name="secret")
    with pytest.raises(gr.Error) as refused:
        demo.validate_inputs(cast(Any, function), ["one"])
    assert refused.value.message == "The page sent 1 of 2 values: reload it."
    demo.validate_inputs(cast(Any, function), ["one", "two"])
