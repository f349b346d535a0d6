"""Makes Gradio components that show HTML, some with a script of ours that makes them live."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.blocks import Block
from gradio.routes import App
from gradio.state_holder import SessionState
from markupsafe import Markup

from hallascope.components.html import scripts


class AppBlocks(gr.Blocks):
    """Blocks whose updates of an HTML component always carry all of its properties.

    Gradio 6.31 sends only those that change, with `gr.skip()` none. A component that was never on
    the page, in a tab that was not opened or in a hidden column, would forget the others, and its
    template fails when it is drawn ("body is not defined").
    """

    is_laid_out = False  # whether `lay_out` is over, so that a configuration is complete

    def get_config_file(self) -> Any:
        """Return the configuration that browsers get; the list of pages alone before its end."""
        return super().get_config_file() if self.is_laid_out else {"pages": self.pages}

    async def postprocess_data(
        self,
        block_fn: BlockFunction,
        predictions: list[Any] | dict[Any, Any],
        state: SessionState | None,
    ) -> list[Any]:
        state = state or SessionState(self)
        sent = await super().postprocess_data(block_fn, predictions, state)
        return [
            _with_all_properties(state.get(block._id, block), update)
            for block, update in zip(block_fn.outputs, sent, strict=True)
        ]


@contextmanager
def lay_out(**options: Any) -> Iterator[AppBlocks]:
    """Yield an app to fill, which has a configuration afterwards, and a server once it is launched.

    Gradio 6.31 makes both anew with each page and queue that is added, which takes a third of the
    time of a large layout.
    """
    _keep_signatures(Block)
    server: Any = App
    create_app = vars(App)["create_app"]
    server.create_app = staticmethod(lambda *_, **__: None)
    try:
        app = AppBlocks(**options)
        yield app
    finally:
        server.create_app = create_app
    app.is_laid_out = True
    layout: Any = app.default_config
    layout.get_config = cache(layout.get_config)  # `launch` asks twice more for the same
    app.config = app.get_config_file()


def _keep_signatures(kind: type[Block]) -> None:
    """Keep the parameters of all kinds of blocks, which Gradio reads anew for each block.

    `inspect.signature` returns what stands in ``__signature__``.
    """
    constructor: Any = vars(kind).get("__init__")
    if constructor and not hasattr(constructor, "__signature__"):
        plain = inspect.unwrap(constructor)
        plain.__signature__ = constructor.__signature__ = inspect.signature(plain)
    for below in kind.__subclasses__():
        _keep_signatures(below)


def _with_all_properties(block: Any, update: Any) -> Any:
    """Return the update as Gradio made it, with all properties of an HTML component."""
    if (
        not isinstance(block, gr.HTML)
        or not isinstance(update, dict)
        or update.get("__type__") != "update"
    ):
        return update
    return {name: value for name, value in update.items() if name not in block.props} | {
        "props": block.props
    }


def live(name: str, html: Markup, **options: Any) -> gr.HTML:
    """Return a component whose value is HTML and which ``<name>.js`` makes selectable.

    It fires `select`.
    """
    return gr.HTML(html, js_on_load=scripts.start(name), apply_default_css=False, **options)


def holder(name: str, body: Markup, value: Any, **options: Any) -> gr.HTML:
    """Return a component whose HTML is fixed and whose value is what the person chose in it.

    `body` is a property and not the template, since Gradio would read ``${`` and ``{{`` in a
    template as its own.
    """
    return gr.HTML(
        value,
        html_template="${body}",
        body=body,
        js_on_load=scripts.start(name),
        apply_default_css=False,
        **options,
    )


def still(html: Markup, **options: Any) -> gr.HTML:
    """Return a component that only shows HTML."""
    return gr.HTML(html, js_on_load=None, apply_default_css=False, **options)


chosen: Callable[..., dict[str, Any]] = partial(
    dict,
    trigger_mode="multiple",
    concurrency_limit=1,
    concurrency_id="evidence",
    show_progress="hidden",
    show_progress_on=(),
    api_visibility="private",
)
"""Options of events that carry what was chosen.

Gradio's other modes lose the last of two quick choices (`once` drops it, `always_last` sends the
data of the first again); one at a time, they cannot overtake each other.
"""

quiet: Callable[..., dict[str, Any]] = partial(
    dict, show_progress="hidden", show_progress_on=(), api_visibility="private"
)
"""Options of events that only change what is shown: no spinner over the page, not part of the API.

Without components to show progress on, Gradio keeps no status of each output. It would copy all of
them at every step of every event.
"""
