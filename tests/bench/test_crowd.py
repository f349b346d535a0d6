"""What `make crowd` reads and computes is right; its visitors do what people do."""

import itertools
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar
from urllib.request import urlopen

import psutil
import pytest

from bench.crowd import checks
from bench.crowd.checks import CrowdSetup
from bench.crowd.http import Browser, RefusedRequest, events
from bench.crowd.measures import growth, percentile, spread, told_wait
from bench.crowd.page import PageLayout
from bench.crowd.server import CrowdedApp
from hallascope.pages.server.event_queue import full_sentence
from tests.conftest import dashboard


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, 1.0), (0.5, 5.0), (0.95, 10.0), (0.9, 9.0), (1.0, 10.0)]
)
def test_a_percentile_is_a_value_that_so_many_do_not_exceed(share: float, expected: float) -> None:
    assert percentile([float(n) for n in range(10, 0, -1)], share) == expected


def test_without_values_there_is_no_percentile() -> None:
    assert spread([]) == "none"
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


def test_growth_is_from_the_first_to_the_last() -> None:
    assert growth([200, 500, 210]) == pytest.approx(0.05)


def test_the_wait_is_read_from_the_sentence_that_the_app_says() -> None:
    assert told_wait(full_sentence(12.3)) == 13
    assert told_wait(full_sentence(None)) is None
    assert told_wait("Queue is full. Max size is 64 and size is 64.") is None


class Cached(BaseHTTPRequestHandler):
    """Serves a file that may be kept, a page that has to be checked, a stream, and refusals."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers["If-None-Match"]))
        kept = {"/file": "max-age=60", "/page": "no-cache", "/never": "max-age=0"}.get(self.path)
        if self.headers["If-None-Match"] == '"1"':
            self._answer(304, b"", {})
        elif kept is None:
            self._answer(200, b'data: {"msg": "a"}\n\n: words\n\ndata: {"msg": "b"}\n\n', {})
        else:
            self._answer(200, b"body", {"Cache-Control": kept, "ETag": '"1"'})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(429, json.dumps({"detail": full_sentence(7)}).encode(), {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def browser() -> Iterator[Browser]:
    Cached.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Cached) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        visitor = Browser(f"http://127.0.0.1:{server.server_port}", 1)
        yield visitor
        visitor.close()
        server.shutdown()


def test_a_browser_keeps_what_it_may_and_asks_again_with_the_tag(browser: Browser) -> None:
    bodies = [browser.get(path) for path in ("/file", "/page", "/never") * 2]
    assert bodies == [b"body"] * 3 + [b""] * 3
    again = [("/page", '"1"'), ("/never", '"1"')]
    assert Cached.asked == [("/file", None), ("/page", None), ("/never", None), *again]


def test_a_refusal_carries_its_status_and_sentence(browser: Browser) -> None:
    with pytest.raises(RefusedRequest, match="about 7 s") as refused:
        browser.post("/join", {})
    assert refused.value.status == 429


def test_a_stream_is_read_event_by_event(browser: Browser) -> None:
    connection = browser.connect()
    connection.request("GET", "/stream")
    assert [event["msg"] for event in events(connection.getresponse())] == ["a", "b"]
    connection.close()


def test_visitors_evaluate_and_open_the_evidence_without_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "REST", 0.0)
    with dashboard(tmp_path, 0.0) as address:
        with urlopen(f"{address}config?page=") as reply:
            layout = PageLayout(json.load(reply))
        app = CrowdedApp(address.rstrip("/"), psutil.Process(), layout, ("/theme.css",))
        rows = {
            row.what: row
            for row in checks.check_crowd(
                CrowdSetup(app, visitors=2, runs=0, places=9, numbers=itertools.count())
            )
        }
    assert rows["errors other than a full queue"].measured == "0"
    assert "4 evaluations of four images, with their wait in the queue" in rows
    assert rows["evidence of an image, with the image"].measured.startswith("p50")
