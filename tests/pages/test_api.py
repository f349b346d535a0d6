"""The endpoints of the running app as other programs use them: through Gradio's client, plain HTTP and the Model Context Protocol."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

PROMPT = "a molecule of methane"
PATIENCE = 120.0  # seconds, on a machine that is busy otherwise
NAMES = ["/evaluate", "/evidence", "/leaderboard", "/models"]


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Any]:
    from gradio_client import Client

    found = Client(address, verbose=False, httpx_kwargs={"timeout": PATIENCE})
    yield found
    found.close()


@pytest.fixture(scope="module")
def told(client: Any) -> Any:
    return client.predict(PROMPT, ["primer/exact", "primer/hasty"], api_name="/evaluate")


def test_the_endpoints_are_these_each_with_types_and_a_description(client: Any) -> None:
    found = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    assert sorted(found) == NAMES
    for endpoint in found.values():
        assert len(endpoint["description"]) > 40
        told = [parameter["python_type"] for parameter in endpoint["parameters"]]
        assert all(one["type"] not in ("", "Any") and one["description"] for one in told)
        assert endpoint["returns"][0]["python_type"]["type"].startswith("dict")
    assert [p["parameter_name"] for p in found["/evaluate"]["parameters"] if not p["parameter_has_default"]] == ["prompt", "models"]
    assert "key" not in str([p["parameter_name"] for endpoint in found.values() for p in endpoint["parameters"]]).casefold()


def test_evaluate_tells_what_the_command_line_tells(told: Any, client: Any) -> None:
    assert [e["model"] for e in told["evaluations"]] == ["primer/exact", "primer/hasty"]
    assert len(told["evaluations"][0]["verdicts"]) == 5
    assert told["evaluations"][0]["score"] == {"value": 0.8, "counted": 5, "left_out": 0}
    again = client.predict(PROMPT, ["primer/exact", "primer/hasty"], api_name="/evaluate")
    assert again["cached"] is True
    assert again["run"] == told["run"]


def test_evaluate_says_how_far_it_is_before_its_document(client: Any) -> None:
    outputs = list(client.submit("four tulips", ["primer/exact"], metrics=["tifa"], api_name="/evaluate"))
    *on_the_way, whole = outputs
    assert [(one["done"], one["of"]) for one in on_the_way] == [(0, 2), (1, 2), (2, 2)]
    assert {one["run"] for one in on_the_way} == {whole["run"]}
    assert [one["metric"] for one in whole["evaluations"]] == ["tifa"]


def test_a_picture_is_had_at_its_address(told: Any, address: str) -> None:
    found = httpx.get(f"{address.rstrip('/')}/{told['evaluations'][0]['image']}", timeout=PATIENCE)
    assert found.headers["content-type"] == "image/png"


@pytest.mark.parametrize("file", ["/etc/passwd", "{images}/../../hallascope.db", "{images}/%2e%2e/%2e%2e/hallascope.db", "pyproject.toml"])
def test_nothing_but_pictures_of_the_store_is_had(told: Any, address: str, file: str) -> None:
    images = told["evaluations"][0]["image"].partition("file=")[2].rsplit("/", 2)[0]
    found = httpx.get(f"{address.rstrip('/')}/gradio_api/file={file.format(images=images)}", timeout=PATIENCE)
    assert found.status_code in (403, 404)


def test_a_file_that_is_too_large_is_not_taken(address: str) -> None:
    large = {"files": ("large.png", b"x" * (26 * 2**20))}
    found = httpx.post(f"{address.rstrip('/')}/gradio_api/upload", files=large, timeout=PATIENCE)
    assert found.status_code == 413


def test_evidence_is_what_evaluate_said_of_the_picture(told: Any, client: Any) -> None:
    (first, _) = told["evaluations"]
    found = client.predict(first["sha256"], "ihalla", api_name="/evidence")
    assert found["image"] == first["image"]
    assert {**found["evaluations"][0], "cached": None} == {**first, "cached": None}


def test_the_leaderboard_counts_what_was_evaluated(told: Any, client: Any) -> None:
    found = client.predict("coi", models=["primer/exact"], api_name="/leaderboard")
    asked = {verdict["coi"] for verdict in told["evaluations"][0]["verdicts"]}
    assert asked <= {row["coi"] for row in found["rows"]}
    assert {row["model"] for row in found["rows"]} == {"primer/exact"}
    assert sum(row["n"] for row in found["rows"]) >= 5
    assert all({"value", "low", "high", "left_out"} <= set(row) for row in found["rows"])
    assert found["judged_by"]["judge"] == "primer/judge"


def test_models_are_listed_by_role_with_why_they_cannot_run(client: Any) -> None:
    found = {one["id"]: one for one in client.predict("generator", api_name="/models")["models"]}
    assert found["primer/exact"]["available"] is True
    assert found["sdxl-base"]["reason"].endswith(".")
    assert all("generator" in one["roles"] for one in found.values())


@pytest.mark.parametrize(
    ("endpoint", "arguments", "words"),
    [
        ("evaluate", {"prompt": "", "models": ["primer/exact"]}, "prompt is empty"),
        ("evaluate", {"prompt": "x" * 5000, "models": ["primer/exact"]}, "at most 4,000"),
        ("evaluate", {"prompt": PROMPT, "models": ["primer/exakt"]}, "did you mean 'primer/exact'"),
        ("evaluate", {"prompt": PROMPT, "models": ["sdxl-base"]}, "cannot run here"),
        ("evaluate", {"prompt": PROMPT, "models": [f"m{i}" for i in range(65)]}, "more than 64"),
        ("evaluate", {"prompt": PROMPT, "models": "primer/exact"}, "give a list of names"),
        ("evaluate", {"prompt": PROMPT, "models": ["primer/exact"], "metrics": ["ihala"]}, "ihalla"),
        ("evaluate", {"prompt": PROMPT, "models": ["primer/exact"], "trials": "two"}, "give a whole number"),
        ("leaderboard", {"metric": "ihala"}, "ihalla"),
        ("leaderboard", {"by": "colour"}, "'colour'"),
        ("leaderboard", {"models": ["primer/exakt"]}, "did you mean 'primer/exact'"),
        ("evidence", {"image": "../../etc/passwd"}, "No picture"),
        ("models", {"role": "painter"}, "There is no role 'painter'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(client: Any, endpoint: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(Exception, match=words) as said:
        client.predict(**arguments, api_name=f"/{endpoint}")
    assert "Traceback" not in str(said.value)
    assert "\n" not in str(said.value)


def test_plain_http_takes_names_and_streams_the_document(address: str) -> None:
    call = f"{address.rstrip('/')}/gradio_api/call"
    event = httpx.post(f"{call}/v2/models", json={"role": "judge"}, timeout=PATIENCE).json()["event_id"]
    *_, last = httpx.get(f"{call}/models/{event}", timeout=PATIENCE).text.strip().split("\n\n")
    event_line, data = last.split("\n")
    assert event_line == "event: complete"
    assert "primer/judge" in {one["id"] for one in json.loads(data.removeprefix("data: "))[0]["models"]}


def test_tools_are_the_endpoints_and_answer_with_json(address: str) -> None:
    import anyio

    with ThreadPoolExecutor(1) as beside:  # a browser that was driven before leaves a loop that runs in this thread
        listed, progress, told, wrong = beside.submit(anyio.run, _used, f"{address.rstrip('/')}/gradio_api/mcp/").result()
    tools = {tool.name: tool for tool in listed.tools}
    assert sorted(tools) == [name[1:] for name in NAMES]
    assert tools["evaluate"].inputSchema["required"] == ["prompt", "models"]
    assert "additional_description" not in str(tools)
    assert "4,000 characters" in tools["evaluate"].inputSchema["properties"]["prompt"]["description"]
    assert progress
    assert [json.loads(one.content[0].text)["evaluations"][0]["model"] for one in told] == ["primer/exact"] * 2
    assert wrong.isError
    assert wrong.content[0].text.startswith("There is no role 'painter'")


async def _used(url: str) -> tuple[Any, list[str], list[Any], Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    said: list[str] = []

    async def on_the_way(_: float, __: float | None, message: str | None) -> None:
        said.append(message or "")

    wanted = {"prompt": PROMPT, "models": ["primer/exact"]}
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        listed = await session.list_tools()
        told = [await session.call_tool("evaluate", wanted, progress_callback=each) for each in (None, on_the_way)]
        return listed, said, told, await session.call_tool("models", {"role": "painter"})
