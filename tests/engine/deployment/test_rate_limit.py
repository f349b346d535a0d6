"""What one visitor of a public app may have done: counted by login or address, in a minute and in a
day, and said in a sentence.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.deployment import rate_limit
from hallascope.engine.deployment.rate_limit import (
    PICTURES_A_DAY,
    PICTURES_A_MINUTE,
    OverLimit,
    PictureLimits,
    PictureQuota,
    picture_limits,
    visitor,
)
from hallascope.engine.errors import BadRequest


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


def test_however_many_visitors_come_only_so_many_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limit, "MAX_VISITORS", 50)
    allowed, _ = picture_quota(1, 1)
    for number in range(60):
        allowed.take(str(number), 1)
    assert len(allowed._taken) == 50
    with pytest.raises(OverLimit):
        allowed.take("59", 1)


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


def test_where_nothing_is_known_nobody_is_counted() -> None:
    assert visitor(None, None) == visitor(None, "testclient", "unknown, , 999.1.1.1") == ""


@given(st.text(max_size=40), st.text(max_size=80))
def test_any_header_is_read_without_an_error(peer: str, forwarded: str) -> None:
    assert len(visitor(None, peer, forwarded)) in (0, 24)
