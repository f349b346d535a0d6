"""What depends on whether the app is public."""

from collections.abc import Callable

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
from hallascope.engine.errors import BadRequest

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


@pytest.mark.parametrize(("variable", "value"), [("HALLASCOPE_PUBLIC", "1"), ("SPACE_ID", "me/it")])
def test_only_a_public_app_has_few_places(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    assert (public(), queue_limit(), session_limit()) == (False, None, LOCAL_SESSION_LIMIT)
    monkeypatch.setenv(variable, value)
    assert (public(), queue_limit(), session_limit()) == (True, QUEUE_LIMIT, SESSION_LIMIT)


@pytest.mark.parametrize("is_public", [False, True])
def test_a_limit_that_is_named_holds_everywhere_and_none_is_no_limit(
    monkeypatch: pytest.MonkeyPatch, is_public: bool
) -> None:
    monkeypatch.setattr(hosting, "public", lambda: is_public)
    monkeypatch.setenv("HALLASCOPE_QUEUE", " 7 ")
    monkeypatch.setenv("HALLASCOPE_SESSIONS", "9")
    assert (queue_limit(), session_limit()) == (7, 9)
    monkeypatch.setenv("HALLASCOPE_QUEUE", "none")
    monkeypatch.setenv("HALLASCOPE_SESSIONS", "none")
    assert (queue_limit(), session_limit()) == (None, UNBOUNDED)


@pytest.mark.parametrize(
    ("variable", "read"),
    [("HALLASCOPE_QUEUE", queue_limit), ("HALLASCOPE_SESSIONS", session_limit)],
)
def test_a_limit_that_is_no_number_is_one_sentence_with_its_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, read: Callable[[], object]
) -> None:
    monkeypatch.setenv(variable, "soon")
    with pytest.raises(BadRequest, match=f"{variable} is 'soon'"):
        read()


@pytest.mark.parametrize("missing", [None, "SPACE_ID", "OAUTH_CLIENT_ID", "authlib"])
def test_visitors_log_in_only_on_a_space_that_has_all_it_takes(
    monkeypatch: pytest.MonkeyPatch, missing: str | None
) -> None:
    for name in {"SPACE_ID", "OAUTH_CLIENT_ID"} - {missing}:
        monkeypatch.setenv(str(name), "x")
    monkeypatch.setattr(hosting, "find_spec", lambda name: None if name == missing else object())
    assert logs_in() is (missing is None)


def test_only_on_ones_own_machine_a_browser_may_bring_a_whole_benchmark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert file_limit() == "2gb"
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    assert file_limit() == "25mb"
