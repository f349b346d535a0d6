"""A picture that a service only names is fetched from the public net, or from that service, and
from nowhere else.
"""

from collections.abc import Sequence

import httpx
import pytest

from hallascope.backends.openai.images import MAX_BYTES, REDIRECTS, BadPicture, fetch_picture

HOSTS = {
    "files.example": ["93.184.215.14"],
    "inside.example": ["10.0.0.7"],
    "both.example": ["93.184.215.14", "127.0.0.1"],
}
PNG = b"\x89PNG of some sort"


def client(*answers: httpx.Response) -> tuple[httpx.Client, list[httpx.Request]]:
    """A client that gets these answers, one after the other, and what it was made to ask.

    It would follow redirects by itself.
    """
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answers[min(len(asked), len(answers)) - 1]

    return httpx.Client(transport=httpx.MockTransport(answer), follow_redirects=True), asked


def look_up(host: str) -> Sequence[str]:
    return HOSTS.get(host) or [host.strip("[]")]


def to(location: str) -> httpx.Response:
    return httpx.Response(302, headers={"location": location})


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
        made, asked = client(*answers, httpx.Response(200, content=PNG))
        with pytest.raises(BadPicture, match="at an address that") as raised:
            fetch_picture(first, made, "api.example", look_up)
        assert len(asked) == len(answers)
        assert "secret" not in str(raised.value)


def test_what_is_asked_for_goes_to_the_address_that_was_checked() -> None:
    made, asked = client(to("/2"), httpx.Response(200, content=PNG))
    assert fetch_picture("https://files.example/1", made, "", look_up) == PNG
    assert [(request.url.host, request.url.path, request.headers["host"]) for request in asked] == [
        ("93.184.215.14", "/1", "files.example"),
        ("93.184.215.14", "/2", "files.example"),
    ]
    assert asked[0].extensions["sni_hostname"] == "files.example"


def test_a_service_of_ones_own_machine_may_name_pictures_of_itself_alone() -> None:
    made, asked = client(httpx.Response(200, content=PNG))
    assert fetch_picture("http://localhost:8080/made/1.png", made, "localhost", look_up) == PNG
    assert str(asked[0].url) == "http://localhost:8080/made/1.png"
    with pytest.raises(BadPicture, match="not in the public net"):
        fetch_picture("http://127.0.0.1/other", made, "localhost", look_up)


def test_redirects_without_end_and_bodies_without_end_are_given_up() -> None:
    made, asked = client(to("https://files.example/again"))
    with pytest.raises(BadPicture, match="without end"):
        fetch_picture("https://files.example/1", made, "", look_up)
    assert len(asked) == REDIRECTS + 1
    made, _ = client(httpx.Response(200, content=b"x" * (MAX_BYTES + 1)))
    with pytest.raises(BadPicture, match="more than 20 MB"):
        fetch_picture("https://files.example/1", made, "", look_up)


@pytest.mark.parametrize("location", ["http://[", "javascript:alert(1)", "file:///etc/passwd"])
def test_a_redirect_to_what_is_no_address_is_a_bad_picture(location: str) -> None:
    made, asked = client(to(location), httpx.Response(200, content=PNG))
    with pytest.raises(BadPicture):
        fetch_picture("https://files.example/1", made, "", look_up)
    assert len(asked) == 1
