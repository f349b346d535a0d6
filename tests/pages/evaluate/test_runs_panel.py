"""The panel lists, names, pins and deletes runs; visitors see their own alone."""

import re
from collections.abc import Callable
from typing import Any

import gradio as gr
import pytest

from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.storage.catalog import CatalogRun, ListedRun, MeanScore
from hallascope.pages.evaluate import runs_panel
from hallascope.pages.evaluate.run_list import list_html
from hallascope.pages.shared.server_functions import server_functions
from hallascope.pages.shared.visitor import visitor_of
from tests.support.tiles import EVIL, no_markup_of
from tests.support.visitor_requests import browser_request, visitor_request

METHANE = "a molecule of methane"
Panel = dict[str, Callable[..., dict[str, Any]]]


def evaluate(services: Any, asker: gr.Request | None = None, prompt: str = METHANE) -> str:
    request = EvaluateRequest(prompt=prompt, models=("primer/exact",))
    events = list(
        services.evaluate(request, terms=SpendingPolicy(visitor=visitor_of(services, asker)))
    )
    return str(events[0].run)


@pytest.fixture
def panel(services: Any) -> Panel:
    names = ("list_runs", "rename", "pin", "plan_deletion", "delete")
    functions = server_functions(services, *(getattr(runs_panel, name) for name in names))
    return dict(zip(names, functions, strict=True))


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")


def test_an_empty_list_and_a_search_that_finds_nothing_say_so(services: Any, panel: Panel) -> None:
    asker = visitor_request()
    assert "No run is stored yet" in panel["list_runs"]({}, asker)["html"]
    evaluate(services)
    assert "No run contains “zebra”" in panel["list_runs"]({"text": "zebra"}, asker)["html"]


@pytest.mark.parametrize(
    "name, sent",
    [
        ("list_runs", {"limit": 10**9}),
        ("list_runs", {"text": ["x"]}),
        ("rename", {"run": "x"}),
        ("pin", {"run": "x", "pinned": "perhaps"}),
        ("delete", None),
        ("pin", {"run": "a", "pinned": True, "more": 1}),
        ("plan_deletion", {"run": "no such run"}),
        ("delete", {"run": "x" * 1000}),
    ],
)
def test_what_cannot_be_done_is_a_sentence(panel: Panel, name: str, sent: Any) -> None:
    result = panel[name](sent, visitor_request())
    assert list(result) == ["wrong"]
    assert result["wrong"].rstrip().endswith((".", "?"))


@pytest.mark.usefixtures("public")
def test_a_visitor_of_a_public_app_sees_and_deletes_their_own_runs_alone(
    services: Any, panel: Panel
) -> None:
    ann, bo = browser_request(services), browser_request(services)
    run = evaluate(services, ann)
    assert panel["list_runs"]({}, ann)["total"] == 1
    assert panel["list_runs"]({}, bo)["total"] == 0, "though both have the same address"
    for name, sent in (
        ("rename", {"name": "x"}),
        ("pin", {"pinned": True}),
        ("plan_deletion", {}),
        ("delete", {}),
    ):
        assert "No run" in panel[name]({"run": run, **sent}, bo)["wrong"]
    assert services.store.has_run(run)
    assert panel["delete"]({"run": run}, ann) == {"deleted": [run]}
    assert not services.store.has_run(run)


@pytest.mark.usefixtures("public")
def test_a_visitor_without_cookie_or_login_has_no_list(services: Any, panel: Panel) -> None:
    nobody = visitor_request()
    run = evaluate(services, nobody)
    assert "cookie" in panel["list_runs"]({}, nobody)["html"]
    assert "wrong" in panel["delete"]({"run": run}, nobody)
    session = {"oauth_info": {"userinfo": {"preferred_username": "ann"}}}
    here, there = visitor_request(session=session), browser_request(services, session=session)
    evaluate(services, here)
    assert panel["list_runs"]({}, there)["total"] == 1, "a login is the same in every browser"


@pytest.mark.usefixtures("public")
def test_what_was_stored_before_a_visitor_came_is_not_theirs_to_delete(
    services: Any, panel: Panel
) -> None:
    run = evaluate(services)
    ann = browser_request(services)
    evaluate(services, ann)
    assert panel["list_runs"]({}, ann)["total"] == 1
    assert "off your list" in panel["plan_deletion"]({"run": run}, ann)["sentence"]
    panel["delete"]({"run": run}, ann)
    assert panel["list_runs"]({}, ann)["total"] == 0
    assert services.store.has_run(run)


RUN = ListedRun(
    id="run1",
    is_sweep=False,
    title="a cat",
    note=EVIL,
    is_pinned=True,
    created=1767322980.0,
    state="finished",
    runs=(CatalogRun("run1", "a cat"),),
    models=("m/one", "m/two"),
    judges=("j/one",),
    images=2,
    scores=(MeanScore("ihalla", 0.5, 2, 1),),
)


def test_a_run_says_name_date_models_judge_images_and_scores(services: Any) -> None:
    html = list_html([RUN], services.store.images, 1, "")
    words = re.sub(r"<[^>]*>", " ", html)
    about = "2026-01-02 03:03 UTC · m/one, m/two · judge j/one · 2 images"
    score = "I-HallA 0.50 (2 images, 1 left out)"
    for text in ("Pinned", about, "a cat", score, "Unpin", "Rename", "Delete"):
        assert text in words
    assert no_markup_of(EVIL, html)
    assert "Show more" not in html
