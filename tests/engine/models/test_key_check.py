"""A typed key is checked at its service, and the cheapest models that it lists come first."""

import httpx
import pytest

from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.engine.models.key_check import check_key, starter_models

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


def checked(answer: httpx.Response | Exception, without_key: int = 401, key: str = KEY):  # type: ignore[no-untyped-def]
    def serve(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/models"
        if request.headers["authorization"] != f"Bearer {key}":
            return httpx.Response(without_key, json=LISTED)
        if isinstance(answer, Exception):
            raise answer
        return answer

    client = httpx.Client(transport=httpx.MockTransport(serve))
    return check_key(SPECS, NAME, ApiKeys({NAME: key}), client, lambda host: ["93.184.215.14"])


def test_an_accepted_key_brings_the_cheapest_listed_model_of_each_role() -> None:
    found = checked(httpx.Response(200, json=LISTED))
    assert found.state == "accepted"
    assert {role: starter.id for role, starter in found.starters.items()} == {
        "generator": "pretend/painter",
        "judge": "pretend/cheap",
        "writer": "pretend/cheap",
    }
    assert found.starters["generator"].cost == pytest.approx(0.04)


def test_a_wrong_key_is_rejected_in_a_sentence_that_does_not_hold_it() -> None:
    found = checked(httpx.Response(401, json={"error": {"message": f"Incorrect API key: {KEY}"}}))
    assert (found.state, found.starters) == ("rejected", {})
    assert NAME in found.sentence
    assert KEY not in found.sentence


@pytest.mark.parametrize(
    "answer",
    [
        httpx.ConnectError("no route"),
        httpx.ReadTimeout("slow"),
        httpx.Response(429, json={"error": {"message": "slow down"}}),
        httpx.Response(503, text="down"),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"data": "none"}),
    ],
    ids=["connection", "time-out", "429", "503", "no JSON", "no list"],
)
def test_an_outage_neither_accepts_nor_rejects_a_key(answer: httpx.Response | Exception) -> None:
    found = checked(answer)
    assert (found.state, found.starters) == ("unchecked", {})
    assert found.sentence.startswith(f"{NAME} is set and could not be checked: ")


def test_what_says_nothing_of_a_key_leaves_it_unchecked_and_what_can_be_none_is_rejected() -> None:
    open_service = checked(httpx.Response(200, json=LISTED), without_key=200)
    no_service = check_key(SPECS, "OTHER_KEY", ApiKeys({"OTHER_KEY": KEY}))
    assert (open_service.state, no_service.state) == ("unchecked", "unchecked")
    assert checked(AssertionError("nothing is sent"), key="sk-\u043a\u043b").state == "rejected"


def test_only_listed_models_with_a_price_are_chosen() -> None:
    assert starter_models(SPECS, frozenset({"unpriced"})) == {}
    only = starter_models(SPECS, frozenset({"token-painter", "painter"}))
    assert [starter.id for starter in only.values()] == ["pretend/token-painter"]
