"""Keys and caps that a visitor types become the policy of what a run may spend."""

from types import SimpleNamespace
from typing import Any

import gradio as gr

from hallascope.engine.models.key_check import KeyCheck, StarterModel
from hallascope.pages.shared import spending
from hallascope.pages.shared.key_vault import KeyVault


def test_a_typed_key_is_taken_by_its_name_and_an_empty_one_is_not() -> None:
    vault, asker = KeyVault(), gr.Request(session_hash="mine")
    for name, typed in (("A_KEY", "secret-secret"), ("B_KEY", "")):
        spending.key_handler(vault, name)(typed, 0, asker)
    found = spending.spending_policy(spending.typed_keys(vault.get("mine")), 1.5, None, False)
    assert (
        found.keys.is_session_key("A_KEY"),
        found.keys.is_session_key("B_KEY"),
        found.run,
        found.day,
    ) == (
        True,
        False,
        1.5,
        None,
    )
    assert "secret" not in repr(found)


def test_the_panel_says_what_may_have_been_lost_beside_what_was_spent() -> None:
    services: Any = SimpleNamespace(spent_today=lambda: 0.5, unconfirmed_today=lambda: 0.25)
    assert (
        "0.25 USD spent today by all runs on this server, and up to 0.25 USD more for calls that"
        " were cut off or not counted." in spending.spent_today_html(services)
    )


def test_an_accepted_key_is_told_together_with_the_pickers_that_choose_its_models() -> None:
    def check_key(name: str, keys: Any) -> KeyCheck:
        starter = StarterModel(id="a/judge", title="A judge", cost=0.01)
        return KeyCheck(
            state="accepted", sentence=f"{name} is accepted.", starters={"judge": starter}
        )

    def filled(ids: Any, asker: gr.Request) -> Any:
        return list(ids)

    pickers: list[Any] = [
        SimpleNamespace(role=role, fill=filled) for role in ("generator", "judge")
    ]
    vault, asker = KeyVault(), gr.Request(session_hash="mine")
    services: Any = SimpleNamespace(check_key=check_key)
    check = spending.check_handler(services, vault, pickers)
    vault.set_key("mine", "A_KEY", "secret-secret")
    (waiting, *before), (told, *after) = check(asker, ["primer/exact"], ["primer/judge"])
    assert "checking A_KEY" in waiting
    assert before == [["primer/exact"], ["primer/judge"]]
    assert "Chosen: A judge judges" in told
    assert after == [gr.skip(), ["a/judge"]]
    (nothing, *again), *rest = check(asker, ["primer/exact"], ["a/judge"])
    assert (nothing, again, rest) == (gr.skip(), [["primer/exact"], ["a/judge"]], [])
