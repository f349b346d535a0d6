"""A visitor is a hash, has one run at a time, types keys, caps and numbers, and chooses models."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.components.tiles.tile import Tile
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.access.limits import IMAGES
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.deployment.hosting import UPLOAD_LIFETIME
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.ihalla import summarize_results
from hallascope.engine.models.registry import ModelAvailability
from hallascope.engine.services import Services
from hallascope.engine.storage.ledger import Account, nano
from hallascope.engine.trials.records import Reliability, Share
from hallascope.engine.trials.store import TrialStore
from hallascope.pages.shared import model_picker, public_notice, run_buttons, spending
from hallascope.pages.shared.download_folder import own_folder
from hallascope.pages.shared.key_vault import MAX_LENGTH, KeyVault
from hallascope.pages.shared.numbers import parse_whole
from hallascope.pages.shared.reliability import with_reliability
from hallascope.pages.shared.visitor import as_visitor, services_of, visitor_of
from tests.support.tiles import tile
from tests.support.visitor_requests import HOME, browser_request, visitor_request

# --- who it is ---


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")


def test_on_ones_own_machine_everybody_is_the_operator(services: Services) -> None:
    assert visitor_of(services, browser_request(services)) is None
    assert services_of(services, visitor_request(HOME)) is services


@pytest.mark.usefixtures("public")
def test_a_visitor_is_known_by_login_or_by_the_cookie_and_never_by_the_address(
    services: Services,
) -> None:
    logged = {"oauth_info": {"userinfo": {"preferred_username": "ada"}}}
    ada = visitor_of(services, visitor_request(session=logged))
    assert ada == visitor_of(services, browser_request(services, peer=HOME, session=logged))
    assert visitor_of(services, None) == Visitor()
    nobody = visitor_of(services, visitor_request(HOME))
    assert nobody == visitor_of(services, visitor_request(HOME, x_forwarded_for="8.8.8.8"))
    assert nobody
    assert nobody.id == ""
    asker = browser_request(services)
    known = visitor_of(services, asker)
    assert known
    assert known.id
    # a component's server function gets the request itself
    assert visitor_of(services, asker.request) == known  # type: ignore[arg-type]


@pytest.mark.usefixtures("public")
@pytest.mark.parametrize(
    "session",
    [
        {"oauth_info": None},
        {"oauth_info": {"userinfo": []}},
        {"oauth_info": {"userinfo": {"preferred_username": 1}}},
    ],
)
def test_a_session_of_any_form_is_read(services: Services, session: Any) -> None:
    found = visitor_of(services, visitor_request(HOME, session=session))
    assert found == visitor_of(services, visitor_request(HOME))


# --- what they are told ---


def test_a_visitor_is_told_what_is_counted_and_by_what() -> None:
    by_login = public_notice.notice_html(IMAGES, login=True)
    assert "by your login, or a hash of your address" in by_login
    assert "A visitor has 48 images a minute, 480 images a day." in by_login
    assert "by a hash of your address" in public_notice.notice_html(IMAGES, login=False)
    assert "counts" not in public_notice.notice_html((), login=False)


# --- keys, caps and numbers ---


def test_a_typed_key_is_taken_by_its_name_and_an_empty_one_is_not() -> None:
    vault, asker = KeyVault(), gr.Request(session_hash="mine")
    for name, typed in (("A_KEY", "secret-secret"), ("B_KEY", "")):
        spending.key_handler(vault, name)(typed, 0, asker)
    box, _ = spending.key_handler(vault, "B_KEY")("x" * (MAX_LENGTH + 1), 0, asker)
    assert box.placeholder == spending.EMPTY
    found = spending.spending_policy(spending.typed_keys(vault.get("mine")), 1.5, None, False)
    held = [found.keys.is_session_key(name) for name in ("A_KEY", "B_KEY")]
    assert (held, found.run, found.day) == ([True, False], 1.5, None)
    assert "secret" not in repr(found)


def test_the_panel_says_what_may_have_been_lost_beside_what_was_spent() -> None:
    ledger = SimpleNamespace(account=lambda run: Account(0, 0, nano(0.5), 0, 0, nano(0.25)))
    services: Any = SimpleNamespace(store=SimpleNamespace(ledger=ledger))
    assert (
        "0.25 USD spent today by all runs on this server, and up to 0.25 USD more for calls that"
        " were cut off or not counted." in spending.spent_today_html(services)
    )


LOW, HIGH = 1, 16
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())
)


@given(ANYTHING)
def test_whatever_a_field_holds_gives_a_number_within_the_bounds_or_a_sentence(
    value: object,
) -> None:
    for number in (LOW, float(HIGH)):
        assert parse_whole(number, "number of images", LOW, HIGH) == number
    with suppress(BadRequest):
        assert LOW <= parse_whole(value, "number of images", LOW, HIGH) <= HIGH  # type: ignore[arg-type]


# --- models and their reliability ---


def test_the_embedded_judge_is_chosen_only_where_no_other_can_run() -> None:
    def model(name: str, kind: Any, reason: str | None = None) -> ModelAvailability:
        return ModelAvailability(
            ModelSpec(id=name, title=name, roles=("judge",), backend="scripted", kind=kind), reason
        )

    embedded, other, closed = (
        model("primer/judge", "trained"),
        model("a/judge", "api"),
        model("b/judge", "api", "no key"),
    )
    assert model_picker.prefer_reasoning([embedded, closed, other], []) == ["a/judge"]
    assert model_picker.prefer_reasoning([embedded, closed], []) == ["primer/judge"]
    assert model_picker.prefer_reasoning([embedded, other], ["primer/judge"]) == ["primer/judge"]
    assert model_picker.prefer_reasoning([closed], []) == []


def looked_up(services: Services, shown: Tile) -> Tile:
    (found,) = with_reliability(services, [shown])
    return found


def test_a_tile_says_what_its_judges_trial_says_of_its_kinds_of_question(
    services: Services,
) -> None:
    counting = Reliability(Share(1, 2), Share(3, 4))
    trial = replace(
        summarize_results("test/judge", []),
        reliability=counting,
        reliability_by_coi={"counting": counting},
    )
    TrialStore(services.store.folder).keep(trial)
    found = looked_up(services, tile(judge="test/judge")).reliability
    assert found
    assert found.sensitivity
    assert found.specificity
    assert (found.sensitivity.value, found.specificity.value) == (0.5, 0.75)
    others: tuple[dict[str, Any], ...] = (
        {"judge": "test/other"},
        {"judge": None},
        {"judge": "test/judge", "questions": ()},
        {"judge": "test/judge", "presents": "graph"},
    )
    assert [looked_up(services, tile(**said)).reliability for said in others] == [None] * 4


# --- runs and files ---


def test_a_visitor_has_one_run_at_a_time_and_stop_reaches_it_also_while_it_waits_its_turn() -> None:
    held = run_buttons.StopSignals()
    assert held.start("me") is None, "nothing was asked for"
    held.ask("me")
    held.stop("me")
    waited = held.start("me")
    assert waited is not None
    assert waited.is_set()
    held.ask("me")
    assert held.start("me") is None, "one is in progress"
    held.ask("you")
    other = held.start("you")
    assert other is not None
    assert not other.is_set()
    held.end("me")
    held.ask("me")
    again = held.start("me")
    assert again is not None
    assert not again.is_set()


def test_who_left_while_they_waited_is_forgotten_and_who_runs_is_not() -> None:
    held = run_buttons.StopSignals()
    held.ask("runs")
    held.start("runs")
    for number in range(run_buttons.MAX_REQUESTS + 1):
        held.ask(f"left {number}")
    assert held.start("left 0") is None
    assert held.start("left 1") is not None
    assert held.is_running("runs")
    held.stop("runs")


def test_a_folder_past_its_time_is_deleted(tmp_path: Path) -> None:
    old, new = own_folder(tmp_path, "old"), own_folder(tmp_path, "new")
    (old / "file.json").write_text("{}")
    past = old.stat().st_mtime - UPLOAD_LIFETIME - 60
    os.utime(old, (past, past))
    (tmp_path / "deleted").symlink_to("meanwhile")
    own_folder(tmp_path, "another")
    assert not old.exists()
    assert new.exists()


@pytest.mark.usefixtures("public")
def test_a_handler_acts_as_who_asks(services: Services) -> None:
    asker = browser_request(services)
    handle = as_visitor(services, lambda own, value: (own.store.database.visitor, value))
    assert handle(asker, 3) == (visitor_of(services, asker), 3)


def test_what_is_kept_is_told_whatever_the_limits() -> None:
    notice = public_notice.notice_html((), login=False)
    assert all(sentence in notice.unescape() for sentence in public_notice.KEPT)
