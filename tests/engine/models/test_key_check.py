"""A typed key is checked at its service, and the first models are those that it lists."""

from dataclasses import replace

import httpx2
import pytest

from hallascope.backends.keys import ApiKeys
from hallascope.data.models.services import find, read_services, retirement
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Role
from hallascope.engine.models.key_check import KeyCheck, StarterModel, check_key, starter_models
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.service_lists import ServiceLists, listed_models
from hallascope.engine.money.spending import starters_sentence

NAME = "PRETEND_API_KEY"
KEY = "sk-test-4711-abcdefgh"


def model(name: str, *roles: str, price: Price | None) -> ModelSpec:
    return ModelSpec(
        id=f"pretend/{name}",
        title=name,
        roles=roles,  # type: ignore[arg-type]
        backend="openai",
        repository=name,
        needs=(f"key:{NAME}",),
        kind="api",
        base_url="https://pretend.example/v1",
        price=price,
    )


SPECS = (
    model("dear", "judge", "writer", price=Price("2026-01-01", input=5.0, output=15.0)),
    model("cheap", "judge", "writer", price=Price("2026-01-01", input=0.1, output=0.4)),
    model("unlisted", "judge", "writer", price=Price("2026-01-01", input=0.01, output=0.01)),
    model("unpriced", "judge", "generator", price=None),
    model("painter", "generator", price=Price("2026-01-01", picture=0.04)),
    model(
        "token-painter", "generator", price=Price("2026-01-01", output=30.0, picture_tokens=1000)
    ),
)
LISTED = {"data": [{"id": name} for name in ("dear", "cheap", "unpriced", "painter")]}


def checked(answer: httpx2.Response | Exception, without_key: int = 401, key: str = KEY):  # type: ignore[no-untyped-def]
    def serve(request: httpx2.Request) -> httpx2.Response:
        assert request.url.path == "/v1/models"
        if request.headers["authorization"] != f"Bearer {key}":
            return httpx2.Response(without_key, json=LISTED)
        if isinstance(answer, Exception):
            raise answer
        return answer

    client = httpx2.Client(transport=httpx2.MockTransport(serve))
    return check_key(
        ServiceLists(), SPECS, NAME, ApiKeys({NAME: key}), client, lambda host: ["93.184.215.14"]
    )


def test_an_accepted_key_brings_the_cheapest_listed_model_of_each_role() -> None:
    found = checked(httpx2.Response(200, json=LISTED))
    assert found.state == "accepted"
    assert {role: starter.id for role, starter in found.starters.items()} == {
        "generator": "pretend/painter",
        "judge": "pretend/cheap",
        "writer": "pretend/cheap",
    }
    assert found.starters["generator"].cost == pytest.approx(0.04)


def test_a_wrong_key_is_rejected_in_a_sentence_that_does_not_hold_it() -> None:
    found = checked(httpx2.Response(401, json={"error": {"message": f"Incorrect API key: {KEY}"}}))
    assert (found.state, found.starters) == ("rejected", {})
    assert NAME in found.sentence
    assert KEY not in found.sentence


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.ConnectError("no route"),
        httpx2.ReadTimeout("slow"),
        httpx2.Response(429, json={"error": {"message": "slow down"}}),
        httpx2.Response(503, text="down"),
        httpx2.Response(200, text="<html>"),
        httpx2.Response(200, json={"data": "none"}),
    ],
    ids=["connection", "time-out", "429", "503", "no JSON", "no list"],
)
def test_an_outage_neither_accepts_nor_rejects_a_key(answer: httpx2.Response | Exception) -> None:
    found = checked(answer)
    assert (found.state, found.starters) == ("unchecked", {})
    assert found.sentence.startswith(f"{NAME} is set and could not be checked: ")


def test_what_says_nothing_of_a_key_leaves_it_unchecked_and_what_can_be_none_is_rejected() -> None:
    open_service = checked(httpx2.Response(200, json=LISTED), without_key=200)
    no_service = check_key(ServiceLists(), SPECS, "OTHER_KEY", ApiKeys({"OTHER_KEY": KEY}))
    assert (open_service.state, no_service.state) == ("unchecked", "unchecked")
    assert checked(AssertionError("nothing is sent"), key="sk-\u043a\u043b").state == "rejected"


# --- what a service lists

TODAY = ("gpt-4o", "gpt-5.4-mini", "gpt-5.4", "gpt-image-2.5-flare", "gpt-audio", "whisper-1")


def family(name: str) -> ModelSpec:
    return read_models()[f"{name}/*"]


def test_preferred_models_are_chosen_with_their_price_and_what_nobody_fills_is_said() -> None:
    starters = starter_models(listed_models(family("openai"), [{"id": name} for name in TODAY]))
    assert starters["generator"].id == "openai/gpt-image-2.5-flare"
    assert starters["judge"].id == starters["writer"].id == "openai/gpt-5.4-mini"
    # 1,056 tokens at 30 USD a million, and 60 at 5
    assert starters["generator"].cost == pytest.approx(0.03198)
    said = starters_sentence(KeyCheck(state="accepted", sentence="", starters=starters))
    assert "gpt-image-2.5-flare draws, about 0.0320 USD an image" in said
    assert "genai-prices" in said
    words: dict[Role, StarterModel] = {role: starters[role] for role in ("judge", "writer")}
    without = KeyCheck(state="accepted", sentence="", starters=words)
    said = starters_sentence(without)
    assert "None of its models draws images; models of openai, gemini, hf-images do." in said


def test_abilities_and_prices_are_those_that_a_service_states() -> None:
    sees = {"input_modalities": ["text", "image"], "output_modalities": ["text"]}
    reads = {"input_modalities": ["text"], "output_modalities": ["text"]}
    open_router = listed_models(
        family("openrouter"),
        [
            {
                "id": "a/b",
                "architecture": sees,
                "pricing": {"prompt": "5e-7", "completion": "2e-6"},
            },
            {"id": "a/c", "architecture": reads, "pricing": {"prompt": "-1", "completion": "-1"}},
        ],
    )
    assert [spec.roles for spec in open_router] == [("judge", "captioner", "writer"), ("writer",)]
    price = open_router[0].price
    assert price is not None
    assert price.input == pytest.approx(0.5)
    assert price.output == pytest.approx(2.0)
    assert "openrouter" in price.source
    assert open_router[1].price is None
    live = {"status": "live", "pricing": {"input": 0.1, "output": 0.4}}
    dear = {"status": "live", "pricing": {"input": 0.2, "output": 0.3}}
    gone = {"status": "staging", "pricing": {"input": 9.0, "output": 9.0}}
    (routed,) = listed_models(
        family("hf"), [{"id": "a/d", "architecture": sees, "providers": [live, dear, gone]}]
    )
    assert routed.price is not None
    assert (routed.price.input, routed.price.output) == (0.2, 0.4)


def test_a_price_that_a_service_says_later_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_of_nobody")
    registry = ModelRegistry(read_models())
    assert registry.bind("hf/a/d").price is None
    listed = replace(registry.spec("hf/a/d"), price=Price("2026-01-01", input=1.0))
    registry.lists.keep(family("hf"), ApiKeys({"HF_TOKEN": KEY}), [listed])
    assert registry.bind("hf/a/d").price == listed.price


def test_a_model_that_is_not_listed_is_not_to_be_had_with_that_key() -> None:
    lists, keys = ServiceLists(), ApiKeys({"OPENAI_API_KEY": KEY})
    models = listed_models(family("openai"), [{"id": name} for name in TODAY])
    lists.keep(family("openai"), keys, models)

    def reason(name: str, own: ApiKeys = keys) -> str | None:
        spec = find(read_models(), f"openai/{name}")
        assert spec is not None
        return lists.unlisted_reason(family("openai"), spec, own)

    assert reason("gpt-4o") is None
    assert "gpt-image-2.5-flare" in str(reason("dall-e-3"))
    assert "gpt-5.4-mini" in str(reason("no-such-model"))
    assert reason("no-such-model", ApiKeys({"OPENAI_API_KEY": "sk-of-another"})) is None


def test_a_coming_end_is_a_warning_and_every_successor_is_still_there() -> None:
    deprecated = find(read_models(), "gemini/gemini-3-pro-preview")
    assert deprecated is not None
    end = retirement(deprecated)
    assert end is not None, "the package of prices says so"
    assert not end.is_over(), "it still answers"
    assert "deprecated" in end.sentence(deprecated.title)
    assert ServiceLists().unlisted_reason(family("gemini"), deprecated, ApiKeys()) is None
    for facts in read_services().values():
        gone = {name for each in facts.retired for name in each.names}
        wanted = {each.instead for each in facts.retired}
        wanted |= {name for names in facts.prefer.values() for name in names}
        assert not gone & wanted, facts.id
