"""The cache sends what the app would, once made for all, and nothing that is for one visitor."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.responses import StreamingResponse

from hallascope.pages.server import response_cache
from hallascope.pages.server.response_cache import ResponseCache
from tests.support.coroutines import run_apart

PAGE = b"<html>" + b"a page of many words. " * 100 + b"</html>"


@dataclass
class CountedApp:
    """An app that answers each path with a page, and notes for what it was asked."""

    status: int = 200
    kind: bytes = b"text/html"
    asked: list[dict[str, Any]] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(dict(scope))
        await asyncio.sleep(0)  # others come meanwhile
        headers = [(b"content-type", self.kind), (b"content-length", str(len(PAGE)).encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE[:100], "more_body": True})
        await send({"type": "http.response.body", "body": PAGE[100:]})


@dataclass(frozen=True)
class Answer:
    """What came back of one request."""

    status: int
    headers: Headers
    body: bytes


async def ask(app: Any, path: str, query: str = "", method: str = "GET", **headers: str) -> Answer:
    scope = {
        "type": "http",
        "method": method,
        "scheme": "http",
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), v.encode()) for name, v in headers.items()],
    }
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    await app(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], Headers(raw=sent[0]["headers"]), body)


def test_a_crowd_that_comes_at_once_has_the_page_made_once() -> None:
    app = CountedApp()
    cache = ResponseCache(app)

    async def crowd() -> list[Answer]:
        return await asyncio.gather(*(ask(cache, "/") for _ in range(20)))

    answers = run_apart(crowd())
    assert len(app.asked) == 1
    assert {answer.body for answer in answers} == {PAGE}
    assert {answer.headers["content-length"] for answer in answers} == {str(len(PAGE))}


def test_it_is_compressed_for_who_takes_that_and_the_same_for_others() -> None:
    cache = ResponseCache(CountedApp())
    small = run_apart(ask(cache, "/assets/a.js", accept_encoding="gzip, br"))
    plain = run_apart(ask(cache, "/assets/a.js"))
    assert small.headers["content-encoding"] == "gzip"
    assert len(small.body) < len(PAGE) / 5
    assert gzip.decompress(small.body) == plain.body == PAGE
    assert "content-encoding" not in plain.headers


def test_who_has_it_is_told_so_without_it() -> None:
    cache = ResponseCache(CountedApp())
    tag = run_apart(ask(cache, "/")).headers["etag"]
    again = run_apart(ask(cache, "/", if_none_match=tag))
    other = run_apart(ask(cache, "/", if_none_match='"another"'))
    assert (again.status, again.body) == (304, b"")
    assert (other.status, other.body) == (200, PAGE)


@pytest.mark.parametrize(
    "path, query, method",
    [
        ("/", "share=abc", "GET"),
        ("/label", "plan=12", "GET"),
        ("/", "", "HEAD"),
        ("/config", "", "GET"),
        ("/gradio_api/file=/a.png", "", "GET"),
        ("/gradio_api/queue/join", "", "POST"),
        ("/class/abc", "", "GET"),
    ],
)
def test_what_is_for_one_visitor_is_asked_for_each_time(path: str, query: str, method: str) -> None:
    app = CountedApp()
    cache = ResponseCache(app)
    for _ in range(2):
        run_apart(ask(cache, path, query, method, cookie="session=secret"))
    assert len(app.asked) == 2
    assert (b"cookie", b"session=secret") in app.asked[0]["headers"]


def test_what_is_kept_was_made_without_a_cookie_and_without_a_query() -> None:
    app = CountedApp()
    run_apart(ask(ResponseCache(app), "/", "run=abc", cookie="session=secret"))
    assert app.asked[0]["headers"] == []
    assert app.asked[0]["query_string"] == b""


def test_a_visitor_at_another_address_gets_another_page_but_the_same_script() -> None:
    app = CountedApp()
    cache = ResponseCache(app)
    for host in ("a.example.org", "b.example.org"):
        for path in ("/", "/assets/a.js"):
            run_apart(ask(cache, path, host=host, x_forwarded_proto="https"))
    assert [scope["path"] for scope in app.asked] == ["/", "/assets/a.js", "/"]


def test_a_failure_is_not_kept() -> None:
    app = CountedApp(status=404)
    cache = ResponseCache(app)
    answers = [run_apart(ask(cache, "/assets/none.js")) for _ in range(2)]
    assert [answer.status for answer in answers] == [404, 404]
    assert len(app.asked) == 2
    assert "cache-control" not in answers[0].headers


def test_who_asks_for_a_slow_page_keeps_nobody_else_waiting() -> None:
    app = CountedApp()
    is_free = asyncio.Event()

    async def slow_at_one_host(scope: Any, receive: Any, send: Any) -> None:
        if (b"host", b"slow.example.org") in scope["headers"]:
            await is_free.wait()
        await app(scope, receive, send)

    cache = ResponseCache(slow_at_one_host)

    async def visit() -> list[Answer]:
        slow = [asyncio.create_task(ask(cache, "/", host="slow.example.org")) for _ in range(2)]
        async with asyncio.timeout(5):
            quick = await ask(cache, "/", host="a.example.org")
        is_free.set()
        return [quick, *await asyncio.gather(*slow)]

    assert {answer.status for answer in run_apart(visit())} == {200}
    assert len(app.asked) == 2
    assert not cache._locks


def test_it_holds_no_more_than_it_may_and_forgets_what_was_asked_for_longest_ago() -> None:
    app = CountedApp()
    cache = ResponseCache(app, max_bytes=2 * len(PAGE))
    for path in ("/assets/a", "/assets/b", "/assets/a", "/assets/c", "/assets/a", "/assets/b"):
        run_apart(ask(cache, path))
    asked = [scope["path"][-1] for scope in app.asked]
    assert asked == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    "path, query, lifetime",
    [
        ("/assets/index-a1.js", "", "public, max-age=31536000, immutable"),
        ("/theme.css", "v=12", "public, max-age=31536000, immutable"),
        ("/theme.css", "", "no-cache"),
        ("/static/img/a.svg", "", "public, max-age=86400"),
        ("/", "", "no-cache"),
    ],
)
def test_a_browser_is_told_how_long_it_may_keep_it(path: str, query: str, lifetime: str) -> None:
    answer = run_apart(ask(ResponseCache(CountedApp()), path, query))
    assert answer.headers["cache-control"] == lifetime


def test_it_keeps_so_many_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_cache, "MAX_RESPONSES", 10)
    cache = ResponseCache(CountedApp())
    for number in range(30):
        run_apart(ask(cache, "/", host=f"10.0.0.{number}"))
    assert len(cache._kept) == 10


def test_an_app_that_listens_whether_the_visitor_is_gone_is_not_kept_busy() -> None:
    async def streaming(scope: Any, receive: Any, send: Any) -> None:
        async def pages() -> AsyncIterator[bytes]:
            for _ in range(3):
                await asyncio.sleep(0)
                yield PAGE

        await StreamingResponse(pages(), media_type="text/html")(scope, receive, send)

    assert run_apart(ask(ResponseCache(streaming), "/assets/a.js")).body == 3 * PAGE
