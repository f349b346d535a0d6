"""What a service refuses is left out, once for each model, and named in each reply, at no cost."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import pytest

from hallascope.backends.keys import ApiKeys
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.services import find
from hallascope.data.models.specs import Price, read_models
from hallascope.data.models.token_limits import LARGER, LETTER_TOKENS, REASONING_TOKENS
from hallascope.data.requests import Answer, Failure, Generate, Generated, Usage, Write
from tests.support.fake_service import SPEC, Service, chat, error, piece, stream
from tests.support.service import Service as ServedService
from tests.support.service import served
from tests.support.service_lists import find_model
from tests.support.service_requests import choice_question, only, picture_reply, png_with_texts

# --- parameter by parameter: what was sent again, what was recorded ---

GONE = "gone"  # of a parameter that is not sent


@dataclass(frozen=True)
class Case:
    """A refusal, the change that answers it in the next request, and what the reply records."""

    refusals: tuple[httpx2.Response, ...]
    change: Mapping[str, Any]
    recorded: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=lambda: {"temperature": 0, "seed": 7})
    streams: bool = False


def refused(name: str, code: str = "unsupported_parameter", message: str = "") -> httpx2.Response:
    said = message or f"Unsupported parameter: '{name}' is not supported with this model."
    return error(400, said, param=name, code=code, type="invalid_request_error")


def value_refused(name: str, value: object) -> httpx2.Response:
    said = f"Unsupported value: '{name}' does not support {value!r} with this model."
    return refused(name, "unsupported_value", said)


def extra(name: str) -> httpx2.Response:
    """As FastAPI refuses a field."""
    body = {"detail": [{"loc": ["body", name], "msg": "Extra inputs are not permitted"}]}
    return httpx2.Response(422, json=body)


def unknown(name: str) -> httpx2.Response:
    """As Gemini refuses a field, without naming it but in words."""
    message = f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
    body = [{"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}]
    return httpx2.Response(400, json=body)


EFFORT = {"reasoning_effort": "low"}
NO_CHANCES = {"logprobs": GONE, "top_logprobs": GONE}
CASES: dict[str, Case] = {
    "temperature and seed": Case(
        (value_refused("temperature", 0), refused("seed")),
        {"temperature": GONE, "seed": GONE},
        ("temperature", "seed"),
    ),
    "max_tokens": Case(
        (
            refused(
                "max_tokens",
                message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            ),
        ),
        {"max_tokens": GONE, "max_completion_tokens": 300},
    ),
    "max_completion_tokens": Case(
        (unknown("max_completion_tokens"),),
        {"max_completion_tokens": GONE, "max_tokens": LETTER_TOKENS + REASONING_TOKENS},
        settings=EFFORT,
    ),
    "any limit of a free model": Case(
        (refused("max_tokens"), refused("max_completion_tokens")), {"max_tokens": GONE}
    ),
    "logprobs in words": Case(
        (error(400, "Logprobs is not enabled for models/x"),), NO_CHANCES, ("logprobs",)
    ),
    "logprobs with status 403": Case(
        (error(403, "You are not allowed to request logprobs from this model."),),
        NO_CHANCES,
        ("logprobs",),
    ),
    "so many top_logprobs": Case(
        (error(400, "top_logprobs must be at most 5", param="top_logprobs"),), {"top_logprobs": 5}
    ),
    "fewer top_logprobs, too": Case(
        (
            error(400, "top_logprobs must be at most 5", param="top_logprobs"),
            error(400, "No logprobs at all"),
        ),
        NO_CHANCES,
        ("logprobs",),
    ),
    "a schema": Case(
        (error(400, "Invalid schema", param="response_format.json_schema"),),
        {"response_format": GONE},
        ("schema",),
    ),
    "response_format in words": Case(
        (httpx2.Response(400, json={"error": "'response_format.type' must be 'text'"}),),
        {"response_format": GONE},
        ("schema",),
    ),
    "a grammar with status 500": Case(
        (error(500, "failed to parse grammar"),), {"response_format": GONE}, ("schema",)
    ),
    "an error within a reply": Case(
        (httpx2.Response(200, json={"error": {"message": "response_format: not supported"}}),),
        {"response_format": GONE},
        ("schema",),
    ),
    "reasoning_effort": Case(
        (error(400, "Unrecognized request argument supplied: reasoning_effort"),),
        {"reasoning_effort": GONE},
        ("reasoning_effort",),
        EFFORT,
    ),
    "every value of reasoning_effort": Case(
        tuple(value_refused("reasoning_effort", each) for each in ("low", "minimal", "none")),
        {"reasoning_effort": GONE},
        ("reasoning_effort",),
        EFFORT,
    ),
    "stream_options": Case((extra("stream_options"),), {"stream_options": GONE}, streams=True),
    "nothing by its name, twice": Case(
        (httpx2.Response(400, text="Bad Request"),) * 2,
        {"response_format": GONE, **NO_CHANCES},
        ("logprobs", "schema"),
    ),
    "nothing by its name, once": Case((error(422, "Something."),), {}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_refused_is_left_out_at_once_and_from_then_on_and_recorded(case: Case) -> None:
    answered = stream(piece("B", "stop")) if case.streams else chat("B")
    service = Service(*case.refusals, answered)
    model = service.model(replace(SPEC, settings=dict(case.settings)))
    request = Write("Say.") if case.streams else choice_question()
    ask: Any = model.write if case.streams else model.ask
    replies = [only(ask([request])) for _ in range(2)]
    wanted, *_, last, again = service.sent
    assert len(service.sent) == len(case.refusals) + 2
    changed = {name: value for name, value in case.change.items() if value is not GONE}
    gone = {name for name, value in case.change.items() if value is GONE}
    assert last == again == {**{k: v for k, v in wanted.items() if k not in gone}, **changed}
    for reply in replies:
        assert isinstance(reply, Answer)
        assert reply.not_applied == case.recorded
        assert reply.usage == (None if case.streams else Usage(7, 2))  # refusals cost nothing


def test_what_an_entry_says_is_null_is_never_sent_and_recorded_where_the_request_wanted_it() -> (
    None
):
    service = Service(chat())
    model = service.model(replace(SPEC, settings={"temperature": None, "reasoning_effort": None}))
    plain, wanting = model.ask([choice_question(), choice_question(temperature=0.7)])
    for sent in service.sent:
        assert not {"temperature", "reasoning_effort"} & sent.keys()
    assert isinstance(plain, Answer)
    assert isinstance(wanting, Answer)
    assert (plain.not_applied, wanting.not_applied) == ((), ("temperature",))


def test_a_paid_model_that_takes_no_limit_at_all_is_not_asked_on() -> None:
    spec = replace(SPEC, price=Price("2026-04-06", 1.0, 2.0))
    service = Service(refused("max_tokens"), refused("max_completion_tokens"))
    reply = only(service.model(spec).ask([choice_question()]))
    assert isinstance(reply, Failure)
    assert "takes no limit for the length of its replies (`max_tokens`)" in reply.message
    assert len(service.sent) == 2


def test_a_limit_above_the_models_own_is_said_and_the_limit_stays() -> None:
    spec = replace(SPEC, price=Price("2026-04-06", 1.0, 2.0), settings={"max_tokens": 100_000})
    message = "max_tokens is too large: 100000. This model supports at most 16384 tokens."
    service = Service(refused("max_tokens", "invalid_value", message))
    model = service.model(spec)
    for _ in range(2):
        reply = only(model.ask([choice_question()]))
        assert isinstance(reply, Failure)
        assert "at most 16384 tokens”): set a lower `max_tokens`" in reply.message
    assert [each["max_tokens"] for each in service.sent] == [100_000] * 2


# --- images ---


@pytest.mark.parametrize(
    "last",
    [
        error(400, "Something."),
        error(400, "Unsupported value: 'n' does not support 1.", param="n"),
        error(413, "Too large."),
    ],
)
def test_what_no_parameter_mends_is_broken_and_nothing_is_forgotten_for_it(
    last: httpx2.Response,
) -> None:
    service = Service(last)
    model = service.model()
    reply = only(model.ask([choice_question()]))
    assert reply.kind == "broken"
    assert "choose another model, or fix its entry" in reply.message
    model.ask([choice_question()])
    assert {"response_format", "logprobs", "top_logprobs"} <= service.sent[-1].keys() or (
        service.sent[len(service.sent) // 2].keys() >= {"response_format", "logprobs"}
    )


IMAGE = picture_reply(b64_json=base64.b64encode(png_with_texts()).decode())
DRAWN = {"size": "1024x1024", "quality": "hd", "style": "vivid"}


@pytest.mark.parametrize(
    "refusals, change, recorded",
    [
        ((), {}, "seed"),
        ((refused("quality"),), {"quality": GONE}, "quality, seed"),
        ((value_refused("size", "1024x1024"),), {"size": GONE}, "size, seed"),
        ((refused("response_format", "unknown_parameter"),), {"response_format": GONE}, "seed"),
        (
            (refused("style"), value_refused("quality", "hd")),
            {"style": GONE, "quality": "high"},
            "style, quality, seed",
        ),
    ],
)
def test_an_image_is_made_without_what_is_refused_and_its_notes_say_so(
    refusals: tuple[httpx2.Response, ...], change: Mapping[str, Any], recorded: str
) -> None:
    service = Service(*refusals, IMAGE)
    model = service.model(replace(SPEC, repository="painter", settings=DRAWN))
    for seed in range(2):
        made = only(model.generate([Generate("a cat", seed)]))
        assert isinstance(made, Generated)
        assert made.notes == {"not_applied": recorded}
        assert made.usage == Usage(12, 1056, 1)
    gone = {name for name, value in change.items() if value is GONE}
    changed = {name: value for name, value in change.items() if value is not GONE}
    wanted = {"model": "painter", "prompt": "a cat", "n": 1, "response_format": "b64_json", **DRAWN}
    expected = {**{k: v for k, v in wanted.items() if k not in gone}, **changed}
    assert service.sent[-2:] == [expected] * 2
    assert len(service.sent) == len(refusals) + 2


# --- against a service that refuses what the services refuse ---


def asked(service: ServedService, address: str, name: str, **settings: Any) -> Any:
    """A model of that service, as it is chosen by its name."""
    spec = find(read_models(), f"openai/{name}")
    assert spec is not None
    spec = replace(spec, base_url=address, settings={**spec.settings, "temperature": 0, **settings})
    return OpenAICompatible(spec, ApiKeys({"OPENAI_API_KEY": service.key}))


@pytest.mark.parametrize("name", ["gpt-5.4-mini", "gpt-6-luna", "gpt-5.6-terra", "gpt-6.2-astra"])
def test_a_model_that_reasons_answers_and_the_account_is_the_bill(name: str) -> None:
    with served() as (address, service):
        model = asked(service, address, name)
        replies = model.ask([choice_question()] * 3)
        assert [reply.not_applied for reply in replies] == [("temperature", "logprobs")] * 3
        assert [reply.text for reply in replies] == ['{"answer":"A"}'] * 3
        assert len(service.requests) == 5, "each parameter is refused once"
        assert service.requests[-1].body["reasoning_effort"] == "low"
        charged = find_model("openai", service.day, name)
        assert charged is not None
        price = Price("2026-11-28", charged.read, charged.written)
        spent = sum(price.cost(reply.usage) for reply in replies)
        assert spent == pytest.approx(service.bill)


def test_an_answer_that_reasoning_left_empty_is_asked_once_more_with_more_room() -> None:
    with served() as (address, service):
        model = asked(service, address, "gpt-5.4-mini", max_tokens=100)
        reply = only(model.ask([choice_question()]))
        assert reply.text == '{"answer":"A"}'
        limits = [each.body["max_completion_tokens"] for each in service.requests]
        assert limits[-2:] == [100, 100 * LARGER]
        assert model.spec.price.cost(reply.usage) == pytest.approx(service.bill)


def test_an_answer_that_stays_empty_says_so_and_is_paid_for_twice() -> None:
    with served() as (address, service):
        model = asked(service, address, "gpt-5.4-mini", max_tokens=10)
        reply = only(model.ask([choice_question()]))
        assert reply.kind == "empty"
        assert f"its {10 * LARGER} tokens were used up before: raise `max_tokens`" in reply.message
        assert model.spec.price.cost(reply.usage) == pytest.approx(service.bill)
        assert reply.usage.output_tokens == (1 + LARGER) * 10


def test_a_second_try_that_fails_leaves_the_first_one_paid() -> None:
    spec = replace(SPEC, settings={"reasoning_effort": "low"}, price=Price("2026-04-06", 1.0, 2.0))
    for second, usage in (
        (error(429, "Slow down."), Usage(7, 2)),
        (error(400, "max_tokens is too large: 17200"), Usage(7, 2)),
        (httpx2.ReadTimeout("late"), None),
    ):
        service = Service(chat("", "length"), second)
        reply = only(service.model(spec).ask([choice_question()]))
        assert reply.kind == "empty"
        assert f"its {LETTER_TOKENS + REASONING_TOKENS} tokens" in reply.message
        most = (1 + LARGER) * (LETTER_TOKENS + REASONING_TOKENS)
        assert reply.usage == usage or (usage is None and reply.usage.output_tokens == most)


def test_image_models_of_today_are_asked_as_they_like_it() -> None:
    with served() as (address, service):
        model = asked(service, address, "gpt-image-2.5-flare")
        made = only(model.generate([Generate("a cat", 3)]))
        assert isinstance(made, Generated)
        assert made.notes == {"not_applied": "seed"}
        assert len(service.requests) == 1
        assert model.spec.price.cost(made.usage) == pytest.approx(service.bill)
