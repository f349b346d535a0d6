"""Offers the endpoints of the app as tools to other programs' models (Model Context Protocol)."""

import inspect
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import Any

import gradio as gr
from anyio import CapacityLimiter
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import ContentBlock, TextContent, Tool
from pydantic import ConfigDict, Field, create_model
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

from hallascope.engine.deployment.hosting import queue_limit
from hallascope.engine.services import Services
from hallascope.pages.api.endpoints import ASKER, RUNS_AT_ONCE, VIEWS_AT_ONCE, Endpoints

ADDRESS = "/gradio_api/mcp"
FAILED = "The tool failed for a reason that only whoever runs this app can see: tell them."
FULL = "Too many calls wait already: try again in a minute."
# a parameter in a docstring, with the lines below it
_PARAMETER = re.compile(r"^    (\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


class ToolServer:
    """Answers calls of tools with JSON: each endpoint is a tool of its name.

    `route` is where it listens. Calls are bounded like those of the endpoints: so many run at once,
    and where too many wait, the next one is refused.
    """

    def __init__(self, services: Services) -> None:
        self._endpoints = {each.__name__: each for each in Endpoints(services).all()}
        self._runs, self._views = CapacityLimiter(RUNS_AT_ONCE), CapacityLimiter(VIEWS_AT_ONCE)
        self._server: Server[Any, Any] = Server("HallaScope")
        self._server.list_tools()(self.tools)  # type: ignore[no-untyped-call]
        self._server.call_tool()(self.call)
        self._manager: StreamableHTTPSessionManager  # begins with the app
        self.route = Mount(ADDRESS, self._handle)

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        """Answer while the app runs.

        Gradio starts an app again, on the next port, where the first start took over five seconds;
        a manager runs once.
        """
        self._manager = StreamableHTTPSessionManager(self._server, stateless=True)
        async with self._manager.run():
            yield

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)

    async def tools(self) -> list[Tool]:
        """Return every tool with what its docstring says."""
        return [describe(endpoint) for endpoint in self._endpoints.values()]

    async def call(self, name: str, arguments: dict[str, Any]) -> list[ContentBlock]:
        """Return the document of an endpoint as JSON.

        Raises ValueError, whose sentence the caller gets.
        """
        endpoint = self._endpoints.get(name)
        if endpoint is None:
            raise ValueError(f"There is no tool {name!r}: use {', '.join(self._endpoints)}.")
        limiter = self._runs if inspect.isgeneratorfunction(endpoint) else self._views
        limit = queue_limit()
        if limit is not None and limiter.statistics().tasks_waiting >= limit:
            raise ValueError(FULL)
        try:
            async with limiter:
                document = await self._answer(endpoint, arguments)
        except gr.Error as error:
            raise ValueError(error.message) from None
        except Exception as error:
            logging.getLogger(__name__).exception("The tool %s failed.", name)
            raise ValueError(FAILED) from error
        return [TextContent(type="text", text=json.dumps(document, ensure_ascii=False))]

    async def _answer(self, endpoint: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        if not inspect.isgeneratorfunction(endpoint):
            return await run_in_threadpool(endpoint, **arguments)
        context = self._server.request_context
        token = context.meta.progressToken if context.meta else None
        updates = endpoint(**arguments, **{ASKER: gr.Request(context.request)})
        document = None
        with closing(updates):
            async for document in iterate_in_threadpool(updates):
                if token is not None and "of" in document:
                    await context.session.send_progress_notification(
                        token,
                        document["done"],
                        document["of"],
                        related_request_id=str(context.request_id),
                    )
        return document


def describe(endpoint: Callable[..., Any]) -> Tool:
    """Return the tool of an endpoint: its docstring, and the schema of its parameters."""
    words = inspect.getdoc(endpoint) or ""
    said = {name: " ".join(text.split()) for name, text in _PARAMETER.findall(words)}
    fields: dict[str, Any] = {
        name: (
            parameter.annotation,
            Field(
                ... if parameter.default is parameter.empty else parameter.default,
                description=said[name],
            ),
        )
        for name, parameter in inspect.signature(endpoint).parameters.items()
        if name != ASKER
    }
    closed = ConfigDict(extra="forbid")
    model = create_model(endpoint.__name__, __config__=closed, **fields)
    return Tool(name=model.__name__, description=words, inputSchema=model.model_json_schema())
