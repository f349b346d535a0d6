"""A key that is typed into the page: the app hands it to nobody, writes it nowhere, and forgets it
with the page.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest

from hallascope.pages.shared.key_vault import KeyVault
from tests.support.shared_apps import SharedApps
from tests.support.space_checks import PATIENCE

KEY = "sk-typed-by-a-visitor-0123456789"
SESSION = "sessionofavisitor"
OPEN = [
    "",
    "config",
    "config/",
    "info",
    "gradio_api/info",
    "gradio_api/info?all_endpoints=true",
    "gradio_api/openapi.json",
    "openapi.json",
    "gradio_api/app_id",
    "gradio_api/token",
    "gradio_api/user",
    "gradio_api/runs",
    "gradio_api/run-history/records",
    "gradio_api/queue/status",
    "gradio_api/startup-events",
    "gradio_api/profiling/traces",
    "gradio_api/vibe-code",
    "monitoring",
    "monitoring/summary",
    "theme.css",
    "manifest.json",
    "gradio_api/deep_link",
    "gradio_api/mcp/schema",
]


@pytest.fixture(scope="module")
def places(apps: SharedApps, home: Path) -> tuple[Path, Path]:
    """Where the app keeps what it keeps, and where Gradio keeps files."""
    return home, apps.gradio


@pytest.fixture(scope="module")
def app(address: str) -> Iterator[httpx.Client]:
    """A running app into whose every handler that takes a key the key was typed."""
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        type_everywhere(client)
        yield client


def type_everywhere(client: httpx.Client) -> None:
    page = client.get("/config").json()
    parts = {part["id"]: part for part in page["components"]}
    boxes = [name for name, part in parts.items() if part["props"].get("type") == "password"]
    assert boxes
    taking = [one for one in page["dependencies"] if set(boxes) & set(one["inputs"])]
    assert taking
    for handler in taking:
        data = [
            KEY if name in boxes else parts[name]["props"].get("value")
            for name in handler["inputs"]
        ]
        called(client, handler["id"], data)


def called(client: httpx.Client, handler: int, data: list[Any], session: str = SESSION) -> Any:
    """What a handler of the page answers through the queue."""
    asked = {"fn_index": handler, "data": data, "session_hash": session}
    client.post("/gradio_api/queue/join", json=asked).raise_for_status()
    told = client.get("/gradio_api/queue/data", params={"session_hash": session}).text
    messages = [
        json.loads(line.removeprefix("data: "))
        for line in told.splitlines()
        if line.startswith("data: ")
    ]
    return next(message for message in messages if message["msg"] == "process_completed")


def test_no_state_of_a_page_is_written_down(app: httpx.Client, places: tuple[Path, Path]) -> None:
    link = app.get("/gradio_api/deep_link", params={"session_hash": SESSION})
    assert link.status_code == 404
    assert not list(places[1].rglob("state.json"))


def test_a_state_that_is_on_the_disk_is_not_read(
    app: httpx.Client, places: tuple[Path, Path]
) -> None:
    folder = places[1] / "deep_links" / "ofanearlierversion"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps([{"id": 1, "props": {"value": KEY}}]))
    for path in ("/config", "/", "/config/"):
        assert (
            KEY
            not in app.get(
                path, params={"deep_link": "ofanearlierversion"}, follow_redirects=True
            ).text
        )
    (folder / "state.json").unlink()


@pytest.mark.parametrize("path", OPEN)
def test_no_address_tells_it(app: httpx.Client, path: str) -> None:
    found = app.get(f"/{path}", params={"session_hash": SESSION} if "deep_link" in path else None)
    assert KEY not in found.text
    if "deep_link" in path:
        assert KEY not in app.get("/config", params={"deep_link": found.text.strip('"')}).text


def test_no_file_holds_it(app: httpx.Client, places: tuple[Path, Path]) -> None:
    app.get("/gradio_api/deep_link", params={"session_hash": SESSION})
    files = [file for place in places for file in place.rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []


def test_the_page_gets_its_field_back_empty(app: httpx.Client) -> None:
    page = app.get("/config").json()
    boxes = {part["id"] for part in page["components"] if part["props"].get("type") == "password"}
    taking = [one for one in page["dependencies"] if boxes & set(one["inputs"])]
    for handler in taking:
        told = called(app, handler["id"], [KEY, 0], "anothersession")
        assert told["success"], told
        assert KEY not in json.dumps(told)
        assert told["output"]["data"][0]["value"] == ""


def test_no_handler_but_the_one_of_its_field_is_sent_a_key(app: httpx.Client) -> None:
    page = app.get("/config").json()
    boxes = {part["id"] for part in page["components"] if part["props"].get("type") == "password"}
    taking = [one for one in page["dependencies"] if boxes & set(one["inputs"])]
    assert sorted(len(boxes & set(one["inputs"])) for one in taking) == [1] * len(boxes)


# --- the server's memory
# ------------------------------------------------------------------------------------------------


def test_what_a_login_brings_is_held_like_a_typed_key() -> None:
    from hallascope.pages.shared.spending import LOGIN, login_handler

    vault, asker = KeyVault(), gr.Request(session_hash="mine")
    token = gr.OAuthToken(token=KEY, scope="", expires_at=0)
    assert login_handler(vault)(0, asker, token) == 1
    assert vault.get("mine") == {LOGIN: KEY}
    login_handler(vault)(0, gr.Request(session_hash="other"), None)
    assert vault.get("other") == {}
