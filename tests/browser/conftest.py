"""One chromium for all tests in a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.driving import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found
