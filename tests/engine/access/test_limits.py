"""How much visitors may take: so much a minute, a day and in all, told in one sentence."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.access.limits import (
    DAY,
    FOR_GOOD,
    LIMITS,
    LISTS,
    MEGABYTE,
    MINUTE,
    TEXTS,
    Limit,
    OverLimit,
    Quota,
    Quotas,
    check_environment,
    check_texts,
)
from hallascope.engine.errors import BadRequest
from tests.support.clock import Clock

DOCS = Path(__file__).parents[3] / "docs" / "deploy.md"


def quota(minute: int | None, day: int | None = None) -> tuple[Quota, Clock]:
    clock = Clock()
    limits = (Limit("images", MINUTE, minute, "A"), Limit("images", DAY, day, "B"))
    return Quota(limits, clock), clock


def test_a_visitor_waits_for_the_minute_to_pass_and_is_told_how_long() -> None:
    allowed, clock = quota(10, 100)
    with pytest.raises(OverLimit, match=r"This is 11 images\. .* 10 images a minute: ask for less"):
        allowed.take("me", 11)  # is refused and not counted
    allowed.take("me", 6)
    clock.now = 20
    allowed.take("me", 4)
    allowed.take("other", 10)
    clock.now = 30
    with pytest.raises(OverLimit, match=r"has 10 images a minute, .* wait 30 s and try again;"):
        allowed.take("me", 6)
    with pytest.raises(OverLimit, match="wait 51 s"):
        allowed.take("me", 7)
    clock.now = 60
    allowed.take("me", 6)


def test_a_day_is_counted_beside_the_minutes() -> None:
    allowed, clock = quota(10, 12)
    allowed.take("me", 10)
    clock.now = 3600
    with pytest.raises(OverLimit, match=r"12 images a day, .* wait 23 h"):
        allowed.take("me", 3)
    allowed.take("me", 2)
    clock.now = 86_400
    allowed.take("me", 10)


def test_those_of_whom_nothing_is_known_count_together_and_without_a_limit_nobody() -> None:
    quota(None)[0].take("me", 10**9)
    allowed, _ = quota(3)
    allowed.take("", 3)
    with pytest.raises(OverLimit):
        allowed.take("")


def test_what_all_share_ends_for_everybody_and_what_was_there_before_counts() -> None:
    allowed = Quota(
        [Limit("MB", FOR_GOOD, 2, "A", is_shared=True, scale=MEGABYTE)], before=lambda: MEGABYTE
    )
    allowed.take("one", MEGABYTE // 2)
    with pytest.raises(OverLimit, match="All visitors together have 2 MB in all, and they are"):
        allowed.take("other", MEGABYTE)
    allowed.add("other", MEGABYTE)
    with pytest.raises(OverLimit):
        allowed.require_room("third", 1)


@given(st.lists(st.tuples(st.floats(0, 40), st.integers(1, 8)), max_size=60))
def test_no_minute_ever_holds_more_than_is_allowed(asked: Sequence[tuple[float, int]]) -> None:
    allowed, clock = quota(10, 10_000)
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


def test_the_environment_changes_a_limit_or_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLASCOPE_PICTURES_A_MINUTE", "7")
    monkeypatch.setenv("HALLASCOPE_PICTURES_A_DAY", "none")
    assert [limit.most for limit in Quotas().images.limits] == [7]
    for said in ("0", "1.5", "٣", "1e9"):
        monkeypatch.setenv("HALLASCOPE_KEPT_MB_A_DAY", said)
        with pytest.raises(
            BadRequest,
            match=r"HALLASCOPE_KEPT_MB_A_DAY is .*: give a whole number from 1, or 'none'",
        ):
            check_environment()


def test_a_text_that_is_too_long_is_one_sentence_with_both_numbers() -> None:
    check_texts("labeling_plan", [{"title": "x" * 120, "created": 1.0}])
    with pytest.raises(
        BadRequest, match="title of a labeling plan has 3,900,000 characters: shorten it to 120"
    ):
        check_texts("labeling_plan", [{"title": "x" * 3_900_000}])


def test_the_page_on_deployment_prints_every_limit() -> None:
    page = re.sub(r"\s+", " ", DOCS.read_text(encoding="utf-8"))
    for limit in LIMITS:
        assert f"| {limit.amount} | `{limit.variable}` |" in page
    texts = [bound for columns in TEXTS.values() for bound in columns.values()]
    for name, most in [*texts, *LISTS]:
        assert f"| {name} | {most:,} |" in page
