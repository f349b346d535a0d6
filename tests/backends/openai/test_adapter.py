"""A model behind an OpenAI-compatible service is asked as the service likes it, and answers like
any other model.
"""

import base64
import io
import json
import math
import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from hallascope.backends import registry
from hallascope.backends.base import CallLimits, Denied, Generator, Judge, Stopped, Writer
from hallascope.backends.keys import ApiKeys
from hallascope.backends.network import service_addresses
from hallascope.backends.openai import responses
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.backends.openai.images import without_texts
from hallascope.backends.openai.requests import TRUST, letters_schema
from hallascope.data.models.specs import ModelSpec, find, read_models
from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Failure, Generate, Generated, Usage, Write
from tests.support.fake_service import KEY, NAME, PUBLIC, SPEC, Service, chat, error, piece, stream

CHOICES = ("Red", "Blue", "Green", "Grey", NONE_OF_THE_ABOVE)
PROMPT = "the secret prompt of this picture"


def _png(size: int = 4, mode: str = "RGB", form: str = "PNG") -> bytes:
    stream = io.BytesIO()
    texts = PngImagePlugin.PngInfo()
    texts.add_itxt("prompt", PROMPT)
    image = Image.new(mode, (size, size), (200, 30, 30, 0)[: len(mode)])
    image.save(stream, form, **({"pnginfo": texts} if form == "PNG" else {}))
    return stream.getvalue()


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    (tmp_path / "one.png").write_bytes(_png())
    return Picture("aa", tmp_path / "one.png")


def _ask(*images: Picture, choices: tuple[str, ...] = CHOICES, **more: Any) -> Ask:
    return Ask(
        images=images,
        text="Look at the picture. Reply with a letter.",
        question="What colour is it?",
        choices=choices,
        **more,
    )


def _only(replies: list[Any]) -> Any:
    (reply,) = replies
    return reply


# --- who it is
# --------------------------------------------------------------------------------------------------


def test_it_is_a_judge_a_writer_and_a_generator_that_is_asked_one_by_one_and_many_at_once() -> None:
    model = Service(chat()).model()
    assert isinstance(model, Judge)
    assert isinstance(model, Writer)
    assert isinstance(model, Generator)
    assert registry.limits(SPEC) == model.limits == CallLimits(1, 16, start=8)


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


def test_an_odd_path_tells_services_apart_but_is_not_shown() -> None:
    prints = [
        service_addresses.fingerprint(replace(SPEC, base_url=f"https://gate.example/{path}/v1"))
        for path in ("t0ken-a", "t0ken-b")
    ]
    assert len(set(prints)) == 2
    assert not any("t0ken" in each for each in prints)


def test_the_address_is_filled_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(SPEC, base_url="https://${PRETEND_HOST}/v1")
    monkeypatch.delenv("PRETEND_HOST", raising=False)
    assert (
        OpenAICompatible.check(spec)
        == "the address of its service is not set; put it into the environment variable"
        " PRETEND_HOST."
    )
    monkeypatch.setenv("PRETEND_HOST", "filled.example")
    assert OpenAICompatible.check(spec) is None
    service = Service(chat())
    service.model(spec).ask([_ask()])
    assert str(service.requests[0].url) == "https://filled.example/v1/chat/completions"


def test_the_package_s_own_variable_leads_to_another_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://other.example/api/v1")
    service = Service(chat())
    service.model(replace(SPEC, base_url=None)).ask([_ask()])
    assert str(service.requests[0].url) == "https://other.example/api/v1/chat/completions"
    monkeypatch.setenv("OPENAI_BASE_URL", "other.example")
    said = OpenAICompatible.check(replace(SPEC, base_url=None))
    assert said == "OPENAI_BASE_URL holds no address that begins with http:// or https://; mend it."


def test_a_server_of_this_machine_that_is_not_there_is_said_before_it_is_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        port = there.getsockname()[1]
        spec = replace(SPEC, base_url=f"http://127.0.0.1:{port}/v1")
        assert OpenAICompatible.check(spec) is None
    assert (
        OpenAICompatible.check(spec)
        == f"nothing answers at http://127.0.0.1:{port}; start the server there."
    )


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
    assert _only(service.model(spec, keys).ask([_ask()])).text == "B"
    (request,) = service.requests
    assert (
        str(request.url)
        == "https://mine.azure.example/openai/deployments/eyes/chat/completions?api-version=2026-01-01"
    )
    assert request.headers["api-key"] == KEY
    assert registry.revision(spec) == "eyes@mine.azure.example"


def test_a_service_without_a_key_gets_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    service = Service(chat())
    service.model(replace(SPEC, needs=())).ask([_ask()])
    assert service.requests[0].headers["authorization"] == "Bearer none"


def test_the_registry_gives_it_the_key_that_was_typed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME, raising=False)
    said = (
        f"Pretend cannot run here: the key {NAME} is not set; put it into the environment or type"
        " it into the key field."
    )
    assert registry.available(SPEC) == said
    keys = ApiKeys({NAME: KEY})
    assert registry.available(SPEC, keys) is None
    loaded = registry.load(SPEC, keys)
    assert isinstance(loaded, OpenAICompatible)
    assert KEY not in repr(loaded) + repr(vars(loaded)["_who"])


def test_a_key_with_typographic_signs_is_refused_without_being_shown() -> None:
    with pytest.raises(Denied, match=f"copy it again into {NAME}") as caught:
        Service(chat()).model(keys=ApiKeys({NAME: "“sk-quoted-key”"}))
    assert "quoted" not in str(caught.value)


# --- what is sent
# --------------------------------------------------------------------------------------------------


def test_a_choice_is_asked_with_pictures_first_a_form_and_probabilities(
    picture: Picture, tmp_path: Path
) -> None:
    (tmp_path / "two.png").write_bytes(_png(5))
    service = Service(chat())
    spec = replace(SPEC, settings={"temperature": 0, "detail": "high"})
    service.model(spec).ask([_ask(picture, Picture("bb", tmp_path / "two.png"))])
    (sent,) = service.sent
    (message,) = sent.pop("messages")
    assert [part["type"] for part in message["content"]] == ["image_url", "image_url", "text"]
    assert message["role"] == "user"
    assert {part["image_url"]["detail"] for part in message["content"][:2]} == {"high"}
    assert message["content"][2]["text"] == "Look at the picture. Reply with a letter."
    form = {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": letters_schema(5)},
    }
    assert sent == {
        "model": "pretend-1",
        "max_tokens": 300,
        "temperature": 0,
        "response_format": form,
        "logprobs": True,
        "top_logprobs": 20,
    }
    assert form["json_schema"]["schema"]["properties"]["answer"]["enum"] == list("ABCDE")  # type: ignore[index]


def test_no_word_of_a_picture_s_texts_reaches_the_judge_and_no_pixel_changes(
    picture: Picture,
) -> None:
    service = Service(chat())
    service.model().ask([_ask(picture)])
    url = service.sent[0]["messages"][0]["content"][0]["image_url"]["url"]
    seen = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    assert PROMPT.encode() in picture.path.read_bytes()
    assert PROMPT.encode() not in seen
    assert b"iTXt" not in seen
    with Image.open(picture.path) as before, Image.open(io.BytesIO(seen)) as after:
        assert before.tobytes() == after.tobytes()
        assert "prompt" not in after.info


@given(st.binary(max_size=60), st.booleans())
def test_bytes_that_are_no_png_are_refused_and_never_raise_otherwise(
    data: bytes, signed: bool
) -> None:
    with pytest.raises(ValueError, match="it is"):
        without_texts((b"\x89PNG\r\n\x1a\n" if signed else b"") + data)


def test_a_picture_that_cannot_be_read_is_a_failure_and_nothing_is_sent(tmp_path: Path) -> None:
    service = Service(chat())
    reply = _only(service.model().ask([_ask(Picture("cc", tmp_path / "gone.png"))]))
    assert (reply.kind, service.requests) == ("broken", [])


def test_free_text_is_asked_in_pieces_with_more_room_and_without_a_form() -> None:
    service = Service(stream(piece("Red", "stop")))
    service.model().write([Write("Describe.")])
    (sent,) = service.sent
    assert sent == {
        "model": "pretend-1",
        "messages": [{"role": "user", "content": "Describe."}],
        "max_tokens": 4000,
        "temperature": 0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_the_request_s_temperature_and_seed_go_before_the_entry_s_and_null_leaves_them_out() -> (
    None
):
    service = Service(chat())
    service.model().ask([_ask(temperature=0.7, seed=5)])
    service.model(replace(SPEC, settings={"temperature": None, "seed": 3})).ask(
        [_ask(temperature=0.7)]
    )
    service.model(replace(SPEC, settings={})).ask([_ask()])
    assert [(sent.get("temperature"), sent.get("seed")) for sent in service.sent] == [
        (0.7, 5),
        (None, 3),
        (None, None),
    ]


def test_form_and_probabilities_can_be_turned_off() -> None:
    service = Service(chat())
    service.model(
        replace(SPEC, settings={"structured": False, "logprobs": False, "max_tokens": 9})
    ).ask([_ask()])
    assert sorted(service.sent[0]) == ["max_tokens", "messages", "model"]
    assert service.sent[0]["max_tokens"] == 9


@pytest.mark.parametrize(("closed", "strict"), [(False, True), (True, False)])
def test_a_schema_is_strict_where_services_can_hold_it(closed: bool, strict: bool) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": closed,
    }
    service = Service(stream(piece('{"a":"x"}', "stop")))
    service.model().write([Write("Say a.", schema=schema)])
    assert service.sent[0]["response_format"]["json_schema"] == {
        "name": "reply",
        "strict": strict,
        "schema": schema,
    }


# --- what comes back
# --------------------------------------------------------------------------------------------------


def test_a_letter_comes_back_with_the_probability_of_each_choice_and_its_usage() -> None:
    letters = {"A": 0.1, '"B"': 0.5, " B": 0.2, "C": 0.1, "Blue": 0.05, "b": 0.05}
    told = [{"token": token, "logprob": math.log(chance)} for token, chance in letters.items()]
    tokens = [
        {"token": '{"answer":', "logprob": 0.0, "top_logprobs": []},
        {"token": '"B"', "logprob": -0.7, "top_logprobs": told},
    ]
    reply = _only(
        Service(chat('{"answer":"B"}', logprobs={"content": tokens})).model().ask([_ask()])
    )
    assert reply == Answer('{"answer":"B"}', reply.probabilities, Usage(7, 2))
    assert reply.probabilities == pytest.approx((0.1 / 0.95, 0.75 / 0.95, 0.1 / 0.95, 0.0, 0.0))


@pytest.mark.parametrize(
    "text",
    [
        "B",
        " B",
        '{"answer": "B"}',
        "Answer: B",
        "**B**",
        "(B) Blue",
        "The answer is B.",
        "A bird is blue, so B",
        "b",
    ],
)
def test_the_letter_is_found_wherever_it_stands(text: str) -> None:
    tokens = [
        {
            "token": each,
            "top_logprobs": [{"token": each, "logprob": -0.1}, {"token": "A", "logprob": -2.5}],
        }
        for each in _cut(text)
    ]
    found = responses.probabilities(tokens, 5)
    assert (found is None) == (text == "b")  # a lone small letter may be anything
    if found:
        assert found[1] == max(found) < 1


def _cut(text: str) -> list[str]:
    """Into tokens of one character, but for words."""
    pieces: list[str] = []
    for character in text:
        if pieces and character.isalpha() and pieces[-1][-1].isalpha():
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


_json = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["token", "logprob", "top_logprobs", "x"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
_token = st.fixed_dictionaries(
    {
        "token": st.sampled_from([*LETTERS, '"B"', " C", "Blue", '{"answer":"'])
        | st.text(max_size=4),
        "top_logprobs": st.lists(
            st.fixed_dictionaries(
                {
                    "token": st.sampled_from([*LETTERS, " A", "x"]),
                    "logprob": st.floats(max_value=0.5) | st.none(),
                }
            )
        ),
    }
)


@given(st.lists(_token | _json, max_size=6), st.integers(0, 6))
def test_probabilities_are_one_a_choice_and_sum_to_one_whatever_comes(
    tokens: list[object], count: int
) -> None:
    found = responses.probabilities(tokens, count)
    if found is not None:
        assert len(found) == count
        assert all(0 <= each <= 1 for each in found)
        assert sum(found) == pytest.approx(1)


def test_pieces_are_put_together_and_counted_aloud() -> None:
    heard: list[tuple[int, int]] = []
    usage = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 3}}
    service = Service(stream(piece("Red "), piece("and blue"), piece(None, "stop"), usage))
    reply = _only(service.model().ask([_ask(choices=())], lambda *step: heard.append(step)))
    assert reply == Answer("Red and blue", None, Usage(11, 3))
    assert heard == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]


@given(
    st.lists(st.text(max_size=8), min_size=1, max_size=6),
    st.integers(1, 9),
    st.sampled_from(["\n\n", "\r\n\r\n"]),
)
def test_a_stream_says_the_same_however_it_is_cut(texts: list[str], size: int, end: str) -> None:
    raw = [json.dumps(piece(text), ensure_ascii=False) for text in texts] + [
        json.dumps(piece(None, "stop")),
        "[DONE]",
    ]
    whole = ": a comment\n" + "".join(f"data: {line}{end}" for line in raw)
    data = whole.encode("utf-8", "surrogatepass")
    said = responses.streamed(
        [data[at : at + size] for at in range(0, len(data), size)], lambda count: None
    )
    assert said.text == "".join(texts)


def test_usage_beside_the_last_piece_and_no_done_mark_are_enough() -> None:
    last = piece(None, "stop", usage={"prompt_tokens": 5, "completion_tokens": 1})
    reply = _only(Service(stream(piece("Hi"), last, done=False)).model().write([Write("Greet.")]))
    assert reply == Answer("Hi", None, Usage(5, 1))


def test_a_server_that_answers_at_once_though_asked_for_pieces_is_understood() -> None:
    assert _only(Service(chat("All of it", "length")).model().write([Write("Go on.")])) == Answer(
        "All of it", None, Usage(7, 2), cut=True
    )


def test_content_in_parts_is_one_text() -> None:
    body = {
        "choices": [
            {
                "message": {"content": [{"type": "text", "text": "B"}, {"type": "other"}]},
                "finish_reason": "stop",
            }
        ]
    }
    assert _only(Service(httpx.Response(200, json=body)).model().ask([_ask()])) == Answer("B")


def test_a_character_that_comes_in_halves_is_put_together_and_half_a_one_can_be_stored() -> None:
    service = Service(stream(piece("\ud83d"), piece("\ude00 \ud83d \0done", "stop")))
    assert _only(service.model().write([Write("Smile.")])).text == "\U0001f600 \ufffd done"


def test_several_requests_are_answered_in_order() -> None:
    replies = Service(chat("A"), chat("B")).model().ask([_ask(), _ask()])
    assert [reply.text for reply in replies if isinstance(reply, Answer)] == ["A", "B"]


def test_a_pressed_stop_closes_the_stream_and_comes_through() -> None:
    closed: list[bool] = []

    class Pieces(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            for n in range(1000):
                yield f"data: {json.dumps(piece(str(n)))}\n\n".encode()

        def close(self) -> None:
            closed.append(True)

    def stop(step: int, steps: int) -> None:
        if step == 2:
            raise Stopped

    service = Service(
        httpx.Response(200, stream=Pieces(), headers={"content-type": "text/event-stream"})
    )
    with pytest.raises(Stopped):
        service.model().write([Write("Count.")], stop)
    assert closed == [True]


# --- what a service does not take
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("complaint", "gone"),
    [
        (error(400, "Unsupported parameter", param="response_format"), {"response_format"}),
        (
            error(
                400,
                "Invalid schema for response_format 'reply'",
                param="response_format.json_schema",
            ),
            {"response_format"},
        ),
        (error(400, "Logprobs is not enabled for models/x"), {"logprobs", "top_logprobs"}),
        (
            error(403, "You are not allowed to request logprobs from this model."),
            {"logprobs", "top_logprobs"},
        ),
        (
            httpx.Response(
                400,
                json=[
                    {"error": {"code": 400, "message": 'Unknown name "seed": Cannot find field.'}}
                ],
            ),
            {"seed"},
        ),
        (
            httpx.Response(
                422, json={"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs"}]}
            ),
            {"seed"},
        ),
        (
            httpx.Response(400, json={"error": "'response_format.type' must be 'text'"}),
            {"response_format"},
        ),
    ],
)
def test_what_it_complains_of_is_left_out_at_once_and_from_then_on(
    complaint: httpx.Response, gone: set[str]
) -> None:
    service = Service(complaint, chat("A"), chat("B"))
    model = service.model()
    assert [_only(model.ask([_ask(seed=1)])).text for _ in range(2)] == ["A", "B"]
    first, second, third = service.sent
    assert set(first) - set(second) == gone
    assert second == third


def test_tokens_are_limited_under_the_name_the_service_knows() -> None:
    complaint = error(
        400,
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        param="max_tokens",
    )
    service = Service(complaint, chat())
    model = service.model()
    model.ask([_ask(), _ask()])
    assert [
        (sent.get("max_tokens"), sent.get("max_completion_tokens")) for sent in service.sent
    ] == [(300, None), (None, 300), (None, 300)]


def test_fewer_probabilities_are_asked_for_before_none_are() -> None:
    service = Service(
        error(400, "top_logprobs must be at most 5", param="top_logprobs"),
        error(400, "No logprobs at all"),
        chat(),
    )
    service.model().ask([_ask()])
    assert [sent.get("top_logprobs") for sent in service.sent] == [20, 5, None]


def test_a_guess_that_did_not_help_is_not_remembered() -> None:
    service = Service(
        error(400, "Something."), error(400, "Something."), error(400, "Something."), chat()
    )
    model = service.model()
    assert _only(model.ask([_ask()])).kind == "broken"
    model.ask([_ask()])
    assert "response_format" in service.sent[3]


@pytest.mark.parametrize(
    "stray", [httpx.Response(400, text="Bad Request"), error(422, "Something.")]
)
def test_one_stray_complaint_that_names_nothing_takes_no_form_and_no_probabilities_away(
    stray: httpx.Response,
) -> None:
    service = Service(stray, chat("A"))
    model = service.model()
    assert [_only(model.ask([_ask()])).text for _ in range(3)] == ["A"] * 3
    assert all(
        {"response_format", "logprobs", "top_logprobs"} <= set(sent) for sent in service.sent
    )
    assert len(service.sent) == 4


def test_what_a_service_refuses_without_saying_so_is_left_out_and_tried_again_later() -> None:
    takes = [False]

    def answer(sent: dict[str, Any]) -> httpx.Response:
        return (
            chat("A")
            if takes[0] or "response_format" not in sent
            else httpx.Response(400, text="Bad Request")
        )

    service = Service(answer)
    model = service.model()

    def plain(times: int) -> list[bool]:
        before = len(service.sent)
        assert [_only(model.ask([_ask()])).text for _ in range(times)] == ["A"] * times
        return ["response_format" not in sent for sent in service.sent[before:]]

    assert plain(1) == [False, False, True], "the same once more, then without"
    assert plain(TRUST - 1) == [True] * (TRUST - 1)
    assert plain(1) == [False, False, True], "it is found out again"
    assert plain(2 * TRUST - 1) == [True] * (2 * TRUST - 1)
    takes[0] = True
    assert plain(3) == [False] * 3, "it takes them by now"


def test_a_temperature_is_never_left_out_silently() -> None:
    service = Service(
        error(
            400,
            "Unsupported value: 'temperature' does not support 0 with this model.",
            param="temperature",
        )
    )
    reply = _only(service.model().ask([_ask()]))
    assert reply.kind == "broken"
    assert "set `temperature: null` in the settings of its entry" in reply.message
    assert len(service.sent) == 1


# --- pictures
# --------------------------------------------------------------------------------------------------

PICTURES = replace(SPEC, repository="dall-e-3", settings={"size": 1024, "quality": "standard"})


def _made(**picture: Any) -> httpx.Response:
    return httpx.Response(
        200,
        json={
            "created": 0,
            "data": [picture],
            "usage": {"input_tokens": 12, "output_tokens": 1056},
        },
    )


def test_a_picture_comes_back_as_plain_png_with_the_revised_prompt_and_its_usage() -> None:
    steps: list[tuple[int, int]] = []
    made = _made(
        b64_json=base64.b64encode(_png(8, "RGBA")).decode(),
        revised_prompt=f"A cat, as {KEY} wants it",
    )
    service = Service(made)
    reply = _only(
        service.model(PICTURES).generate([Generate("a cat", 3)], lambda *step: steps.append(step))
    )
    assert isinstance(reply, Generated)
    with Image.open(io.BytesIO(reply.png)) as image:
        assert (image.format, image.mode, image.size, image.info) == ("PNG", "RGB", (8, 8), {})
        assert image.getpixel((0, 0)) == (255, 255, 255)  # what was transparent is white
    assert reply.notes == {"revised_prompt": "A cat, as [key] wants it"}
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


def test_the_newer_models_are_not_asked_for_bytes_and_others_only_once() -> None:
    made = _made(b64_json=base64.b64encode(_png()).decode())
    service = Service(made)
    service.model(
        replace(PICTURES, repository="gpt-image-1", settings={"size": "1536x1024"})
    ).generate([Generate("a cat", 0)])
    assert service.sent == [
        {"model": "gpt-image-1", "prompt": "a cat", "n": 1, "size": "1536x1024"}
    ]
    service = Service(
        error(400, "Unknown parameter: 'response_format'.", param="response_format"), made
    )
    model = service.model(PICTURES)
    model.generate([Generate("a cat", 0)])
    model.generate([Generate("a cat", 1)])
    assert ["response_format" in sent for sent in service.sent] == [True, False, False]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_that_lies_elsewhere_is_fetched_without_the_key(form: str) -> None:
    service = Service(
        _made(url="https://files.example/1"),
        httpx.Response(503),
        httpx.Response(200, content=_png(form=form)),
    )
    assert isinstance(_only(service.model(PICTURES).generate([Generate("a cat", 0)])), Generated)
    posted, *got = service.requests
    assert [(str(r.url), r.headers["host"]) for r in got] == [
        (f"https://{PUBLIC}/1", "files.example")
    ] * 2  # paid for: tried again
    assert posted.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str([request.headers for request in got])


@pytest.mark.parametrize(
    ("made", "kind", "said"),
    [
        (_made(), "empty", "sends no picture"),
        (httpx.Response(200, json={"data": []}), "empty", "sends no picture"),
        (_made(b64_json="no base64 at all!"), "broken", "is no base64"),
        (_made(b64_json=base64.b64encode(_png(64)[:90]).decode()), "broken", "is damaged"),
        (_made(url="file:///etc/passwd"), "broken", "not of the web"),
        (_made(url="data:image/png;base64,AAAA"), "broken", "is damaged"),
    ],
)
def test_no_picture_or_a_damaged_one_is_a_failure_and_what_it_took_is_told(
    made: httpx.Response, kind: str, said: str
) -> None:
    reply = _only(Service(made).model(PICTURES).generate([Generate("a cat", 0)]))
    assert (reply.kind, reply.usage.pictures) == (kind, 1)
    assert said in reply.message


def test_a_picture_that_is_too_large_is_not_taken() -> None:
    service = Service(
        _made(url="https://files.example/1"), httpx.Response(200, content=b"x" * (20 * 2**20 + 1))
    )
    reply = _only(service.model(PICTURES).generate([Generate("a cat", 0)]))
    assert isinstance(reply, Failure)
    assert "more than 20 MB" in reply.message


# --- families
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sent_as", "url"),
    [
        ("ollama/qwen3-vl:8b", "qwen3-vl:8b", "http://localhost:11434/v1/chat/completions"),
        ("openrouter/some/model", "some/model", "https://openrouter.ai/api/v1/chat/completions"),
        (
            "gemini/gemini-x",
            "gemini-x",
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        ),
    ],
)
def test_any_model_of_a_service_is_asked_by_its_own_name(name: str, sent_as: str, url: str) -> None:
    spec = find(read_models(), name)
    assert spec is not None
    service = Service(chat())
    service.model(spec, ApiKeys({"GEMINI_API_KEY": KEY, "OPENROUTER_API_KEY": KEY})).ask([_ask()])
    assert (service.sent[0]["model"], str(service.requests[0].url)) == (sent_as, url)


def test_every_entry_of_ours_can_be_made_once_its_needs_are_met(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.azure.example")
    monkeypatch.setenv("OPENAI_API_VERSION", "2026-01-01")
    ours: list[ModelSpec] = [spec for spec in read_models().values() if spec.backend == "openai"]
    keys = ApiKeys({spec.key: KEY for spec in ours if spec.key})
    for spec in ours:
        assert Service(chat()).model(spec, keys).revision == registry.revision(spec)
    assert os.environ.get("OPENAI_API_KEY") != KEY


# --- regions
# --------------------------------------------------------------------------------------------------


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
    service.model().ask([_ask(*pictures, region=Box(0.5, 0.2, 0.8, 0.6)), _ask(*pictures)])
    cut, whole = map(_pictures_of, service.sent)
    assert [image.size for image in whole] == [(100, 50), (10, 10)]
    assert [image.size for image in cut] == [(36, 26), (10, 10)]
    assert cut[0].getpixel((3, 3)) == cut[0].getpixel((32, 22)) == (255, 0, 0)
    assert cut[0].getpixel((1, 1)) == (0, 0, 128)
    assert not cut[0].info.get("prompt")
