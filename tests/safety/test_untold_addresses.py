"""A public app tells visitors by its name which service failed, and nowhere where it lives."""

import pytest

from hallascope.backends.network import service_addresses
from hallascope.backends.openai import connection, errors
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.backends.openai.errors import parse_error
from hallascope.data.models.specs import ModelSpec

INNER = "proxy.internal.example"


SPEC = ModelSpec(
    id="acme/judge",
    title="Judge",
    roles=("judge",),
    backend="openai",
    kind="api",
    base_url=f"https://{INNER}:8443/v1",
)


def test_on_a_public_app_a_service_goes_by_its_name_and_its_own_words_lose_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    who = OpenAICompatible(SPEC)._identity
    said = parse_error(
        500, {"error": {"message": f"upstream HTTPS://{INNER}:8443/v1 at {INNER.upper()} is down"}}
    )
    found = str(errors.call_fault(who.scrub_error(said), who))
    assert found.startswith(
        "acme has a fault (HTTP 500) (it says: “upstream acme at acme is down”)"
    )
    assert str(connection.transport_fault(OSError(), who)).startswith("acme could not be reached")


def test_on_ones_own_machine_the_address_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HALLASCOPE_PUBLIC", raising=False)
    assert str(connection.transport_fault(OSError(), OpenAICompatible(SPEC)._identity)).startswith(
        f"{INNER}:8443 could not be reached"
    )
    local = ModelSpec(
        id="gone/judge",
        title="Judge",
        roles=("judge",),
        backend="openai",
        kind="local",
        base_url="http://127.0.0.1:1/v1",
    )
    assert "nothing answers at http://127.0.0.1:" in str(service_addresses.trouble(local))


def test_a_service_without_a_name_before_its_model_goes_by_the_title(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    assert (
        service_addresses.service_name(
            ModelSpec(
                id="judge",
                title="My judge",
                roles=("judge",),
                backend="openai",
                base_url="https://x.example",
            )
        )
        == "My judge"
    )
