"""Pictures from the web: only from the public net, within limits, each once, and every fault a
failure with a sentence.
"""

import hashlib
import ipaddress
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from hallascope.data.records import Picture
from hallascope.data.requests import Failure
from hallascope.engine.images import downloads
from hallascope.engine.images.downloads import Downloads
from tests.support.images import png

URL = "https://pictures.example/a.png"


PUBLIC, OTHER = "93.184.216.34", "151.101.1.69"


NAMES = {
    "pictures.example": [PUBLIC],
    "other.example": [OTHER],
    "six.example": ["2606:2800:220:1:248:1893:25c8:1946"],
    "home.example": ["127.0.0.1"],
    "mixed.example": [PUBLIC, "10.0.0.8"],
    "nowhere.example": [],
    "xn--bcher-kva.example": [PUBLIC],
}


Handler = Callable[[httpx.Request], httpx.Response]


class Web:
    """A web that answers by a function, with a clock that only moves when somebody waits."""

    def __init__(self, folder: Path, handler: Handler) -> None:
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []
        self.looked_up: list[str] = []
        self.now = 100.0
        self._handler = handler
        # The client would follow redirects, but the downloads follow them on their own.
        client = httpx.Client(transport=httpx.MockTransport(self._answer), follow_redirects=True)
        self.downloads = Downloads(folder, client, self._look_up, lambda: self.now, self._sleep)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._handler(request)

    def _look_up(self, host: str) -> list[str]:
        self.looked_up.append(host)
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            pass
        if host not in NAMES:
            raise OSError("not known")
        return NAMES[host]

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def good(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, content=png("a", 16), headers={"content-type": "image/png"})


@pytest.fixture
def web(tmp_path: Path) -> Callable[[Handler], Web]:
    return lambda handler: Web(tmp_path / "kept", handler)


Make = Callable[[Handler], Web]


def failed(made: Web, url: str = URL) -> Failure:
    found = made.downloads.picture(url)
    assert isinstance(found, Failure)
    assert found.message.endswith(".")
    assert url in found.message or repr(url)[1:-1] in found.message
    assert not made.downloads.path(url).exists()
    return found


def test_a_picture_is_fetched_once_from_the_address_that_was_checked_and_kept_as_a_plain_png(
    web: Make,
) -> None:
    made = web(good)
    first, again = made.downloads.picture(URL), made.downloads.picture(URL)
    assert isinstance(first, Picture)
    assert first == again
    assert hashlib.sha256(first.path.read_bytes()).hexdigest() == first.sha256
    assert first.path.read_bytes().startswith(b"\x89PNG")
    (request,) = made.requests
    assert request.url.host == PUBLIC
    assert request.headers["host"] == "pictures.example"
    assert request.extensions["sni_hostname"] == "pictures.example"
    assert "HallaScope" in request.headers["user-agent"]
    assert request.headers["accept-encoding"] == "identity"
    assert made.looked_up == ["pictures.example"]


def test_a_redirect_is_followed_and_two_calls_of_one_host_are_apart(web: Make) -> None:
    def moved(request: httpx.Request) -> httpx.Response:
        if request.headers["host"] == "pictures.example" and request.url.path == "/a.png":
            return httpx.Response(302, headers={"location": "/b.png"})
        if request.url.path == "/b.png":
            return httpx.Response(301, headers={"location": "https://other.example/c.png"})
        return good(request)

    made = web(moved)
    assert isinstance(made.downloads.picture(URL), Picture)
    assert [request.url.host for request in made.requests] == [PUBLIC, PUBLIC, OTHER]
    assert made.waits == [downloads.PAUSE]


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://home.example/a",
            "http://mixed.example/a",
            "http://127.0.0.1/a",
            "http://[::1]/a",
            "http://169.254.169.254/latest/meta-data",
        ),
        *(
            "ftp://pictures.example/a",
            "file:///etc/passwd",
            "/etc/passwd",
            "data:image/png;base64,AAAA",
            "//pictures.example/a",
            "",
        ),
        *(
            "https://me:secret@pictures.example/a",
            "https://pictures.example:8080/a",
            "http://pictures.example:443/a",
            "https:///a",
            "http://[::1/a",
        ),
    ],
)
def test_what_is_not_plainly_public_is_not_called(web: Make, url: str) -> None:
    made = web(good)
    assert failed(made, url).kind == "refused"
    assert made.requests == []


@pytest.mark.parametrize(
    "location",
    [
        "http://home.example/a",
        "http://127.0.0.1/",
        "file:///etc/passwd",
        "//10.0.0.1/x",
        "https://mixed.example/",
        "http://[bad",
        "javascript:alert(1)",
        "\x00",
    ],
)
def test_a_redirect_to_the_inside_is_not_followed(web: Make, location: str) -> None:
    made = web(lambda _: httpx.Response(302, headers={"location": location}))
    failed(made)
    assert {request.url.host for request in made.requests} == {PUBLIC}


def test_a_host_that_changes_its_address_between_look_ups_is_called_where_it_was_checked(
    tmp_path: Path,
) -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    called: list[str] = []

    def note(request: httpx.Request) -> httpx.Response:
        called.append(request.url.host)
        return good(request)

    client = httpx.Client(transport=httpx.MockTransport(note))
    made = Downloads(tmp_path, client, lambda _: next(answers))
    assert isinstance(made.picture(URL), Picture)
    assert called == [PUBLIC]
    assert isinstance(made.picture(f"{URL}?again"), Failure)
    assert called == [PUBLIC]


@pytest.mark.parametrize(
    "status, kind",
    [
        (404, "unavailable"),
        (410, "unavailable"),
        (403, "refused"),
        (401, "refused"),
        (304, "refused"),
    ],
)
def test_a_picture_that_is_not_given_is_asked_for_once(web: Make, status: int, kind: str) -> None:
    made = web(lambda _: httpx.Response(status))
    assert failed(made).kind == kind
    assert len(made.requests) == 1


class Endless(httpx.SyncByteStream):
    """More than anybody wants, counted."""

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(40):
            yield bytes(2**20)
        raise AssertionError("it was read to its end")


PNG = {"content-type": "image/png"}


@pytest.mark.parametrize(
    "headers, content, said",
    [
        ({"content-type": "text/html"}, b"<html>", "gives 'text/html' and no image"),
        ({"content-type": "image/svg+xml"}, b"<svg/>", "not an image that can be read"),
        (PNG, png("a", 64)[:60], "damaged"),
        (PNG, b"", "not an image that can be read"),
        (PNG, Endless(), "more than 20 MB"),
        (PNG | {"content-length": "9" * 30}, Endless(), "more than 20 MB"),
        (PNG | {"content-encoding": "gzip"}, Endless(), "comes packed"),
    ],
)
def test_what_is_no_picture_within_limits_is_refused(
    web: Make, headers: dict[str, str], content: bytes | Endless, said: str
) -> None:
    assert (
        said in failed(web(lambda _: httpx.Response(200, headers=headers, content=content))).message
    )


def test_what_passes_is_asked_again_with_the_wait_that_the_host_names(web: Make) -> None:
    waits = httpx.Response(429, headers={"retry-after": "7"}), httpx.Response(503)
    answers = iter([*waits, good(httpx.Request("GET", URL))])
    made = web(lambda _: next(answers))
    assert isinstance(made.downloads.picture(URL), Picture)
    assert made.waits == [7.0, 2.0]


@pytest.mark.parametrize(
    "fault, kind",
    [
        (httpx.ConnectTimeout("slow"), "timeout"),
        (httpx.ReadTimeout("slow"), "timeout"),
        (httpx.ConnectError("down"), "unavailable"),
        (httpx.RemoteProtocolError("broken"), "unavailable"),
    ],
)
def test_a_fault_of_the_net_is_tried_a_few_times_and_then_told(
    web: Make, fault: Exception, kind: str
) -> None:
    def down(_: httpx.Request) -> httpx.Response:
        raise fault

    made = web(down)
    assert failed(made).kind == kind
    assert len(made.requests) == downloads.ATTEMPTS


def test_a_host_that_asks_for_too_long_a_wait_is_left_alone(web: Make) -> None:
    made = web(lambda _: httpx.Response(429, headers={"retry-after": "86400"}))
    assert failed(made).kind == "rate_limited"
    assert (len(made.requests), made.waits) == (1, [])


def test_a_body_that_drips_is_given_up(web: Make) -> None:
    class Dripping(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            while True:
                made.now += 10
                yield b"x"

    made = web(
        lambda _: httpx.Response(200, stream=Dripping(), headers={"content-type": "image/png"})
    )
    assert failed(made).kind == "timeout"


def test_redirects_without_end_are_given_up(web: Make) -> None:
    made = web(lambda _: httpx.Response(302, headers={"location": URL}))
    assert "without end" in failed(made).message
    assert len(made.requests) == downloads.REDIRECTS + 1
