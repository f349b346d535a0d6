"""The service of the tests refuses, answers and charges as the services do."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import openai
import pytest
from huggingface_hub import HfApi, InferenceClient

from hallascope.backends.openai.requests import letters_schema
from hallascope.metrics.ihalla import question_replies
from tests.support.service import KEY, Service, hub_pointed, served
from tests.support.service_replies import SENTENCE

LETTER = {
    "type": "json_schema",
    "json_schema": {"name": "reply", "strict": True, "schema": letters_schema(5)},
}
RETIRED = {"gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini", "gpt-5", "gpt-5-mini", "o3"}


class Caller:
    """Calls one service without a library that would try again."""

    def __init__(self, address: str, service: Service) -> None:
        self.service = service
        self.http = httpx.Client(base_url=address, headers={"authorization": f"Bearer {KEY}"})

    def chat(self, model: str = "gpt-4.1", text: str = "Look.", **more: Any) -> httpx.Response:
        body = {"model": model, "messages": [{"role": "user", "content": text}], **more}
        return self.http.post("chat/completions", json=body)

    def draw(self, model: str = "gpt-image-2.5-flare", **more: Any) -> httpx.Response:
        return self.http.post("images/generations", json={"model": model, "prompt": "cat", **more})

    def names(self, **query: str) -> set[str]:
        return {item["id"] for item in self.items(**query)}

    def items(self, **query: str) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.http.get("models", params=query).json()["data"]
        return listed


@contextmanager
def calling(kind: str = "openai", day: str = "2026-11-28", key: str = KEY) -> Iterator[Caller]:
    with served(kind, day, key) as (address, service):
        caller = Caller(address, service)
        with caller.http:
            yield caller


@pytest.fixture
def caller() -> Iterator[Caller]:
    with calling() as caller:
        yield caller


def first(response: httpx.Response) -> Any:
    return response.json()["choices"][0]


def error(response: httpx.Response) -> Any:
    return response.json()["error"]


def test_a_list_holds_who_is_there_that_day_for_those_who_have_the_key(caller: Caller) -> None:
    today = caller.names()
    assert {"gpt-5.4-mini", "gpt-image-2.5-flare", "whisper-1"} | RETIRED <= today
    assert not {"dall-e-3", "gpt-image-1", "gpt-4-turbo", "o4-mini"} & today
    refused = httpx.get(caller.http.base_url.join("models"))
    assert (refused.status_code, error(refused)["code"]) == (401, "invalid_api_key")
    with calling(day="2027-01-15") as later:
        assert today - later.names() == RETIRED | {"gpt-5-nano"}
        gone = later.chat("gpt-4o")
    assert (gone.status_code, error(gone)["code"]) == (404, "model_not_found")
    assert [request.refusal for request in later.service.requests] == ["", "model_not_found"]
    assert later.service.bill == 0


def test_a_judge_answers_with_a_letter_and_its_probability(caller: Caller) -> None:
    choice = first(
        caller.chat(response_format=LETTER, logprobs=True, top_logprobs=20, temperature=0)
    )
    assert choice["message"]["content"] == '{"answer":"A"}'
    (letter,) = (each for each in choice["logprobs"]["content"] if each["token"] == "A")
    assert [each["token"] for each in letter["top_logprobs"]] == list("ABCDE")
    assert first(caller.chat(text="Reply with a letter."))["message"]["content"] == "A"
    assert first(caller.chat())["message"]["content"] == SENTENCE


@pytest.mark.parametrize("asked", ["form", "text"])
def test_a_writer_makes_five_questions_in_a_form_or_where_the_text_wants_them(
    caller: Caller, asked: str
) -> None:
    form = {"name": "reply", "schema": question_replies.SCHEMA}
    more: dict[str, Any] = {"response_format": {"type": "json_schema", "json_schema": form}}
    text = 'A bridge. Reply with JSON of this form: {"sets": [...]}'
    reply = caller.chat(**more) if asked == "form" else caller.chat(text=text)
    questions, rejected = question_replies.parse_questions(first(reply)["message"]["content"])
    assert len(questions) == 5
    assert not rejected


def test_a_model_that_reasons_refuses_what_it_does_not_take(caller: Caller) -> None:
    said = {}
    unwanted: dict[str, Any] = {
        "temperature": 0,
        "max_tokens": 300,
        "logprobs": True,
        "top_p": 0.5,
        "reasoning_effort": "minimal",
    }
    for name, value in unwanted.items():
        refused = caller.chat("gpt-5.4-mini", **{name: value})
        assert refused.status_code == 400
        assert error(refused)["param"] == name
        assert error(refused)["type"] == "invalid_request_error"
        said[name] = (error(refused)["code"], error(refused)["message"])
    assert said["temperature"] == (
        "unsupported_value",
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1)"
        " value is supported.",
    )
    assert said["max_tokens"][0] == "unsupported_parameter"
    assert "max_completion_tokens" in said["max_tokens"][1]
    assert "'none', 'low', 'medium', 'high', 'xhigh'" in said["reasoning_effort"][1]
    taken = caller.chat("gpt-5.4-mini", temperature=1, seed=3, reasoning_effort="none")
    assert taken.status_code == 200
    assert caller.chat("gpt-4.1", reasoning_effort="low").status_code == 400


def test_reasoning_eats_the_limit_and_is_charged(caller: Caller) -> None:
    limited: dict[str, Any] = {"model": "gpt-5.4-mini", "max_completion_tokens": 300}
    empty = caller.chat(**limited, response_format=LETTER)
    assert first(empty)["finish_reason"] == "length"
    assert first(empty)["message"]["content"] == ""
    assert empty.json()["usage"]["completion_tokens"] == 300
    whole = caller.chat(**limited, response_format=LETTER, reasoning_effort="low").json()
    assert whole["choices"][0]["message"]["content"] == '{"answer":"A"}'
    usage = whole["usage"]
    assert usage["completion_tokens_details"] == {"reasoning_tokens": 150}
    assert usage["completion_tokens"] == 154
    first_cost, second_cost = (request.cost for request in caller.service.requests)
    assert second_cost == pytest.approx((usage["prompt_tokens"] * 0.75 + 154 * 4.5) / 1e6)
    assert caller.service.bill == pytest.approx(first_cost + second_cost)
    assert [request.refusal for request in caller.service.requests] == ["empty_at_length", ""]


def test_a_stream_says_its_usage_where_it_is_asked_to() -> None:
    with served() as (address, _), openai.OpenAI(base_url=address, api_key=KEY) as client:
        pieces = list(
            client.chat.completions.create(
                model="gpt-4.1",
                messages=[{"role": "user", "content": "Describe."}],
                stream=True,
                stream_options={"include_usage": True},
            )
        )
    text = "".join(each.choices[0].delta.content or "" for each in pieces if each.choices)
    assert text == SENTENCE
    assert pieces[-1].usage is not None
    assert pieces[-1].usage.completion_tokens == 5


def test_an_image_comes_as_base64_and_is_charged_by_its_tokens(caller: Caller) -> None:
    made = caller.draw(size="1024x1024", quality="medium", n=2).json()
    pictures = [base64.b64decode(each["b64_json"]) for each in made["data"]]
    assert all(each.startswith(b"\x89PNG") for each in pictures)
    assert pictures[0] != pictures[1]
    assert made["usage"] == {
        "input_tokens": 1,
        "output_tokens": 2112,
        "total_tokens": 2113,
        "input_tokens_details": {"text_tokens": 1, "image_tokens": 0},
    }
    assert caller.service.bill == pytest.approx((1 * 5 + 2112 * 30) / 1e6)


def test_image_models_refuse_what_was_dall_es(caller: Caller) -> None:
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"response_format": "b64_json"}, "response_format"),
        ({"style": "vivid"}, "style"),
        ({"quality": "standard"}, "quality"),
        ({"size": "1792x1024", "model": "gpt-image-1.5"}, "size"),
        ({"size": "512x512"}, "size"),
        ({"quality": "max", "model": "gpt-image-2"}, "quality"),
    )
    for sent, name in refused:
        answer = caller.draw(**sent)
        assert (answer.status_code, error(answer)["param"]) == (400, name)
    assert caller.draw(size="1536x864", quality="max").status_code == 200
    for gone in ("dall-e-3", "gpt-image-1", "whisper-1"):
        assert caller.draw(gone).status_code == 404


def test_each_fault_comes_so_often_as_it_is_wanted(caller: Caller) -> None:
    for fault, status in (
        ("wrong_key", 401),
        ("no_credit", 402),
        ("insufficient_quota", 429),
        ("rate_limit", 429),
        ("rate_limit_date", 429),
        ("not_allowed", 403),
        ("redirect", 307),
        ("unavailable", 503),
        ("overloaded", 529),
        ("model_not_found", 404),
        ("unnamed_parameter", 400),
    ):
        caller.service.refuse(fault, 1)
        refused = caller.chat()
        assert (fault, refused.status_code) == (fault, status)
        assert ("retry-after" in refused.headers) == fault.startswith("rate_limit")
        assert caller.chat().status_code == 200
    unwanted: dict[str, Any] = {"seed": 1, "temperature": 0, "response_format": LETTER}
    for name, value in unwanted.items():
        caller.service.refuse(name)
        assert error(caller.chat(**{name: value}))["param"] == name
        assert caller.chat().status_code == 200
        caller.service.refuse(name, 0)
        assert caller.chat(**{name: value}).status_code == 200
    with pytest.raises(ValueError, match="is no fault"):
        caller.service.refuse("nothing")


def test_a_reply_that_is_spoiled_is_charged(caller: Caller) -> None:
    def spoiled(fault: str, **more: Any) -> httpx.Response:
        caller.service.refuse(fault, 1)
        return caller.chat(**more)

    assert first(spoiled("moderation"))["message"]["refusal"].startswith("I'm sorry")
    assert first(spoiled("plain_refusal"))["message"]["content"].startswith("I'm sorry")
    assert first(spoiled("content_filter"))["finish_reason"] == "content_filter"
    assert first(spoiled("empty_at_length", max_tokens=9))["finish_reason"] == "length"
    assert spoiled("no_choices").json()["choices"] == []
    with pytest.raises(json.JSONDecodeError):
        spoiled("broken_json").json()
    with pytest.raises(httpx.RemoteProtocolError):
        spoiled("half_stream", stream=True)
    assert '"error"' in spoiled("error_in_stream", stream=True).text
    seen = caller.service.requests
    assert all(request.cost > 0 and request.status == 200 for request in seen)
    assert [request.refusal for request in seen[-2:]] == ["half_stream", "error_in_stream"]
    caller.service.refuse("moderation", 1)
    assert error(caller.draw())["code"] == "moderation_blocked"
    assert seen[-1].cost == 0


def test_openrouter_lists_prices_and_what_is_taken_to_everybody() -> None:
    with calling("openrouter", key="another") as caller:
        listed = {item["id"]: item for item in caller.items()}
        mini = listed["openai/gpt-5.4-mini"]
        assert mini["pricing"]["prompt"] == "0.00000075"
        assert mini["architecture"]["input_modalities"] == ["text", "image"]
        assert "temperature" not in mini["supported_parameters"]
        drawing = caller.names(output_modalities="image")
        assert drawing == {"google/gemini-3.1-flash-image", "black-forest-labs/flux.2-klein-4b"}
        assert error(caller.chat("openai/gpt-5.4-mini"))["code"] == 401
        caller.service.key = KEY
        assert caller.chat("openai/gpt-5.4-mini", temperature=0).status_code == 200
        shown = caller.chat("google/gemini-3.1-flash-image", modalities=["image", "text"])
        assert first(shown)["message"]["images"][0]["image_url"]["url"].startswith("data:image/png")


def test_gemini_has_its_own_names_and_errors() -> None:
    with calling("gemini") as caller:
        assert "models/gemini-3.5-flash" in caller.names()
        low: dict[str, Any] = {"temperature": 0, "reasoning_effort": "low", "max_tokens": 300}
        assert caller.chat("gemini-3.5-flash", **low).status_code == 200
        (gone,) = caller.chat("gemini-1.5-pro").json()
        assert gone["error"]["status"] == "NOT_FOUND"


def test_the_router_lists_providers_and_draws_for_hugging_faces_client() -> None:
    with calling("router") as caller:
        address = str(caller.http.base_url).removesuffix("/")
        listed = {item["id"]: item for item in caller.items()}
        provider = listed["Qwen/Qwen3-VL-8B-Instruct"]["providers"][0]
        assert (provider["status"], provider["pricing"]) == ("live", {"input": 0.08, "output": 0.5})
        assert caller.chat("Qwen/Qwen3-VL-8B-Instruct:fastest", temperature=0).status_code == 200
        name = "black-forest-labs/FLUX.1-schnell"
        direct = f"{address.removesuffix('/v1')}/hf-inference/models/{name}"
        client = InferenceClient(provider="auto", token=KEY)
        with hub_pointed(address):
            made = [client.text_to_image("a cat", model=each, seed=1) for each in (name, direct)]
            found = HfApi().list_models(inference_provider="all", pipeline_tag="text-to-image")
            assert name in {model.id for model in found}
        assert [image.size for image in made] == [(64, 64)] * 2
        drawn = [request for request in caller.service.requests if "hf-inference" in request.path]
        assert [request.body["inputs"] for request in drawn] == ["a cat"] * 2
        assert [request.cost for request in drawn] == [0.003] * 2
