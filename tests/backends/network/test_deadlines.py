"""A service that is slow, or that sends us elsewhere, holds no thread and no socket, and gets
nothing that is not for it.
"""

import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from itertools import product
from typing import Any

import httpx2
import pytest

from hallascope.backends.base import Denied, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network.guarded_client import BadReply, call_limits, guard
from hallascope.backends.network.public_addresses import ForbiddenAddress, resolve
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Ask, Generate, Write
from tests.support.fake_service import SPEC

WATCH = 15.0  # seconds after which a wait is called one without end
TIMEOUT = 0.3  # seconds a call; a drip comes far more often
BODY = (
    b'{"choices": [{"index": 0, "message": {"content": "B"}, "finish_reason": "stop"}], "usage":'
    b' {"prompt_tokens": 1}}'
)
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(BODY),
    BODY,
)
JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n"
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
ASK = Ask(images=(), text="Which?", question="?", choices=("Red", "Blue"))


class Service:
    """A service on this machine; `says` answers a connection after its request was read.

    It counts what is open and what came.
    """

    def __init__(self, says: Callable[[socket.socket, int], None]) -> None:
        self._says = says
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._changed = threading.Condition()
        self.open = self.came = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def spec(self, host: str = "127.0.0.1", **settings: Any) -> ModelSpec:
        where = f"http://{host}:{self.port}/v1"
        return ModelSpec(
            id="slow/model",
            title="Slow",
            roles=SPEC.roles,
            backend="openai",
            kind="api",
            base_url=where,
            settings={"timeout": TIMEOUT, **settings},
        )

    def close(self) -> None:
        self._listener.close()

    def all_closed(self) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self.open, WATCH)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with self._changed:
            self.open += 1
            self.came += 1
            number = self.came
        try:
            connection.recv(1 << 20)
            self._says(connection, number)
        except OSError:
            pass  # the client has closed it
        finally:
            connection.close()
            with self._changed:
                self.open -= 1
                self._changed.notify_all()


def drips(first: bytes, drop: bytes) -> Callable[[socket.socket, int], None]:
    """Begins an answer, and goes on with drop after drop for ever."""

    def say(connection: socket.socket, _: int) -> None:
        connection.sendall(first)
        pause = threading.Event()
        while not pause.wait(0.01):
            connection.sendall(drop)

    return say


DRIPS = {
    "in the head": drips(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
    "in the body": drips(JSON, b" "),
    "between events": drips(EVENTS, b": still there\n\n"),
    "in events": drips(EVENTS, b'data: {"choices": [{"index": 0, "delta": {"content": "a"}}]}\n\n'),
}


@contextmanager
def asked(spec: ModelSpec) -> Iterator[OpenAICompatible]:
    model = OpenAICompatible(spec, ApiKeys({}))
    with closing(model._connection.http):
        yield model


@pytest.mark.parametrize("where", DRIPS)
def test_a_drip_without_end_is_a_time_out_and_its_connections_and_threads_are_gone(
    where: str,
) -> None:
    threads = threading.active_count()
    with closing(Service(DRIPS[where])) as service, asked(service.spec()) as model:

        def call(number: int) -> str:
            send: Callable[[], object] = partial(model.write, [Write("Say.")])
            if number % 2:
                send = partial(model.ask, [ASK])
            with pytest.raises(Transient) as caught:
                send()
            return caught.value.kind

        with ThreadPoolExecutor(4) as pool:
            kinds = [pool.submit(call, number) for number in range(4)]
            assert [kind.result(WATCH) for kind in kinds] == ["timeout"] * 4
        assert service.came
        assert service.all_closed()
    assert threading.active_count() <= threads + 1, (
        "the one that accepts connections may not have ended yet"
    )


def test_a_redirect_to_another_host_gets_nothing_and_is_said_in_a_sentence() -> None:
    def elsewhere(connection: socket.socket, _: int) -> None:
        location = f"http://localhost:{other.port}/v1/chat/completions"
        connection.sendall(
            f"HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
        )

    statuses = ("301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent")
    for status, draws in product(statuses, (False, True)):
        with (
            closing(Service(lambda connection, _: connection.sendall(ANSWER))) as other,
            closing(Service(elsewhere)) as service,
        ):
            with (
                asked(service.spec(timeout=20)) as model,
                pytest.raises(Transient, match="on to another address") as caught,
            ):
                model.generate([Generate("a cat", 0)]) if draws else model.ask([ASK])
            assert (other.came, service.came) == (0, 1), status
            assert str(other.port) not in str(caught.value)


def test_a_public_app_asks_no_service_of_its_own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Service(lambda connection, _: connection.sendall(ANSWER))) as service:
        monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
        assert "which is not in the public net" in str(OpenAICompatible.check(service.spec()))
        with (
            asked(service.spec(timeout=20)) as model,
            pytest.raises(Denied, match="which is not in the public net"),
        ):
            model.ask([ASK])
        inside = OpenAICompatible(
            service.spec("inside.example", timeout=20), ApiKeys({}), None, lambda host: ["10.0.0.7"]
        )
        with closing(inside._connection.http), pytest.raises(Denied, match="not in the public net"):
            inside.ask([ASK])
        assert service.came == 0


# --- the client of another package, which is shared ---


def test_bytes_are_counted_as_they_are_unpacked() -> None:
    packed = zlib.compress(b"x" * 2**22)
    headers = {"content-encoding": "deflate"}

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=headers, stream=httpx2.ByteStream(packed))

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as client:
        guard(client, resolve)
        with call_limits(20, 2**23):
            assert client.get("https://one.example/").content == b"x" * 2**22
        with pytest.raises(BadReply, match="longer than 2 MB"), call_limits(20, 2**21):
            client.get("https://one.example/")


def test_a_public_host_is_asked_at_the_address_that_was_checked_and_in_its_own_name() -> None:
    asked_: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked_.append(request)
        return httpx2.Response(200)

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as client:
        guard(client, lambda host: ["93.184.215.14"])
        with call_limits(20, 2**20, is_public=True):
            client.get("https://one.example/x")
    (request,) = asked_
    assert (request.url.host, request.headers["host"]) == ("93.184.215.14", "one.example")
    assert request.extensions["sni_hostname"] == "one.example"


def test_only_what_goes_through_a_proxy_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "direct.example")

    def ask(host: str) -> None:
        answer = httpx2.MockTransport(lambda request: httpx2.Response(200))
        client = guard(httpx2.Client(transport=answer), lambda host: ["10.0.0.7"])
        with client, call_limits(20, 2**20, is_public=True):
            client.get(f"http://{host}/")

    with pytest.raises(ForbiddenAddress):
        ask("inside.example")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    ask("inside.example")
    with pytest.raises(ForbiddenAddress):
        ask("direct.example")


def test_the_client_of_another_package_follows_no_redirect_to_another_host_within_a_call() -> None:
    asked_: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked_.append(request.url.host)
        location = {"/": "https://other.example/x", "/here": "/there"}.get(request.url.path)
        return (
            httpx2.Response(307, headers={"location": location})
            if location
            else httpx2.Response(200)
        )

    with httpx2.Client(transport=httpx2.MockTransport(answer), follow_redirects=True) as client:
        for _ in range(2):
            guard(client, resolve)
        with pytest.raises(ForbiddenAddress, match="another address"), call_limits(TIMEOUT, 9):
            client.post("https://one.example/", content=b"a prompt")
        with call_limits(20, 9):
            client.post("https://one.example/here")
        assert asked_ == ["one.example"] * 3
        client.post("https://one.example/")
        assert asked_[-1] == "other.example", "downloads of the package are not ours to stop"
