"""A public app tells visitors by its name which service failed, and nowhere where it lives."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from hallascope.backends.network import service_addresses
from hallascope.backends.openai import connection, errors
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.backends.openai.errors import parse_error
from hallascope.data.models.specs import ModelSpec
from tests.conftest import dashboard
from tests.support import space_checks
from tests.support.space_checks import PATIENCE, PROMPT

INNER = "proxy.internal.example"


class Failing(BaseHTTPRequestHandler):
    """A service that fails and says where it lives."""

    def do_POST(self) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        port = self.server.server_port
        where = f"http://127.0.0.1:{port}/v1"
        body = json.dumps(
            {"error": {"message": f"{where} and 127.0.0.1:{port} are broken"}}
        ).encode()
        self.send_response(400)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def service() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module")
def dead() -> Iterator[int]:
    """A port on which nobody listens: a socket that only holds it."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture(scope="module")
def address(service: int, dead: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("home")
    entries = [_entry("acme/judge", service), _entry("gone/judge", dead)]
    (folder / "more.yaml").write_text("\n".join(entries))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HALLASCOPE_PUBLIC", "1")
        patch.setenv("HALLASCOPE_MODELS", str(folder / "more.yaml"))
        patch.setenv("OPENAI_BASE_URL", f"https://{INNER}/v1")
        with dashboard(folder / "home", 0.0) as found:
            yield found.rstrip("/")


def _entry(name: str, port: int) -> str:
    fields = {
        "title": name,
        "roles": ["judge"],
        "backend": "openai",
        "kind": "local",
        "base_url": f"http://127.0.0.1:{port}/v1",
    }
    return f"{json.dumps(name)}: {json.dumps(fields)}"


def test_nothing_that_visitors_get_tells_where_a_service_lives(
    address: str, service: int, dead: int
) -> None:
    client = space_checks.connected(address)
    told: list[Any] = [client.predict(api_name=name) for name in ("/models", "/leaderboard")]
    # A public app does not ask what lies in a private net.
    for judge in ("acme/judge", "gone/judge"):
        try:
            told.append(client.predict(PROMPT, ["primer/exact"], judge=judge, api_name="/evaluate"))
        except (
            Exception
        ) as error:  # whatever the client raises: what it says is what a person reads
            told.append(str(error))
    client.close()
    reasons = {model["id"]: model["reason"] for model in told[0]["models"]}
    assert reasons["gone/judge"]
    pages = [
        httpx.get(f"{address}/{path}", timeout=PATIENCE).text
        for path in ("", "config", "gradio_api/info", "gradio_api/openapi.json")
    ]
    for said in [*map(str, told), *pages]:
        for where in (f":{service}", f":{dead}", INNER):
            assert where not in said, said[max(0, said.find(where) - 200) :][:400]


SPEC = ModelSpec(
    id="acme/judge",
    title="Judge",
    roles=("judge",),
    backend="openai",
    kind="api",
    base_url=f"https://{INNER}:8443/v1",
)


def test_on_a_public_app_a_service_goes_by_its_name_and_its_own_words_lose_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    who = OpenAICompatible(SPEC)._identity
    said = parse_error(
        500, {"error": {"message": f"upstream HTTPS://{INNER}:8443/v1 at {INNER.upper()} is down"}}
    )
    found = str(errors.call_fault(who.scrub_error(said), who))
    assert found.startswith(
        "acme has a fault (HTTP 500) (it says: “upstream acme at acme is down”)"
    )
    assert str(connection.transport_fault(OSError(), who)).startswith("acme could not be reached")


def test_on_ones_own_machine_the_address_is_told(
    monkeypatch: pytest.MonkeyPatch, dead: int
) -> None:
    monkeypatch.delenv("HALLASCOPE_PUBLIC", raising=False)
    assert str(connection.transport_fault(OSError(), OpenAICompatible(SPEC)._identity)).startswith(
        f"{INNER}:8443 could not be reached"
    )
    local = ModelSpec(
        id="gone/judge",
        title="Judge",
        roles=("judge",),
        backend="openai",
        kind="local",
        base_url=f"http://127.0.0.1:{dead}/v1",
    )
    assert "nothing answers at http://127.0.0.1:" in str(service_addresses.trouble(local))


def test_a_service_without_a_name_before_its_model_goes_by_the_title(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    assert (
        service_addresses.service_name(
            ModelSpec(
                id="judge",
                title="My judge",
                roles=("judge",),
                backend="openai",
                base_url="https://x.example",
            )
        )
        == "My judge"
    )
