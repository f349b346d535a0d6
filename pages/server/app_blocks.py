"""Is Gradio's Blocks as the app needs it: whole updates, a bounded queue, little for each page.

It knows nothing of what the pages show.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.blocks import Block, BlocksConfig
from gradio.routes import App
from gradio.state_holder import SessionState

from hallascope.pages.server.event_queue import BoundedQueue

# closed pages whose state is kept: a browser that lost its connection for a moment comes back
CLOSED_KEPT = 64


class SessionConfig(BlocksConfig):
    """Is what Gradio keeps for an open page, without a description of each component.

    Gradio 6.31 makes one of every component for every page (about 0.5 MB), and needs them only for
    deep links, which the app does not serve.
    """

    @staticmethod
    def config_for_block(*_: Any) -> dict[str, Any]:
        return {}


class AppConfig(BlocksConfig):
    """Is Gradio's configuration of the app, whose copies are for sessions."""

    def __copy__(self) -> SessionConfig:
        copied = SessionConfig(self.root_block)
        copied.blocks = dict(self.blocks)
        copied.fns = dict(self.fns)
        copied.fn_id = self.fn_id
        copied.renderables = list(self.renderables)
        return copied


class AppBlocks(gr.Blocks):
    """Blocks whose updates of an HTML component always carry all of its properties.

    Gradio 6.31 sends only those that change, with `gr.skip()` none. A component that was never on
    the page, in a tab that was not opened or in a hidden column, would forget the others, and its
    template fails when it is drawn ("body is not defined").
    """

    is_laid_out = True  # False within `lay_out`, while a configuration is not complete

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.default_config = AppConfig(self)

    def get_config_file(self) -> Any:
        """Return the configuration that browsers get; the list of pages alone before its end."""
        return super().get_config_file() if self.is_laid_out else {"pages": self.pages}

    def forget_closed_sessions(self) -> None:
        """Forget the state of closed pages but for the last ones; Gradio keeps what they showed."""
        holder = self.state_holder
        closed = [
            session for session, state in list(holder.session_data.items()) if state.is_closed
        ]
        for session in closed[:-CLOSED_KEPT]:
            holder.session_data.pop(session, None)
            holder.time_last_used.pop(session, None)

    def queue(
        self,
        status_update_rate: float | Literal["auto"] = "auto",
        api_open: bool | None = None,
        max_size: int | None = None,
        *,
        default_concurrency_limit: int | Literal["not_set"] | None = "not_set",
    ) -> "AppBlocks":
        """Set the queue up; `max_size`: the events of one kind that may wait."""
        super().queue(
            status_update_rate,
            api_open,
            max_size,
            default_concurrency_limit=default_concurrency_limit,
        )
        made = self._queue
        self._queue = BoundedQueue(
            places=made.max_size,
            live_updates=made.live_updates,
            concurrency_count=made.max_thread_count,
            update_intervals=made.update_intervals,
            blocks=self,
            default_concurrency_limit=made.default_concurrency_limit,
        )
        return self

    def validate_inputs(self, block_fn: BlockFunction, inputs: list[Any]) -> None:
        """Refuse a call with too few values. Raises Error, whose sentence names no object."""
        wanted = len(block_fn.inputs)
        if len(inputs) < wanted:
            raise gr.Error(
                f"The page sent {len(inputs)} of {wanted} values: reload it.",
                print_exception=False,
            )

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
        app.is_laid_out = False
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
