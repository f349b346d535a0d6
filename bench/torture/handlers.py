"""Sends bad arguments to every handler and server function of a running dashboard."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import httpx

from bench.support.apps import running_app
from bench.torture.rows import TortureRow, TortureSetup

PATIENCE = 120.0  # seconds for one answer
LONG = "x" * 100_000
SECRET = "/etc/passwd"
# what stands in place of every argument; None: no arguments at all
BAD_ARGUMENTS: Mapping[str, Any] = {
    "nothing": None,
    "null": [None],
    "a path": [f"../../../..{SECRET}"],
    "a file": [{"path": SECRET, "meta": {"_type": "gradio.FileData"}}],
    "a long text": [LONG],
    "a number": [1e308],
}
# signs of a file of the machine, of a traceback, and of an object of Python
LEAKS = ("root:x:0:", "Traceback (most recent", "site-packages", " object at 0x")
FILES = (
    f"/gradio_api/file={SECRET}",
    "/gradio_api/file=../../../../etc/passwd",
    "/gradio_api/file=%2Fetc%2Fpasswd",
    "/gradio_api/proxy=http://169.254.169.254/latest/meta-data",
    "/gradio_api/proxy=http://127.0.0.1:22/",
    "/static/../../../../etc/passwd",
)


def check_handlers(setup: TortureSetup) -> Iterator[TortureRow]:
    """Call every handler with each of the bad arguments, and ask for files of the machine.

    The addresses that Gradio gives to images hold their path, and are no leak.
    """
    home = setup.folder / "home"
    images = f"gradio_api/file={home}/images/"
    leaks: list[str] = []
    with running_app(home) as app, _client(app.address) as client:
        config = client.get("/config").json()
        markers = (*LEAKS, str(home))
        handlers = config["dependencies"][:: setup.handler_step]
        for handler in handlers:
            for name, arguments in BAD_ARGUMENTS.items():
                answer = _answer(partial(_call_handler, client, handler, arguments))
                answer = answer.replace(images, "")
                leaks += [f"{handler['id']} with {name}" for sign in markers if sign in answer]
        functions = [
            (part["id"], function)
            for part in config["components"]
            for function in part["props"].get("server_fns") or ()
        ]
        for component, function in functions:
            for name, arguments in BAD_ARGUMENTS.items():
                answer = _answer(partial(_call_function, client, component, function, arguments))
                answer = answer.replace(images, "")
                leaks += [f"{function} with {name}" for sign in markers if sign in answer]
        answers = [_answer(partial(_get, client, file)) for file in FILES]
        leaks += [
            file
            for file, answer in zip(FILES, answers, strict=True)
            if any(sign in answer for sign in markers)
        ]
        is_alive = client.get("/config").status_code == httpx.codes.OK
    yield TortureRow(
        f"{len(handlers)} handlers and {len(functions)} server functions with"
        f" {len(BAD_ARGUMENTS)} bad arguments each, {len(FILES)} addresses of files",
        f"{len(leaks)} leaks{': ' + ', '.join(leaks[:3]) if leaks else ''};"
        f" the app {'answers' if is_alive else 'IS GONE'}",
        "0 leaks, the app answers",
        not leaks and is_alive,
    )


def _client(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, timeout=PATIENCE)


def _get(client: httpx.Client, address: str) -> str:
    return client.get(address).text


def _answer(call: Callable[[], str]) -> str:
    """Return what a call is answered, "" where the app closes the connection instead."""
    try:
        return call()
    except httpx.TransportError:
        return ""


def _call_handler(client: httpx.Client, handler: Mapping[str, Any], arguments: Any) -> str:
    """Return all that the app says of one call of a handler."""
    session = uuid.uuid4().hex
    data = [] if arguments is None else arguments * len(handler["inputs"])
    call = {"fn_index": handler["id"], "data": data, "session_hash": session}
    joined = client.post("/gradio_api/queue/join", json=call)
    if joined.status_code != httpx.codes.OK:
        return joined.text
    lines = []
    address = "/gradio_api/queue/data"
    with client.stream("GET", address, params={"session_hash": session}) as stream:
        for line in stream.iter_lines():
            lines.append(line)
            if _is_last(line):
                break
    return "\n".join(lines)


def _is_last(line: str) -> bool:
    if not line.startswith("data:"):
        return False
    message = json.loads(line.removeprefix("data:"))
    return message.get("msg") in ("process_completed", "close_stream", "unexpected_error")


def _call_function(client: httpx.Client, component: int, function: str, arguments: Any) -> str:
    call = {
        "component_id": component,
        "fn_name": function,
        "session_hash": uuid.uuid4().hex,
        "data": arguments and arguments[0],
    }
    return client.post("/gradio_api/component_server", json=call).text
