"""Offers the endpoints of the app as tools to other programs' models (Model Context Protocol)."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import gradio as gr
from gradio.mcp import GradioMCPServer


class Tools(GradioMCPServer):
    """Serves tools that answer with JSON, where Gradio's server prints Python (gradio 6.31)."""

    def get_input_schema(
        self, tool_name: str, parameters: dict[str, str] | None = None
    ) -> tuple[dict[str, Any], list[list[str | int]]]:
        schema, files = super().get_input_schema(tool_name, parameters)
        for parameter in schema["properties"].values():
            parameter.pop("additional_description", None)  # what stands under `description` already
        return schema, files

    def postprocess_output_data(self, data: Any, root_url: str) -> list[Any]:
        return [
            self.types.TextContent(type="text", text=json.dumps(value, ensure_ascii=False))
            for value in data
        ]


def offer(demo: gr.Blocks) -> None:
    """Make every public endpoint of a whole app a tool; it is launched with `options` then."""
    demo.mcp_server_obj = Tools(demo)
    demo.mcp_server = True


def options() -> dict[str, Any]:
    """Return how an app with tools is launched: Gradio starts no server of its own beside ours."""
    return {"mcp_server": False, "app_kwargs": {"lifespan": _lifespan}}


@asynccontextmanager
async def _lifespan(app: Any) -> AsyncIterator[None]:
    server = app.get_blocks().mcp_server_obj
    if server is None:
        yield
    else:
        async with server.lifespan(app):
            yield
