"""A login with Hugging Face fills every role with open models that the router lists."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import gradio as gr
import pytest

from hallascope.data.models.specs import read_models
from hallascope.data.requests import Role
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.shared.key_vault import KeyVault
from hallascope.pages.shared.spending import (
    ModelPicker,
    check_handler,
    login_handler,
    typed_keys,
)
from tests.support.service import KEY, Service, hub_pointed, served

ASKER = cast("gr.Request", SimpleNamespace(session_hash="a-session"))
ROLES: tuple[Role, ...] = ("generator", "judge", "writer")


@pytest.fixture
def router(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Service]]:
    for name in ("HF_TOKEN", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with served("router") as (address, found), hub_pointed(address):
        yield address, found


@pytest.fixture
def services(router: tuple[str, Service], tmp_path: Path) -> Iterator[Services]:
    address, _ = router
    models = dict(read_models())
    models["hf/*"] = replace(models["hf/*"], base_url=address)
    opened = Services(Store(folder=tmp_path / "home"), models)
    yield opened
    opened.store.close()


def log_in(services: Services) -> tuple[KeyVault, dict[Role, str], str, Any]:
    """Return the vault, the model of each role, what the page says, and the box of consent."""
    vault = KeyVault()
    token = cast("gr.OAuthToken", SimpleNamespace(token=KEY))
    assert login_handler(vault)(0, ASKER, token) == 1
    chosen: dict[Role, str] = {}

    def picker(role: Role) -> ModelPicker:
        def fill(ids: Any, asker: gr.Request) -> Any:
            chosen[role] = ids[0]

        return ModelPicker(role, cast("gr.Dropdown", None), fill, shared=True)

    check = check_handler(services, vault, [picker(role) for role in ROLES])
    *_, (line, consent, *_) = check(ASKER, ["primer/exact"], "primer/judge", "none")
    return vault, chosen, str(line), consent


def test_one_click_fills_all_roles_and_any_prompt_gets_a_score(
    services: Services, router: tuple[str, Service]
) -> None:
    vault, chosen, said, consent = log_in(services)
    assert chosen["generator"].startswith("hf-images/")
    assert chosen["judge"] == chosen["writer"]
    assert chosen["judge"].startswith("hf/Qwen/")
    assert "draws, at a price that is not known" in said
    assert "judges, about 0." in said
    assert consent.value is True
    request = EvaluateRequest(
        prompt="Albert Einstein holding a sunflower",
        models=(chosen["generator"],),
        judge=chosen["judge"],
        writer=chosen["writer"],
    )
    terms = SpendingPolicy(keys=typed_keys(vault.get("a-session")), unpriced=True)
    for _ in services.write_missing_questions(request, terms):
        pass
    events = list(services.evaluate(request, threading.Event(), terms))
    (judged,) = [event.evaluation for event in events if isinstance(event, Evaluated)]
    assert [verdict.answer for verdict in judged.report.verdicts] == ["A"] * 5


def test_keys_that_are_forgotten_leave_no_line_of_theirs(services: Services) -> None:
    vault = KeyVault()
    vault.set_key("a-session", "A", KEY)
    vault.take_unchecked("a-session")
    check = check_handler(services, vault, [])
    assert [line for line, _ in check(ASKER)] == [gr.skip()]
    vault.clear("a-session")
    assert [line for line, _ in check(ASKER)] == [""]


def test_what_a_login_may_use_is_not_offered_to_others(services: Services) -> None:
    vault, chosen, _, _ = log_in(services)
    offered = {
        model.spec.id
        for model in services.registry.models("judge", typed_keys(vault.get("a-session")))
    }
    assert chosen["judge"] in offered
    others = {model.spec.id for model in services.registry.models("judge")}
    assert chosen["judge"] not in others
