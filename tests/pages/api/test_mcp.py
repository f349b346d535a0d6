"""The endpoints are tools of the Model Context Protocol."""

import asyncio
import json
import threading
from typing import Any

import pytest

from hallascope.pages.api.endpoints import VIEWS_AT_ONCE, Endpoints
from hallascope.pages.api.mcp import ToolServer
from tests.support.coroutines import run_apart
from tests.support.space_checks import NAMES, PROMPT


def test_tools_are_the_endpoints_and_answer_with_json(address: str) -> None:
    used = _used(f"{address.rstrip('/')}/gradio_api/mcp/")
    listed, progress, told, wrong, misnamed = run_apart(used)
    tools = {tool.name: tool for tool in listed.tools}
    assert sorted(tools) == [name[1:] for name in NAMES]
    assert tools["evaluate"].inputSchema["required"] == ["prompt", "models"]
    assert (
        "4,000 characters" in tools["evaluate"].inputSchema["properties"]["prompt"]["description"]
    )
    assert progress[-1] == 2
    assert [json.loads(one.content[0].text)["evaluations"][0]["model"] for one in told] == [
        "primer/exact"
    ] * 2
    assert wrong.isError
    assert wrong.content[0].text.startswith("There is no role 'painter'")
    assert "'roles' was unexpected" in misnamed.content[0].text


async def _used(url: str) -> tuple[Any, list[float], list[Any], Any, Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    said: list[float] = []

    async def on_the_way(progress: float, total: float | None, message: str | None) -> None:
        assert total == 2
        said.append(progress)

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
        wrong = await session.call_tool("models", {"role": "painter"})
        misnamed = await session.call_tool("models", {"roles": "painter"})
        return listed, said, told, wrong, misnamed


def test_a_server_that_is_started_again_answers_again(services: Any) -> None:
    server = ToolServer(services)

    async def start() -> None:
        async with server.lifespan(None):
            pass

    run_apart(start())
    run_apart(start())


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Holds back the answers of `models` until it is set."""
    gate = threading.Event()

    def models(endpoints: Endpoints, role: str = "") -> dict[str, Any]:
        """List the models.

        Args:
            role: One role.
        """
        assert gate.wait(20)
        return {"role": role}

    monkeypatch.setattr(Endpoints, "models", models)
    return gate


def test_a_call_is_refused_where_too_many_wait_and_the_others_are_answered(
    services: Any, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_QUEUE", "1")

    async def crowd() -> list[Any]:
        server = ToolServer(services)
        calls = [asyncio.ensure_future(server.call("models", {})) for _ in range(VIEWS_AT_ONCE + 1)]
        await asyncio.sleep(0.1)
        with pytest.raises(ValueError, match="try again in a minute"):
            await server.call("models", {})
        gate.set()
        return await asyncio.gather(*calls)

    assert len(run_apart(crowd())) == VIEWS_AT_ONCE + 1


def test_what_goes_wrong_inside_is_not_told(services: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def models(endpoints: Endpoints, role: str = "") -> None:
        raise OSError("/secret/place")

    monkeypatch.setattr(Endpoints, "models", models)
    with pytest.raises(ValueError, match="The tool failed"):
        run_apart(ToolServer(services).call("models", {}))
