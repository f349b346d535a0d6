"""What tests in a browser show: a dashboard as it ships, and the evidence viewer alone."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import dashboard
from tests.support.apps import running
from tests.support.browser import Show, visit


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one dashboard with the models that ship and no script."""
    with dashboard(tmp_path_factory.mktemp("shipped"), 0.0, "shipped") as found:
        yield found


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the viewer without the rest of the dashboard (`tests.support.viewer_app`)."""
    folder = tmp_path_factory.mktemp("viewer")
    with running(folder, "tests.support.viewer_app", folder) as found:
        yield found


@pytest.fixture
def show(browser: Browser, viewer: str) -> Iterator[Show]:
    """Opens the viewer with one of the things that `tests.support.viewer_app` knows."""
    with ExitStack() as opened:

        def open_(what: str) -> Page:
            page = opened.enter_context(visit(browser, viewer, f"?show={what}"))
            expect(page.locator("#evidence .exhibit").first).to_be_visible()
            return page

        yield open_
