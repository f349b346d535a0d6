"""What depends on whether the app is public."""

import pytest

from hallascope.engine.deployment import hosting
from hallascope.engine.deployment.hosting import (
    LOCAL_SESSION_LIMIT,
    QUEUE_LIMIT,
    SESSION_LIMIT,
    UNBOUNDED,
    file_limit,
    logs_in,
    public,
    queue_limit,
    session_limit,
)

VARIABLES = (
    "HALLASCOPE_PUBLIC",
    "HALLASCOPE_QUEUE",
    "HALLASCOPE_SESSIONS",
    "HALLASCOPE_PRELOAD",
    "SPACE_ID",
    "OAUTH_CLIENT_ID",
)


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("variable, value", [("HALLASCOPE_PUBLIC", "1"), ("SPACE_ID", "me/it")])
def test_only_a_public_app_has_few_places_and_named_limits_hold_everywhere(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    assert (public(), queue_limit(), session_limit()) == (False, None, LOCAL_SESSION_LIMIT)
    assert file_limit() == "2gb"
    monkeypatch.setenv(variable, value)
    assert (public(), queue_limit(), session_limit()) == (True, QUEUE_LIMIT, SESSION_LIMIT)
    assert file_limit() == "25mb"
    for said, limits in ((" 7 ", (7, 7)), ("none", (None, UNBOUNDED))):
        monkeypatch.setenv("HALLASCOPE_QUEUE", said)
        monkeypatch.setenv("HALLASCOPE_SESSIONS", said)
        assert (queue_limit(), session_limit()) == limits


@pytest.mark.parametrize("missing", [None, "SPACE_ID", "OAUTH_CLIENT_ID", "authlib"])
def test_visitors_log_in_only_on_a_space_that_has_all_it_takes(
    monkeypatch: pytest.MonkeyPatch, missing: str | None
) -> None:
    for name in {"SPACE_ID", "OAUTH_CLIENT_ID"} - {missing}:
        monkeypatch.setenv(str(name), "x")
    monkeypatch.setattr(hosting, "find_spec", lambda name: None if name == missing else object())
    assert logs_in() is (missing is None)
