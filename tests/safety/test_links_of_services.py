"""A picture that a service only names is fetched from the public net, or from that service, and
from nowhere else.
"""

from collections.abc import Sequence
from dataclasses import replace

import httpx2
import pytest

from hallascope.backends.keys import ApiKeys
from hallascope.backends.network.guarded_client import BadReply
from hallascope.backends.openai.connection import MAX_FETCHED_BYTES, ServiceConnection
from tests.support.fake_service import KEY, NAME, SPEC

HOSTS = {
    "files.example": ["93.184.215.14"],
    "inside.example": ["10.0.0.7"],
    "both.example": ["93.184.215.14", "127.0.0.1"],
}
PNG = b"\x89PNG of some sort"


def fetching(
    *answers: httpx2.Response, own: str = "https://api.example/v1"
) -> tuple[ServiceConnection, list[httpx2.Request]]:
    """A connection that gets these answers, one after the other, and what it was made to ask.

    Its client would follow redirects by itself.
    """
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        found = answers[min(len(asked), len(answers)) - 1]
        body = httpx2.ByteStream(found.content)
        return httpx2.Response(found.status_code, headers=found.headers, stream=body)

    client = httpx2.Client(transport=httpx2.MockTransport(answer), follow_redirects=True)
    spec = replace(SPEC, base_url=own)
    return ServiceConnection(spec, ApiKeys({NAME: KEY}), client, look_up), asked


def look_up(host: str) -> Sequence[str]:
    return HOSTS.get(host) or [host.strip("[]")]


def to(location: str) -> httpx2.Response:
    return httpx2.Response(302, headers={"location": location})


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/x",
        "http://[::ffff:10.0.0.1]/x",
        "http://inside.example/x",
        "http://both.example/x",
        "http://files.example:8080/x",
        "https://me:secret@files.example/x",
    ],
)
def test_what_lies_within_is_not_asked_for_whether_named_or_led_to(url: str) -> None:
    for first, answers in ((url, []), ("https://files.example/1", [to(url)])):
        connection, asked = fetching(*answers, httpx2.Response(200, content=PNG))
        with pytest.raises(BadReply) as raised:
            connection.fetch_image(first)
        assert len(asked) == len(answers)
        assert "secret" not in str(raised.value)


def test_what_is_asked_for_goes_to_the_address_that_was_checked_without_the_key() -> None:
    connection, asked = fetching(httpx2.Response(200, content=PNG))
    assert connection.fetch_image("https://files.example/1") == PNG
    (request,) = asked
    assert (request.url.host, request.url.path) == ("93.184.215.14", "/1")
    assert request.headers["host"] == request.extensions["sni_hostname"] == "files.example"
    assert KEY not in str(request.headers)


def test_a_service_of_ones_own_machine_may_name_pictures_of_itself_alone() -> None:
    own = "http://localhost:8080/v1"
    connection, asked = fetching(httpx2.Response(200, content=PNG), own=own)
    assert connection.fetch_image("http://localhost:8080/made/1.png") == PNG
    assert str(asked[0].url) == "http://localhost:8080/made/1.png"
    with pytest.raises(BadReply, match="not in the public net"):
        connection.fetch_image("http://127.0.0.1/other")


def test_redirects_are_not_followed_and_bodies_without_end_are_given_up() -> None:
    connection, asked = fetching(to("https://files.example/again"))
    with pytest.raises(BadReply, match="on to another address"):
        connection.fetch_image("https://files.example/1")
    assert [request.url.path for request in asked] == ["/1"]
    connection, _ = fetching(httpx2.Response(200, content=b"x" * (MAX_FETCHED_BYTES + 1)))
    with pytest.raises(BadReply, match="longer than 20 MB"):
        connection.fetch_image("https://files.example/1")


@pytest.mark.parametrize("location", ["http://[", "javascript:alert(1)", "file:///etc/passwd"])
def test_a_redirect_to_what_is_no_address_is_a_bad_picture(location: str) -> None:
    connection, asked = fetching(to(location), httpx2.Response(200, content=PNG))
    with pytest.raises(BadReply):
        connection.fetch_image("https://files.example/1")
    assert len(asked) == 1
