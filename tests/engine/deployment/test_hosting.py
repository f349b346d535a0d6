"""What depends on whether the app is public, what one visitor may have done, and whose runs are
whose.
"""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.deployment import hosting, visitor_runs
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
from hallascope.engine.deployment.rate_limit import (
    PICTURES_A_DAY,
    PICTURES_A_MINUTE,
    OverLimit,
    PictureLimits,
    PictureQuota,
    list_owner,
    picture_limits,
    visitor,
)
from hallascope.engine.deployment.visitor_runs import VisitorRun, VisitorRuns
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


NUMBER = "0123456789abcdef" * 2


def test_what_is_noted_of_a_run_stays_when_it_is_asked_for_again() -> None:
    runs = VisitorRuns()
    runs.add("ann", "r", is_author=True)
    runs.change("ann", "r", name="Mine")
    runs.add("ann", "r", is_author=False)
    runs.change("ann", "r", is_pinned=True)
    assert runs.runs_of("ann") == {"r": VisitorRun(True, "Mine", True)}
    assert runs.is_sole_author("ann", "r")
    runs.change("bo", "r", name="Theirs")
    assert runs.runs_of("bo") == {}
    runs.add("bo", "r", is_author=False)
    assert not runs.is_sole_author("ann", "r")
    assert not runs.is_sole_author("bo", "r")
    runs.remove("ann", "r")
    assert (runs.runs_of("ann"), list(runs.runs_of("bo"))) == ({}, ["r"])


def test_nobody_in_particular_has_no_runs() -> None:
    runs = VisitorRuns()
    runs.add("", "r", is_author=True)
    assert runs.runs_of("") == {}


def test_the_oldest_are_forgotten_first() -> None:
    runs = VisitorRuns()
    for number in range(visitor_runs.MOST_RUNS + 1):
        runs.add("ann", str(number), is_author=True)
    assert len(runs.runs_of("ann")) == visitor_runs.MOST_RUNS
    assert "0" not in runs.runs_of("ann")


def test_a_list_belongs_to_a_login_else_to_a_browser_never_to_an_address() -> None:
    assert list_owner("Ann", "") == list_owner("ann", NUMBER)
    assert list_owner(None, NUMBER) == list_owner("", NUMBER) != ""
    assert list_owner(None, NUMBER) not in (list_owner(NUMBER, ""), NUMBER)
    for number in ("", "x", NUMBER.upper(), NUMBER + "0", NUMBER[:-1], f"{NUMBER}\n"):
        assert list_owner(None, number) == ""


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def picture_quota(minute: int | None, day: int | None) -> tuple[PictureQuota, Clock]:
    clock = Clock()
    return PictureQuota(PictureLimits(minute, day), clock), clock


def test_a_visitor_waits_for_the_minute_to_pass_and_is_told_how_long() -> None:
    allowed, clock = picture_quota(10, 100)
    allowed.take("me", 6)
    clock.now = 20
    allowed.take("me", 4)
    clock.now = 30
    with pytest.raises(
        OverLimit,
        match=r"has 10 images a minute, .* wait 30 s and start it again; what is there stays\.$",
    ):
        allowed.take("me", 6)
    with pytest.raises(OverLimit, match="wait 50 s"):
        allowed.take("me", 7)
    clock.now = 60
    allowed.take("me", 6)


def test_a_day_is_counted_beside_the_minutes() -> None:
    allowed, clock = picture_quota(10, 12)
    allowed.take("me", 10)
    clock.now = 3600
    with pytest.raises(OverLimit, match=r"12 images a day, .* wait 23 h"):
        allowed.take("me", 3)
    allowed.take("me", 2)
    clock.now = 86_400
    allowed.take("me", 10)


def test_what_can_never_fit_is_said_to_be_too_much_at_once() -> None:
    with pytest.raises(OverLimit, match=r"This is 11 images .* has 10 a minute: ask for fewer"):
        picture_quota(10, 100)[0].take("me", 11)


def test_what_is_refused_is_not_counted_and_nobody_takes_from_another() -> None:
    allowed, _ = picture_quota(10, 100)
    allowed.take("other", 10)
    with pytest.raises(OverLimit):
        allowed.take("me", 11)
    allowed.take("me", 10)


def test_without_a_limit_or_a_visitor_nothing_is_counted() -> None:
    picture_quota(None, None)[0].take("me", 10**9)
    picture_quota(1, 1)[0].take("", 10**9)


@given(st.lists(st.tuples(st.floats(0, 40), st.integers(1, 8)), max_size=60))
def test_no_minute_ever_holds_more_than_is_allowed(asked: Sequence[tuple[float, int]]) -> None:
    allowed, clock = picture_quota(10, 10_000)
    had: list[tuple[float, int]] = []
    for passed, number in asked:
        clock.now += passed
        try:
            allowed.take("me", number)
        except OverLimit:
            continue
        had.append((clock.now, number))
    assert all(
        sum(count for at, count in had if start <= at < start + 60) <= 10 for start, _ in had
    )


def test_the_environment_sets_the_limits_and_a_public_app_has_some_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (picture_limits(public=True), picture_limits(public=False)) == (
        PictureLimits(PICTURES_A_MINUTE, PICTURES_A_DAY),
        PictureLimits(),
    )
    monkeypatch.setenv("HALLASCOPE_PICTURES_A_MINUTE", "7")
    monkeypatch.setenv("HALLASCOPE_PICTURES_A_DAY", "none")
    assert picture_limits(public=True) == picture_limits(public=False) == PictureLimits(7, None)


@pytest.mark.parametrize("said", ["0", "-1", "many", "1.5", "٣", "1e9"])
def test_a_limit_that_is_no_number_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("HALLASCOPE_PICTURES_A_DAY", said)
    with pytest.raises(
        BadRequest, match=r"HALLASCOPE_PICTURES_A_DAY is .*: give a whole number from 1, or 'none'"
    ):
        picture_limits(public=True)


# --- who it is
# --------------------------------------------------------------------------------------------------

PROXY, HOME, AWAY = "10.16.3.80", "91.198.174.192", "8.8.8.8"


def test_a_visitor_is_a_hash_in_which_no_address_or_name_stands() -> None:
    found = visitor(None, HOME), visitor("someone", HOME)
    assert len(set(found)) == 2
    assert not any(HOME in one or "someone" in one for one in found)


def test_a_login_is_the_same_visitor_wherever_it_comes_from() -> None:
    assert visitor("Someone", HOME) == visitor("someone", AWAY) != visitor("other", HOME)


def test_behind_a_proxy_the_address_that_it_wrote_counts_and_not_what_the_visitor_wrote() -> None:
    assert (
        visitor(None, PROXY, HOME)
        == visitor(None, PROXY, f"{AWAY}, {HOME}")
        == visitor(None, PROXY, f"1.2.3.4, {HOME}, 10.0.0.1")
    )
    assert visitor(None, PROXY, HOME) != visitor(None, PROXY, AWAY)


def test_without_a_proxy_the_header_is_not_believed() -> None:
    assert visitor(None, HOME, AWAY) == visitor(None, HOME) == visitor(None, f"::ffff:{HOME}")


def test_neighbours_in_one_network_of_ipv6_are_one_visitor() -> None:
    assert visitor(None, "2a00:1450:4001:81b::200e") == visitor(None, "2a00:1450:4001:81b::1")
    assert visitor(None, "2a00:1450:4001:81b::200e") != visitor(None, "2a00:1450:4001:81c::200e")
