"""What tests in a browser show: dashboards that a worker shares, and the evidence viewer alone."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.apps import running
from tests.support.browser import SCREENSHOTS, Show, ready, visit
from tests.support.shared_apps import SharedApps


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what the pages of a test that fails show."""
    report = yield
    browser = item.funcargs.get("browser")
    if report.failed and isinstance(browser, Browser):
        pages = [page for context in browser.contexts for page in context.pages]
        for number, page in enumerate(pages):
            page.screenshot(path=SCREENSHOTS / f"{item.name}-{number}.png")
            page.context.close()
    return report


@pytest.fixture
def address(apps: SharedApps) -> str:
    """The address of a dashboard on a scripted judge, with what other tests stored in it."""
    return apps.shared()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """That dashboard, whose prompts to try can be clicked."""
    with visit(browser, address) as found:
        ready(found, "prompts-to-try")
        yield found


@pytest.fixture
def shipped(apps: SharedApps) -> str:
    """The address of a dashboard with the models that ship, with what other tests stored in it."""
    return apps.shared("shipped", 0.0)


@pytest.fixture(scope="session")
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
            ready(page, "evidence")
            return page

        yield open_
