"""A public app says what it records and how much a visitor may have; another app says nothing."""

from typing import Any

import pytest

from hallascope.engine.deployment.rate_limit import PictureLimits
from hallascope.pages.shared import public_notice


def test_a_visitor_is_told_by_what_pictures_are_counted() -> None:
    limits = PictureLimits(48, 480)
    by_login = public_notice.notice_html(limits, login=True)
    assert "counted by your login, or a hash of your address" in by_login
    assert "(at most 48 a minute and 480 a day)" in by_login
    assert "counted by a hash of your address" in public_notice.notice_html(limits, login=False)


def test_a_limit_that_is_not_set_is_not_told() -> None:
    by_day = public_notice.notice_html(PictureLimits(None, 1000), login=False)
    assert "(at most 1,000 a day)" in by_day
    assert "minute" not in by_day
    assert "counted" not in public_notice.notice_html(PictureLimits(), login=False)


def test_what_is_kept_is_told_whatever_the_limits() -> None:
    notice = public_notice.notice_html(PictureLimits(), login=False)
    assert all(sentence in notice.unescape() for sentence in public_notice.KEPT)


@pytest.mark.parametrize(("value", "ids"), [("0", []), ("1", ["notice-hint", "notice"])])
def test_the_notice_is_laid_out_on_a_public_app_alone(
    services: Any, monkeypatch: pytest.MonkeyPatch, value: str, ids: list[str]
) -> None:
    laid_out: list[str] = []
    monkeypatch.setenv("HALLASCOPE_PUBLIC", value)
    monkeypatch.setattr(public_notice, "still", lambda _, elem_id: laid_out.append(elem_id))
    public_notice.hint()
    public_notice.build(services)
    assert laid_out == ids
