"""Pictures go out without texts and come back as plain PNG, within limits."""

import base64
import io
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from hallascope.backends.images import without_texts
from hallascope.backends.openai.connection import FETCH_ATTEMPTS
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Failure, Generate, Generated
from tests.support.fake_service import KEY, PUBLIC, Service, chat
from tests.support.service_requests import (
    PICTURES,
    PROMPT,
    choice_question,
    only,
    picture_reply,
    png_with_texts,
)


def test_no_word_of_a_picture_s_texts_reaches_the_judge_and_no_pixel_changes(
    picture: Picture,
) -> None:
    service = Service(chat())
    service.model().ask([choice_question(picture)])
    url = service.sent[0]["messages"][0]["content"][0]["image_url"]["url"]
    seen = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    assert PROMPT.encode() in picture.path.read_bytes()
    assert PROMPT.encode() not in seen
    assert b"iTXt" not in seen
    with Image.open(picture.path) as before, Image.open(io.BytesIO(seen)) as after:
        assert before.tobytes() == after.tobytes()
        assert "prompt" not in after.info


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_that_lies_elsewhere_is_fetched_without_the_key(form: str) -> None:
    service = Service(
        picture_reply(url="https://files.example/1"),
        httpx2.ReadError("reset"),
        httpx2.Response(503),
        httpx2.Response(200, content=png_with_texts(form=form)),
    )
    assert isinstance(only(service.model(PICTURES).generate([Generate("a cat", 0)])), Generated)
    posted, *got = service.requests
    assert [(str(r.url), r.headers["host"]) for r in got] == [
        (f"https://{PUBLIC}/1", "files.example")
    ] * 3  # paid for: tried again
    assert posted.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str([request.headers for request in got])


def test_no_picture_or_a_damaged_one_is_a_failure_and_what_it_took_is_told() -> None:
    damaged = base64.b64encode(png_with_texts(64)[:90]).decode()
    for made, kind, said in (
        (picture_reply(), "empty", "sends no image"),
        (picture_reply(url=3, b64_json=None), "empty", "sends no image"),
        (httpx2.Response(200, json={"data": []}), "empty", "sends no image"),
        (picture_reply(b64_json="no base64 at all!"), "broken", "is no base64"),
        (picture_reply(b64_json=damaged), "broken", "is damaged"),
        (picture_reply(url="file:///etc/passwd"), "broken", "begin with http:// or https://"),
        (picture_reply(url="data:image/png;base64,AAAA"), "broken", "is damaged"),
    ):
        reply = only(Service(made).model(PICTURES).generate([Generate("a cat", 0)]))
        assert (reply.kind, reply.usage.pictures) == (kind, 1)
        assert said in reply.message


def test_a_picture_that_cannot_be_fetched_is_broken_after_a_few_attempts() -> None:
    service = Service(picture_reply(url="https://files.example/1"), httpx2.Response(404))
    reply = only(service.model(PICTURES).generate([Generate("a cat", 0)]))
    assert reply.kind == "broken"
    assert "cannot be fetched from where it lies" in reply.message
    assert len(service.requests) == 1 + FETCH_ATTEMPTS


def test_a_picture_that_is_too_large_is_not_taken() -> None:
    service = Service(
        picture_reply(url="https://files.example/1"),
        httpx2.Response(200, content=b"x" * (20 * 2**20 + 1)),
    )
    reply = only(service.model(PICTURES).generate([Generate("a cat", 0)]))
    assert isinstance(reply, Failure)
    assert "is longer than 20 MB" in reply.message


def _pictures_of(sent: dict[str, Any]) -> list[Image.Image]:
    content = sent["messages"][0]["content"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in urls]


def test_only_the_region_of_the_first_picture_is_sent_with_a_margin_and_without_words(
    tmp_path: Path,
) -> None:
    image, texts = Image.new("RGB", (100, 50), "navy"), PngImagePlugin.PngInfo()
    image.paste("red", (50, 10, 80, 30))
    texts.add_text("prompt", PROMPT)
    image.save(tmp_path / "one.png", pnginfo=texts)
    Image.new("RGB", (10, 10), "green").save(tmp_path / "two.png")
    pictures = (Picture("aa", tmp_path / "one.png"), Picture("bb", tmp_path / "two.png"))
    service = Service(chat(), chat())
    service.model().ask(
        [choice_question(*pictures, region=Box(0.5, 0.2, 0.8, 0.6)), choice_question(*pictures)]
    )
    cut, whole = map(_pictures_of, service.sent)
    assert [image.size for image in whole] == [(100, 50), (10, 10)]
    assert [image.size for image in cut] == [(36, 26), (10, 10)]
    assert cut[0].getpixel((3, 3)) == cut[0].getpixel((32, 22)) == (255, 0, 0)
    assert cut[0].getpixel((1, 1)) == (0, 0, 128)
    assert not cut[0].info.get("prompt")


@given(st.binary(max_size=60), st.booleans())
def test_bytes_that_are_no_png_are_refused_and_never_raise_otherwise(
    data: bytes, signed: bool
) -> None:
    with pytest.raises(ValueError, match="it is"):
        without_texts((b"\x89PNG\r\n\x1a\n" if signed else b"") + data)
