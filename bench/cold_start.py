"""Measures how long the dashboard takes to start, and a click when it has just started.

``python -m bench.cold_start``, a part of ``make bench``. A click runs in chromium, as a person's
does. Exit code 1 where a bar is missed.
"""

import itertools
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, expect

from bench.measuring import Row, finish, in_turns, launch, ratio_row
from hallascope.pages.explore.page import EXAMPLES
from tests.support.browser import chromium, ready
from tests.support.shipped_app import DASHBOARD, PATIENCE, RunningApp, running_app

EMPTY_APP = (
    "import os, gradio as gr\nwith gr.Blocks() as demo:\n    gr.Markdown('empty')\n"
    "demo.launch(server_port=int(os.environ['GRADIO_SERVER_PORT']), ssr_mode=False, quiet=True)"
)
EMPTY = (sys.executable, "-c", EMPTY_APP)
# A card says how many metrics have judged its image (components/cards); cards of an earlier run
# stay until there are new ones.
IS_JUDGED = """() => !document.querySelector('#cards [data-previous]')
    && [...document.querySelectorAll('#cards [data-version]')]
        .some((card) => /^(True|False) [1-9]/.test(card.dataset.version))"""
START_BOUND = 1.5  # to an empty Gradio app
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


def click_rows(rounds: int, idle: float) -> Iterator[Row]:
    """Yield a click as soon as the page is shown, the next one, and one after idle seconds.

    The clicks of a start are on different examples, so that no answer comes from the cache.
    """
    starts = [list(_clicks_of_start(idle)) for _ in range(rounds)]
    names = ("as soon as the page is shown", "the next", f"after {idle:g} idle seconds")
    bounds = (COLD_BOUND, WARM_BOUND, WARM_BOUND)
    for name, bound, times in zip(names, bounds, zip(*starts, strict=True), strict=True):
        words = f"{median(times):.2f} s, slowest {max(times):.2f} s"
        what = f"a click {name}, to its first verdict"
        yield Row(what, words, f"<= {bound:g} s", median(times) <= bound)


def _clicks_of_start(idle: float) -> Iterator[float]:
    with serve_app(DASHBOARD) as app, chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(app.address)
        for number, prompt in enumerate(EXAMPLES[:3]):
            time.sleep(idle if number == 2 else 0)
            yield click(page, prompt)


def click(page: Page, prompt: str) -> float:
    """Evaluate a prompt by the models that the page has chosen, to the end of the run.

    Return the seconds to the first judged image.
    """
    ready(page, "metrics")
    page.locator("#prompt input").fill(prompt)
    began = time.perf_counter()
    page.locator("#go").click()
    page.wait_for_function(IS_JUDGED)
    first = time.perf_counter() - began
    expect(page.locator("#go")).to_be_enabled(timeout=PATIENCE)
    return first


def main(rounds: int = 9, cold_rounds: int = 3, idle: float = 60.0) -> None:
    finish(itertools.chain([start_row(rounds)], click_rows(cold_rounds, idle)))


if __name__ == "__main__":
    launch(main)
