"""The endpoints of the running app as other programs use them: through Gradio's client, plain HTTP
and the Model Context Protocol.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.support import space_checks
from tests.support.space_checks import NAMES, PATIENCE, PROMPT


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Any]:
    found = space_checks.connected(address)
    yield found
    found.close()


@pytest.fixture(scope="module")
def told(client: Any) -> Any:
    return space_checks.evaluated(client)


def test_the_endpoints_are_these_each_with_types_and_a_description(client: Any) -> None:
    space_checks.endpoints_say_what_they_take(client)


def test_evaluate_tells_what_the_command_line_tells(told: Any, client: Any) -> None:
    assert told["evaluations"][0]["score"] == {"value": 0.8, "counted": 5, "left_out": 0}
    space_checks.said_again_it_is_stored(client, told)


def test_evaluate_says_how_far_it_is_before_its_document(client: Any) -> None:
    outputs = list(
        client.submit("four tulips", ["primer/exact"], metrics=["tifa"], api_name="/evaluate")
    )
    *on_the_way, whole = outputs
    assert [(one["done"], one["of"]) for one in on_the_way] == [(0, 2), (1, 2), (2, 2)]
    assert {one["run"] for one in on_the_way} == {whole["run"]}
    assert [one["metric"] for one in whole["evaluations"]] == ["tifa"]


def test_a_picture_is_had_at_its_address(told: Any, address: str) -> None:
    space_checks.a_picture_is_had(address, told)


@pytest.mark.parametrize(
    "file",
    [
        "/etc/passwd",
        "{images}/../../hallascope.db",
        "{images}/%2e%2e/%2e%2e/hallascope.db",
        "pyproject.toml",
    ],
)
def test_nothing_but_pictures_of_the_store_is_had(told: Any, address: str, file: str) -> None:
    images = told["evaluations"][0]["image"].partition("file=")[2].rsplit("/", 2)[0]
    found = httpx.get(
        f"{address.rstrip('/')}/gradio_api/file={file.format(images=images)}", timeout=PATIENCE
    )
    assert found.status_code in (403, 404)


def test_a_file_that_is_too_large_is_not_taken(address: str) -> None:
    large = {"files": ("large.png", b"x" * (26 * 2**20))}
    found = httpx.post(f"{address.rstrip('/')}/gradio_api/upload", files=large, timeout=PATIENCE)
    assert found.status_code == 413


def test_evidence_is_what_evaluate_said_of_the_picture(told: Any, client: Any) -> None:
    space_checks.evidence_is_what_was_said(client, told)


def test_the_leaderboard_counts_what_was_evaluated(told: Any, client: Any) -> None:
    space_checks.the_leaderboard_counts(client, told)


def test_models_are_listed_by_role_with_why_they_cannot_run(client: Any) -> None:
    space_checks.models_say_why_not(client)


@pytest.mark.parametrize(("endpoint", "arguments", "words"), space_checks.WRONG)
def test_what_is_wrong_is_said_in_one_sentence(
    client: Any, endpoint: str, arguments: dict[str, Any], words: str
) -> None:
    space_checks.refused(client, endpoint, arguments, words)


def test_plain_http_takes_names_and_streams_the_document(address: str) -> None:
    call = f"{address.rstrip('/')}/gradio_api/call"
    event = httpx.post(f"{call}/v2/models", json={"role": "judge"}, timeout=PATIENCE).json()[
        "event_id"
    ]
    *_, last = httpx.get(f"{call}/models/{event}", timeout=PATIENCE).text.strip().split("\n\n")
    event_line, data = last.split("\n")
    assert event_line == "event: complete"
    assert "primer/judge" in {
        one["id"] for one in json.loads(data.removeprefix("data: "))[0]["models"]
    }


def test_tools_are_the_endpoints_and_answer_with_json(address: str) -> None:
    import anyio

    with ThreadPoolExecutor(
        1
    ) as beside:  # a browser that was driven before leaves a loop that runs in this thread
        listed, progress, told, wrong = beside.submit(
            anyio.run, _used, f"{address.rstrip('/')}/gradio_api/mcp/"
        ).result()
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
