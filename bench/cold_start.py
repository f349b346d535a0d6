"""Measures how heavy the dashboard is beside an empty Gradio app, and a click after its start.

``python -m bench.cold_start``, a part of ``make bench``. Pages and clicks are those of chromium, as
a person's are. Exit code 1 where a bar is missed.
"""

import itertools
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import psutil
from playwright.sync_api import Browser, Page, expect

from bench.measuring import Row, finish, in_turns, launch, ratio_row
from hallascope.pages.evaluate.page import EXAMPLES
from tests.support.browser import chromium
from tests.support.shipped_app import DASHBOARD, PATIENCE, RunningApp, running_app

EMPTY_APP = (
    "import os, gradio as gr\nwith gr.Blocks() as demo:\n    gr.Markdown('empty')\n"
    "demo.launch(server_port=int(os.environ['GRADIO_SERVER_PORT']), ssr_mode=False, quiet=True)"
)
EMPTY = (sys.executable, "-c", EMPTY_APP)
# What is there when the page of an app is shown.
SHOWN = {DASHBOARD: "#generate", EMPTY: "text=empty"}
NODES = "document.querySelectorAll('*').length"
SETTLED = 1_000  # milliseconds after which all of a page is there
# A card says how many metrics have judged its image (components/cards); cards of the example and of
# an earlier run, which are of other prompts, stay until there are new ones.
IS_JUDGED = """(prompt) => [...document.querySelectorAll('#cards .pictures')].some(
    (grid) => grid.dataset.prompt === prompt && grid.dataset.previous === undefined
        && [...grid.querySelectorAll('[data-version]')]
            .some((card) => /^[1-9]/.test(card.dataset.version)))"""
START_BOUND, PAGE_BOUND, MEMORY_BOUND = 1.3, 2.0, 2.0  # to an empty Gradio app
NODE_BOUND = 500
COLD_BOUND, WARM_BOUND = 5.0, 1.0  # seconds from a click to its first verdict


@contextmanager
def serve_app(command: Sequence[str]) -> Iterator[RunningApp]:
    """Yield an app with an empty home folder. Raises RuntimeError where it serves no page."""
    with (
        tempfile.TemporaryDirectory() as folder,
        # an installed program has its bytecode
        running_app(Path(folder), command, PYTHONDONTWRITEBYTECODE="") as app,
    ):
        yield app


def measure_start(command: Sequence[str]) -> float:
    """Return the seconds from the command to its first page."""
    with serve_app(command) as app:
        return app.start_seconds


def start_row(rounds: int) -> Row:
    """Compare the time to the first page with that of an empty Gradio app, in turns."""
    pairs = in_turns(partial(measure_start, DASHBOARD), partial(measure_start, EMPTY), rounds)
    return ratio_row("start of the app, to an empty Gradio app", pairs, START_BOUND)


def page_rows(rounds: int) -> Iterator[Row]:
    """Compare the page and the memory of both apps, once each page was shown."""
    with ExitStack() as stack:
        apps = {command: stack.enter_context(serve_app(command)) for command in SHOWN}
        browser = stack.enter_context(chromium())
        views = [
            partial(show_page, browser, apps[command].address, SHOWN[command]) for command in SHOWN
        ]
        pairs = in_turns(lambda: views[0]()[0], lambda: views[1]()[0], rounds)
        yield ratio_row(
            "the page in chromium until it is shown, to an empty one", pairs, PAGE_BOUND
        )
        nodes = views[0]()[1]
        yield Row("elements of the page", f"{nodes}", f"<= {NODE_BOUND}", nodes <= NODE_BOUND)
        ours, empty = (
            psutil.Process(app.process.pid).memory_info().rss / 2**20 for app in apps.values()
        )
        words = f"{ours / empty:.2f}: {ours:.0f} MB to {empty:.0f} MB"
        bar = f"<= {MEMORY_BOUND:g}"
        yield Row(
            "memory before a click, to an empty app", words, bar, ours / empty <= MEMORY_BOUND
        )


def show_page(browser: Browser, address: str, shown: str) -> tuple[float, int]:
    """Return the seconds until a new visitor sees the page, and its number of elements then."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        began = time.perf_counter()
        page.goto(address)
        page.wait_for_selector(shown)
        seconds = time.perf_counter() - began
        page.wait_for_timeout(SETTLED)
        return seconds, int(page.evaluate(NODES))


def click_rows(rounds: int) -> Iterator[Row]:
    """Yield a click as soon as the page is shown, and the next one.

    The clicks of a start are on different examples, so that no answer comes from the cache.
    """
    starts = [list(_clicks_of_start()) for _ in range(rounds)]
    names = ("as soon as the page is shown", "the next")
    for name, bound, times in zip(
        names, (COLD_BOUND, WARM_BOUND), zip(*starts, strict=True), strict=True
    ):
        words = f"{median(times):.2f} s, slowest {max(times):.2f} s"
        what = f"a click {name}, to its first verdict"
        yield Row(what, words, f"<= {bound:g} s", median(times) <= bound)


def _clicks_of_start() -> Iterator[float]:
    with serve_app(DASHBOARD) as app, chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(app.address)
        for prompt in EXAMPLES[:2]:
            yield click(page, prompt)


def click(page: Page, prompt: str) -> float:
    """Evaluate a prompt by the models that the page has chosen, to the end of the run.

    Return the seconds to the first judged image.
    """
    page.wait_for_selector(SHOWN[DASHBOARD])
    page.locator("#prompt input, #prompt textarea").fill(prompt)
    began = time.perf_counter()
    page.locator("#generate").click()
    page.wait_for_function(IS_JUDGED, arg=prompt)
    first = time.perf_counter() - began
    expect(page.locator("#generate")).to_be_enabled(timeout=PATIENCE)
    return first


def main(rounds: int = 9, cold_rounds: int = 3) -> None:
    finish(itertools.chain([start_row(rounds)], page_rows(rounds), click_rows(cold_rounds)))


if __name__ == "__main__":
    launch(main)
