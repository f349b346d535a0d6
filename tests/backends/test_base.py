"""A fault that may pass says whether the service may have charged for it."""

import pytest

from hallascope.backends.base import Transient
from hallascope.data.requests import Usage


@pytest.mark.parametrize(
    ("error", "charged"),
    [
        (Transient("Busy."), False),
        (Transient("Late.", "timeout"), True),
        (Transient("Cut off.", usage=Usage(1, 2)), True),
        (Transient("Never sent.", "timeout", may_be_charged=False), False),
    ],
)
def test_a_timeout_and_a_counted_reply_may_be_charged_unless_the_caller_knows(
    error: Transient, charged: bool
) -> None:
    assert error.may_be_charged is charged
