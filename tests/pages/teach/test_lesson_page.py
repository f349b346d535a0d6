"""A set as a page without a server holds everything and asks for nothing."""

import base64
import json
import re
from hashlib import sha256
from typing import Any

from hallascope.data.requests import Answer
from hallascope.data.teaching.lesson import DrawnItem, lesson, make_seal
from hallascope.engine.services import Services
from hallascope.pages.teach import lesson_page as site
from hallascope.primer.teaching.faults import FIRST
from tests.pages.teach.conftest import EVIL


def test_a_page_holds_everything_asks_for_nothing_and_runs_its_own_script_alone(
    services: Services,
) -> None:
    html = site.page(
        services,
        lesson(EVIL[:100], [FIRST, DrawnItem("a spider", "legs", 6)], make_seal("key")),
        None,
    )
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", html), "no address of anything else"
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in html
    assert html.count("<script") == 2
    assert "<img src=x" not in html
    (held,) = re.findall(
        r'<script type="application/json" id="held">(.*?)</script>', html, re.DOTALL
    )
    assert [item["told"]["answer"] for item in json.loads(held)["items"]] == [
        4,
        json.loads(held)["items"][1]["told"]["answer"],
    ]
    assert json.loads(held)["work"]["title"] == EVIL[:100]


def test_a_page_says_what_the_judge_says_or_why_it_does_not(make_services: Any) -> None:
    services = make_services(lambda ask: Answer("A"))
    assert "The judge primer/judge answers" in site.page(
        services, lesson("A", [FIRST]), "primer/judge"
    )
    assert "nobody/knows" in site.page(services, lesson("A", [FIRST]), "nobody/knows")
