"""A call to a service ends in its result or in a fault that is returned, and a picture that is paid
for is fetched again.
"""

import base64
from dataclasses import replace
from typing import Any

import httpx
import pytest

from hallascope.backends.base import Denied, Transient
from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai import images
from hallascope.backends.openai.connection import FETCH_ATTEMPTS, ServiceConnection
from hallascope.backends.openai.error_replies import ServiceErrorReply
from hallascope.backends.openai.responses import ChatCompletion, PictureReply
from hallascope.data.requests import Usage
from tests.support.fake_service import (
    KEY,
    NAME,
    PUBLIC,
    SPEC,
    Reply,
    Service,
    chat,
    error,
    piece,
    stream,
)
from tests.support.service_requests import picture_reply, png_with_texts

PARAMETERS = {"model": "pretend-1", "messages": [{"role": "user", "content": "Tell."}]}
PICTURE_URL = "https://pictures.example/cat.png"


def connect(service: Service, **changes: Any) -> ServiceConnection:
    client = httpx.Client(transport=httpx.MockTransport(service))
    keys = ApiKeys({NAME: KEY})
    return ServiceConnection(replace(SPEC, **changes), keys, client, lambda host: [PUBLIC])


def test_a_chat_is_sent_as_it_is_with_the_key_of_its_entry() -> None:
    service = Service(chat("B"))
    completion = connect(service).complete_chat({**PARAMETERS, "top_k": 3})
    assert isinstance(completion, ChatCompletion)
    assert (completion.text, completion.usage) == ("B", Usage(7, 2))
    assert service.sent == [{**PARAMETERS, "top_k": 3}]
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_every_piece_of_a_stream_is_a_step() -> None:
    steps: list[tuple[int, int]] = []
    service = Service(stream(piece("Red"), piece(" car", "stop")))
    completion = connect(service).complete_chat(
        PARAMETERS, lambda step, total: steps.append((step, total))
    )
    assert isinstance(completion, ChatCompletion)
    assert completion.text == "Red car"
    assert steps == [(0, 0), (1, 0), (2, 0)]


def test_a_picture_comes_with_what_it_took() -> None:
    reply = connect(Service(picture_reply(url=PICTURE_URL))).generate_picture(
        {"model": "dall-e-3", "prompt": "a cat"}
    )
    assert reply == PictureReply({"url": PICTURE_URL}, Usage(12, 1056))


@pytest.mark.parametrize(
    ("reply", "message", "may_be_charged"),
    [
        (httpx.ConnectTimeout("late"), "did not answer in time", False),
        (httpx.ReadTimeout("late"), "did not answer in time", True),
        (httpx.ConnectError("refused"), "could not be reached", False),
        (httpx.ReadError("reset"), "could not be reached", True),
        (httpx.Response(200, text="<html>"), "is not whole, or no JSON", True),
    ],
)
def test_a_fault_is_returned_and_says_whether_it_may_be_charged(
    reply: Reply, message: str, may_be_charged: bool
) -> None:
    fault = connect(Service(reply)).complete_chat(PARAMETERS)
    assert isinstance(fault, Transient)
    assert message in str(fault)
    assert fault.may_be_charged is may_be_charged
    assert fault.__cause__ is None


def test_an_error_of_the_service_is_returned_without_the_key() -> None:
    reply = error(429, f"Slow down, {KEY}.", headers={"retry-after": "7"}, code=f"x{KEY}")
    fault = connect(Service(reply)).complete_chat(PARAMETERS)
    assert fault == ServiceErrorReply(
        status=429, message="Slow down, [key].", codes=frozenset({"x[key]"}), retry_after=7.0
    )


def test_a_redirect_is_not_followed() -> None:
    service = Service(httpx.Response(307, headers={"location": "https://other.example/v1"}))
    fault = connect(service).complete_chat(PARAMETERS)
    assert isinstance(fault, Denied)
    assert "sends requests for Pretend on to another address" in str(fault)
    assert len(service.requests) == 1


def test_the_time_limit_is_that_of_the_entry_and_connecting_has_a_shorter_one() -> None:
    for seconds, connect_seconds in ((None, 10.0), (3, 3.0)):
        connection = ServiceConnection(replace(SPEC, settings={"timeout": seconds}), ApiKeys({}))
        assert connection.http.timeout.read == (seconds or 120.0)
        assert connection.http.timeout.connect == connect_seconds
        connection.http.close()


@pytest.mark.parametrize("picture", [{}, {"url": ""}, {"url": 3, "b64_json": None}])
def test_a_reply_without_a_picture_has_no_bytes(picture: dict[str, Any]) -> None:
    assert connect(Service(chat())).picture_bytes(picture) == b""


def test_a_picture_in_base64_goes_before_its_address() -> None:
    service = Service(chat())
    encoded = base64.b64encode(b"picture").decode()
    assert connect(service).picture_bytes({"b64_json": encoded, "url": PICTURE_URL}) == b"picture"
    assert not service.requests


def test_a_picture_is_fetched_again_where_the_fetch_fails() -> None:
    png = png_with_texts()
    service = Service(
        httpx.ReadError("reset"), httpx.Response(503), httpx.Response(200, content=png)
    )
    assert connect(service).picture_bytes({"url": PICTURE_URL}) == png
    assert len(service.requests) == 3
    assert all("authorization" not in request.headers for request in service.requests)


def test_a_picture_that_cannot_be_fetched_is_bad_after_a_few_attempts() -> None:
    service = Service(httpx.Response(404))
    with pytest.raises(images.BadPicture, match="cannot be fetched from where it lies"):
        connect(service).picture_bytes({"url": PICTURE_URL})
    assert len(service.requests) == FETCH_ATTEMPTS
