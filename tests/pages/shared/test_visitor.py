"""A visitor is known by login or address, and only as a hash."""

from dataclasses import replace
from typing import Any

import pytest

from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.shared import visitor
from tests.support.visitor_requests import HOME, visitor_request


def test_a_visitor_is_known_by_login_or_by_the_address_that_the_proxy_tells() -> None:
    logged = {"oauth_info": {"userinfo": {"preferred_username": "ada"}}}
    assert (
        visitor.visitor_id(visitor_request(session=logged))
        == visitor.visitor_id(visitor_request(HOME, session=logged))
        != visitor.visitor_id(visitor_request(HOME))
    )
    assert visitor.visitor_id(visitor_request(x_forwarded_for=HOME)) == visitor.visitor_id(
        visitor_request(HOME)
    )
    assert visitor.visitor_id(visitor_request(None)) == ""
    assert visitor.add_visitor(SpendingPolicy(), None).visitor == ""


@pytest.mark.parametrize(
    "session",
    [
        {"oauth_info": None},
        {"oauth_info": {"userinfo": []}},
        {"oauth_info": {"userinfo": {"preferred_username": 1}}},
    ],
)
def test_a_session_of_any_form_is_read(session: Any) -> None:
    assert visitor.visitor_id(visitor_request(HOME, session=session)) == visitor.visitor_id(
        visitor_request(HOME)
    )


def test_what_a_component_asks_the_server_comes_from_the_same_visitor() -> None:
    asker = visitor_request(x_forwarded_for=HOME)
    assert visitor.visitor_id(asker.request) == visitor.visitor_id(asker)  # type: ignore[arg-type]


def test_the_visitor_is_a_hash_that_tells_neither_login_nor_address() -> None:
    logged = {"oauth_info": {"userinfo": {"preferred_username": "ada"}}}
    for request in (visitor_request(HOME), visitor_request(HOME, session=logged)):
        assert HOME not in visitor.visitor_id(request)
        assert "ada" not in visitor.visitor_id(request)


def test_the_policy_gets_the_visitor_and_keeps_all_else() -> None:
    policy = SpendingPolicy(run=2.0)
    counted = visitor.add_visitor(policy, visitor_request(HOME))
    assert counted.visitor == visitor.visitor_id(visitor_request(HOME)) != ""
    assert replace(counted, visitor=policy.visitor) == policy
