"""A point of the figure has the picture of its item where that is stored."""

import pytest

from hallascope.engine.services import Services
from hallascope.pages.agreement.rating_view import picture


@pytest.mark.parametrize("item", ["", "../../etc/passwd", "a" * 64, "A" * 64, "i1"])
def test_an_item_that_is_no_stored_picture_has_none(services: Services, item: str) -> None:
    assert picture(services, item) == ""
