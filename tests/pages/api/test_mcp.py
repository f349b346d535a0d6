"""The endpoints are tools of the Model Context Protocol."""

import json
from typing import Any

from tests.support.coroutines import run_apart
from tests.support.space_checks import NAMES, PROMPT


def test_tools_are_the_endpoints_and_answer_with_json(address: str) -> None:
    used = _used(f"{address.rstrip('/')}/gradio_api/mcp/")
    listed, progress, told, wrong = run_apart(used)
    tools = {tool.name: tool for tool in listed.tools}
    assert sorted(tools) == [name[1:] for name in NAMES]
    assert tools["evaluate"].inputSchema["required"] == ["prompt", "models"]
    assert "additional_description" not in str(tools)
    assert (
        "4,000 characters" in tools["evaluate"].inputSchema["properties"]["prompt"]["description"]
    )
    assert progress
    assert [json.loads(one.content[0].text)["evaluations"][0]["model"] for one in told] == [
        "primer/exact"
    ] * 2
    assert wrong.isError
    assert wrong.content[0].text.startswith("There is no role 'painter'")


async def _used(url: str) -> tuple[Any, list[str], list[Any], Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    said: list[str] = []

    async def on_the_way(progress: float, total: float | None, message: str | None) -> None:
        said.append(message or "")

    wanted = {"prompt": PROMPT, "models": ["primer/exact"]}
    async with (
        streamable_http_client(url) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        listed = await session.list_tools()
        told = [
            await session.call_tool("evaluate", wanted, progress_callback=each)
            for each in (None, on_the_way)
        ]
        return listed, said, told, await session.call_tool("models", {"role": "painter"})
