"""Measures how long the dashboard takes to start, and a click when it has just started.

A click runs in chromium, as a person's does. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Page, expect

from bench import ratios
from bench.ratios import median_ratio
from bench.serving import DASHBOARD, PATIENCE, RunningApp, running_app
from hallascope.cli.output.printing import TextColumn, table
from hallascope.pages.explore.page import EXAMPLES
from tests.support.browser import chromium, ready

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
ROUNDS = 9  # starts of each app; an interval needs at least six
COLD_ROUNDS = 3  # starts of the dashboard that are clicked on
IDLE = 60.0  # seconds
START_BOUND = 1.5  # to an empty Gradio app
COLD_BOUND = 5.0  # seconds from a click to its first verdict
WARM_BOUND = 1.0


class VerdictTimes(NamedTuple):
    """Holds the seconds from a click to the first judged image and to the end of the run."""

    first: float
    last: float


@dataclass(frozen=True)
class ClickRow:
    """Holds the seconds of the same click in several starts, and the bar of the first verdict."""

    what: str
    times: Sequence[VerdictTimes]
    bound: float

    @property
    def first(self) -> float:
        return median(times.first for times in self.times)

    @property
    def kept(self) -> bool:
        return self.first <= self.bound


COLUMNS = (
    TextColumn("click", lambda row: row.what),
    TextColumn("first verdict", lambda row: f"{row.first:.2f} s"),
    TextColumn("bar", lambda row: f"<= {row.bound:g} s"),
    TextColumn("", lambda row: "kept" if row.kept else "MISSED"),
    TextColumn("slowest", lambda row: f"{max(times.first for times in row.times):.2f} s"),
    TextColumn("last verdict", lambda row: f"{median(t.last for t in row.times):.2f} s"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cold_start", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="starts of each app")
    parser.add_argument(
        "--cold-rounds", type=int, default=COLD_ROUNDS, help="starts that are clicked on"
    )
    parser.add_argument("--idle", type=float, default=IDLE, help="seconds before the last click")
    parser.add_argument("--only", choices=("start", "clicks"), help="measure one of them")
    options = parser.parse_args(arguments)
    kept = True
    if options.only != "clicks":
        ratio = start_ratio(options.rounds)
        print(table(ratios.COLUMNS, [ratio]))
        kept = ratio.kept
    if options.only != "start":
        rows = click_rows(options.cold_rounds, options.idle)
        print(table(COLUMNS, rows))
        kept = kept and all(row.kept for row in rows)
    sys.exit(0 if kept else 1)


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


def start_ratio(rounds: int = ROUNDS) -> ratios.Ratio:
    """Compare the time from the command to the first page with that of an empty Gradio app.

    They take turns at going first.
    """
    measure_start(EMPTY), measure_start(DASHBOARD)  # the first one reads all files from the disk
    pairs = []
    for number in range(rounds):
        order = (DASHBOARD, EMPTY) if number % 2 else (EMPTY, DASHBOARD)
        seconds = {command: measure_start(command) for command in order}
        pairs.append((seconds[DASHBOARD], seconds[EMPTY]))
    return median_ratio("start of the app to an empty Gradio app", pairs, START_BOUND)


def click_rows(rounds: int = COLD_ROUNDS, idle: float = IDLE) -> list[ClickRow]:
    """Measure a click as soon as the page is shown, the next one, and one after idle seconds.

    The clicks of a start are on different examples, so that no answer comes from the cache.
    """
    starts = [list(_clicks_of_start(idle)) for _ in range(rounds)]
    cold, warm, idled = zip(*starts, strict=True)
    return [
        ClickRow("as soon as the page is shown", cold, COLD_BOUND),
        ClickRow("the next", warm, WARM_BOUND),
        ClickRow(f"after {idle:g} idle seconds", idled, WARM_BOUND),
    ]


def _clicks_of_start(idle: float) -> Iterator[VerdictTimes]:
    with serve_app(DASHBOARD) as app, chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(app.address)
        for number, prompt in enumerate(EXAMPLES[:3]):
            time.sleep(idle if number == 2 else 0)
            yield click(page, prompt)


def click(page: Page, prompt: str) -> VerdictTimes:
    """Evaluate a prompt by the models that the page has chosen."""
    ready(page, "metrics")
    page.locator("#prompt input").fill(prompt)
    began = time.perf_counter()
    page.locator("#go").click()
    page.wait_for_function(IS_JUDGED)
    first = time.perf_counter() - began
    expect(page.locator("#go")).to_be_enabled(timeout=PATIENCE)
    return VerdictTimes(first, time.perf_counter() - began)


if __name__ == "__main__":
    main()
