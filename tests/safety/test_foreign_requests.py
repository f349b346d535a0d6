"""Requests that a page of another site sends, too large ones, and calls that are no JSON: the
running app takes none of them.
"""

import io
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from PIL import Image

from hallascope.pages.server.http_guard import MAX_JSON
from tests.support.shared_apps import LISTED
from tests.support.space_checks import PATIENCE

EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=PATIENCE) as found:
        yield found


@pytest.fixture(scope="module")
def save(client: httpx.Client) -> dict[str, Any]:
    """A call of a function that a component asks of the server."""
    parts = client.get("/config").json()["components"]
    found = {name: part["id"] for part in parts for name in part["props"].get("server_fns") or ()}
    assert found
    return {
        "component_id": found["remarks"],
        "fn_name": "remarks",
        "session_hash": "forged",
        "data": {},
    }


MCP = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}
EVENTS = {"accept": "application/json, text/event-stream"}


def calls(save: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("/gradio_api/component_server", save),
        ("/gradio_api/call/models", {"data": ["judge"]}),
        ("/gradio_api/call/v2/models", {"role": "judge"}),
        ("/gradio_api/run/models", {"data": ["judge"]}),
        ("/gradio_api/queue/join", {"data": ["judge"], "fn_index": 3, "session_hash": "forged"}),
        ("/gradio_api/cancel", {"session_hash": "forged", "fn_index": 3, "event_id": "x"}),
        ("/gradio_api/mcp/", MCP),
    ]


def test_a_page_of_another_site_calls_nothing(client: httpx.Client, save: dict[str, Any]) -> None:
    for path, body in calls(save):
        for origin in (EVIL, "null", "http://localhost:1"):
            found = client.post(path, json=body, headers={**EVENTS, "origin": origin})
            assert (found.status_code, path) == (403, path)
            assert f"takes no calls from pages of '{origin}'" in found.json()["detail"]
    picture = {"files": ("a.png", b"x")}
    assert (
        client.post("/gradio_api/upload", files=picture, headers={"origin": EVIL}).status_code
        == 403
    )


def test_a_foreign_name_that_points_to_this_machine_gets_nothing(
    client: httpx.Client, save: dict[str, Any]
) -> None:
    foreign = {**EVENTS, "host": "evil.example:7860", "origin": "http://evil.example:7860"}
    for path, body in calls(save):
        assert (client.post(path, json=body, headers=foreign).status_code, path) == (403, path)
    for path in ("/", "/config", "/gradio_api/info", "/gradio_api/queue/status"):
        found = client.get(path, headers={"host": "evil.example"})
        assert found.status_code == 403
        detail = found.json()["detail"]
        assert "does not answer to the name 'evil.example'" in detail
        assert detail.endswith("whoever runs it can list the name in HALLASCOPE_HOSTS.")


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
def test_a_call_that_is_no_json_is_not_read(
    client: httpx.Client, save: dict[str, Any], kind: str
) -> None:
    for path, body in calls(save):
        headers = {**EVENTS, "content-type": kind} if kind else EVENTS
        found = client.post(path, content=json.dumps(body).encode(), headers=headers)
        assert (found.status_code, path) == (415, path)


def test_the_apps_own_page_a_listed_site_and_programs_are_answered(
    address: str, client: httpx.Client, save: dict[str, Any]
) -> None:
    port = urlsplit(address).port
    own: list[dict[str, str]] = [
        {},
        {"origin": address.rstrip("/")},
        {"origin": f"http://localhost:{port}"},
        {"host": f"localhost:{port}", "origin": f"http://localhost:{port}"},
        {"host": LISTED, "origin": f"https://{LISTED}"},
        {"origin": f"https://{LISTED}"},
    ]
    for headers in own:
        for path, body in calls(save):
            found = client.post(path, json=body, headers={**EVENTS, **headers})
            assert found.status_code not in (403, 404, 411, 413, 415), (path, headers, found.text)


def test_a_picture_is_uploaded(client: httpx.Client) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(stream, "PNG")
    found = client.post("/gradio_api/upload", files={"files": ("a.png", stream.getvalue())})
    assert found.status_code == 200
    assert Path(found.json()[0]).name == "a.png"


# --- size
# --------------------------------------------------------------------------------------------------


def test_a_call_that_is_too_large_is_refused_before_it_is_read(
    client: httpx.Client, save: dict[str, Any]
) -> None:
    large = b'{"data": ["' + b"x" * MAX_JSON + b'"]}'
    for path, _ in calls(save):
        found = client.post(
            path, content=large, headers={**EVENTS, "content-type": "application/json"}
        )
        assert (found.status_code, path) == (413, path)
        assert "larger than 4 MB" in found.json()["detail"]


def test_a_call_that_does_not_say_how_large_it_is_is_read_no_further_than_it_may_be_long(
    address: str,
) -> None:
    parts = urlsplit(address)
    lines = (
        "POST /gradio_api/call/models HTTP/1.1",
        f"Host: {parts.netloc}",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
    )
    head = "\r\n".join((*lines, "", ""))
    chunk = b"100000\r\n" + b"x" * 2**20 + b"\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as line:
        line.sendall(head.encode())
        sent = 0
        try:
            for _ in range(200):
                line.sendall(chunk)
                sent += 1
        except OSError:
            pass  # it hung up
        else:
            raise AssertionError("200 MB were taken")
    assert sent < 100


def test_addresses_that_the_app_does_not_use_are_not_there(client: httpx.Client) -> None:
    for path in (
        "/gradio_api/deep_link?session_hash=x",
        "/gradio_api/dev/reload",
        "/gradio_api/token",
        "/gradio_api/proxy=https://x.hf.space/",
        "/gradio_api/custom_component/x/client/component/x.js",
        "/gradio_api/run-history/buckets",
        "/gradio_api/vibe-code",
        "/monitoring",
        "/monitoring/summary",
        "/openapi.json",
        "/docs",
        "/login",
        "/gradio_api/",
    ):
        found = client.get(path)
        assert (found.status_code, path) == (404, path)
        assert found.json()["detail"] == "There is nothing at this address."
    assert client.post("/gradio_api/process_recording", json={}).status_code == 404
