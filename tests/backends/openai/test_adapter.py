"""A model behind an OpenAI-compatible service is asked as the service likes it, and answers like
any other model.
"""

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.base import Denied, Stopped
from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.services import find
from hallascope.data.models.specs import read_models
from hallascope.data.models.token_limits import LETTER_TOKENS, REASONING_TOKENS
from hallascope.data.records import Picture
from hallascope.data.requests import Generate, Generated, Usage, Write
from tests.support.fake_service import KEY, NAME, SPEC, Service, chat, piece
from tests.support.service_requests import (
    PICTURES,
    choice_question,
    only,
    picture_reply,
    png_with_texts,
)


def test_its_revision_is_its_name_and_its_service_and_known_without_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    official = replace(SPEC, base_url=None)
    assert registry.revision(official) == "pretend-1"
    assert registry.revision(replace(official, revision="2026-04")) == "2026-04"
    monkeypatch.setenv(
        "OPENAI_BASE_URL", "http://someone:password@box.example:8000/v1?token=hidden"
    )
    assert registry.revision(official) == "pretend-1@box.example:8000/v1"
    assert registry.revision(SPEC) == "pretend-1@pretend.example/v1"


def test_the_address_is_filled_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(SPEC, base_url="https://${PRETEND_HOST}/v1")
    monkeypatch.delenv("PRETEND_HOST", raising=False)
    assert "the environment variable PRETEND_HOST" in str(OpenAICompatible.check(spec))
    monkeypatch.setenv("PRETEND_HOST", "filled.example")
    assert OpenAICompatible.check(spec) is None
    service = Service(chat())
    service.model(spec).ask([choice_question()])
    assert str(service.requests[0].url) == "https://filled.example/v1/chat/completions"


def test_the_package_s_own_variable_leads_to_another_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://other.example/api/v1")
    service = Service(chat())
    service.model(replace(SPEC, base_url=None)).ask([choice_question()])
    assert str(service.requests[0].url) == "https://other.example/api/v1/chat/completions"
    monkeypatch.setenv("OPENAI_BASE_URL", "other.example")
    said = str(OpenAICompatible.check(replace(SPEC, base_url=None)))
    assert "OPENAI_BASE_URL holds no address that begins with http" in said


def test_azure_is_asked_by_deployment_with_its_own_header(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AZURE_OPENAI_ENDPOINT", "OPENAI_API_VERSION", "AZURE_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    spec = find(read_models(), "azure/eyes")
    assert spec is not None
    keys = ApiKeys({"AZURE_OPENAI_API_KEY": KEY})
    assert "the environment variable AZURE_OPENAI_ENDPOINT is not set" in str(
        registry.available(spec, keys)
    )
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.azure.example")
    assert "OPENAI_API_VERSION" in str(OpenAICompatible.check(spec))
    monkeypatch.setenv("OPENAI_API_VERSION", "2026-01-01")
    assert registry.available(spec, keys) is None
    service = Service(chat())
    assert only(service.model(spec, keys).ask([choice_question()])).text == "B"
    (request,) = service.requests
    assert (
        str(request.url)
        == "https://mine.azure.example/openai/deployments/eyes/chat/completions?api-version=2026-01-01"
    )
    assert request.headers["api-key"] == KEY
    room = json.loads(request.content)["max_completion_tokens"]
    assert room == LETTER_TOKENS + REASONING_TOKENS, "a deployment of any name may reason"
    assert registry.revision(spec) == "eyes@mine.azure.example"


def test_a_service_without_a_key_gets_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    service = Service(chat())
    service.model(replace(SPEC, needs=())).ask([choice_question()])
    assert service.requests[0].headers["authorization"] == "Bearer none"


def test_the_registry_gives_it_the_key_that_was_typed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME, raising=False)
    assert f"the key {NAME} is not set" in str(registry.available(SPEC))
    keys = ApiKeys({NAME: KEY})
    assert registry.available(SPEC, keys) is None
    loaded = registry.load(SPEC, keys)
    assert isinstance(loaded, OpenAICompatible)
    assert KEY not in repr(loaded) + repr(loaded._identity)


def test_a_key_with_typographic_signs_is_refused_without_being_shown() -> None:
    with pytest.raises(Denied, match=f"copy it again into {NAME}") as caught:
        Service(chat()).model(keys=ApiKeys({NAME: "“sk-quoted-key”"}))
    assert "quoted" not in str(caught.value)


def test_a_picture_that_cannot_be_read_is_a_failure_and_nothing_is_sent(tmp_path: Path) -> None:
    service = Service(chat())
    reply = only(service.model().ask([choice_question(Picture("cc", tmp_path / "gone.png"))]))
    assert (reply.kind, service.requests) == ("broken", [])


def test_a_pressed_stop_closes_the_stream_and_comes_through() -> None:
    closed: list[bool] = []

    class Pieces(httpx2.SyncByteStream):
        def __iter__(self) -> Any:
            for n in range(1000):
                yield f"data: {json.dumps(piece(str(n)))}\n\n".encode()

        def close(self) -> None:
            closed.append(True)

    def stop(step: int, steps: int) -> None:
        if step == 2:
            raise Stopped

    service = Service(
        httpx2.Response(200, stream=Pieces(), headers={"content-type": "text/event-stream"})
    )
    with pytest.raises(Stopped):
        service.model().write([Write("Count.")], stop)
    assert closed == [True]


def test_a_picture_comes_back_as_plain_png_with_the_revised_prompt_and_its_usage() -> None:
    steps: list[tuple[int, int]] = []
    made = picture_reply(
        b64_json=base64.b64encode(png_with_texts(8, "RGBA")).decode(),
        revised_prompt=f"A cat, as {KEY} wants it",
    )
    service = Service(made)
    reply = only(
        service.model(PICTURES).generate([Generate("a cat", 3)], lambda *step: steps.append(step))
    )
    assert isinstance(reply, Generated)
    with Image.open(io.BytesIO(reply.png)) as image:
        assert (image.format, image.mode, image.size, image.info) == ("PNG", "RGB", (8, 8), {})
        assert image.getpixel((0, 0)) == (255, 255, 255)  # what was transparent is white
    assert reply.notes == {
        "revised_prompt": "A cat, as [key] wants it",
        "not_applied": "seed",
    }
    assert reply.usage == Usage(12, 1056, 1)
    assert steps == [(1, 1)]
    assert service.sent == [
        {
            "model": "dall-e-3",
            "prompt": "a cat",
            "n": 1,
            "size": "1024x1024",
            "quality": "standard",
            "response_format": "b64_json",
        }
    ]


def test_any_model_of_a_service_is_asked_by_its_own_name() -> None:
    google = "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
    for service_name, model, url in (
        ("ollama", "qwen3-vl:8b", "http://localhost:11434/v1/chat/completions"),
        ("openrouter", "some/model", "https://openrouter.ai/api/v1/chat/completions"),
        ("gemini", "gemini-x", google),
    ):
        spec = find(read_models(), f"{service_name}/{model}")
        assert spec is not None
        service = Service(chat())
        keys = ApiKeys({"GEMINI_API_KEY": KEY, "OPENROUTER_API_KEY": KEY})
        service.model(spec, keys).ask([choice_question()])
        assert (service.sent[0]["model"], str(service.requests[0].url)) == (model, url)
