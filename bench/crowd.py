"""Lets a crowd visit the public app: ``make crowd``.

Visitors ask for the page with the files that a browser asks for, and evaluate prompts by the
endpoint ``/evaluate``, which waits in the queue of the page's button. Visitors and app share the
machine. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil
from playwright.sync_api import Request

from bench.serving import PATIENCE, running_app
from hallascope.cli.output.printing import TextColumn, table
from hallascope.data.spaces import read_spaces
from hallascope.engine.access.visitors import PROXIES
from hallascope.engine.deployment.hosting import QUEUE_LIMIT
from hallascope.primer.scenes import prompts
from tests.support.browser import chromium

VISITORS, RUNS = 50, 500
PAGE_BOUND = 3.0  # seconds in which 95 % of the pages are there
GROWTH_BOUND = 0.05  # of memory
SLACK = 4  # threads and open files more than before that are no leak
BLOCKS = 5  # in which the runs are measured, after one to warm up
WORKERS = 4  # visitors at once while memory is measured
EXTRA = 10  # visitors more than the queue has places: two that run, and eight that find it full
EVALUATIONS = 2  # of each visitor of the crowd
SHOWN_MODELS = ("primer/exact", "primer/careful", "primer/hasty", "primer/diffusion-small")
QUICK_MODELS = ("primer/exact", "primer/hasty")
REPLY_LIMIT = 900.0  # seconds that a reply may take
QUIET = 1_000  # milliseconds after the page has loaded, in which it may ask for more
REST = 12.0  # seconds after which idle threads of the app have ended
MEGABYTE = 2**20


class CrowdRow(NamedTuple):
    """Holds what was measured, and whether it holds; a row without a bar states a number."""

    what: str
    measured: str
    bar: str = ""
    holds: bool = True


@dataclass
class CrowdedApp:
    """Is the running app, and what its visitors have met: seconds, and what they were told.

    `files` are the addresses that a browser asks for to show the page. `numbers` are given once
    each, so that no two visitors have one address and no evaluation comes from the cache.
    """

    address: str
    process: psutil.Process
    files: Sequence[str]
    numbers: Iterator[int] = field(default_factory=itertools.count)
    pages: list[float] = field(default_factory=list)
    evaluations: list[float] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @contextmanager
    def visitor(self) -> Iterator[httpx.Client]:
        """Yield a client with a cookie and an address of its own, as a proxy names it."""
        number = next(self.numbers)
        origin = f"91.198.{number // 250 % 250}.{number % 250 + 1}"
        headers = {"X-Forwarded-For": origin}
        with httpx.Client(base_url=self.address, headers=headers, timeout=REPLY_LIMIT) as client:
            client.get("/").raise_for_status()  # it gives the cookie that tells visitors apart
            yield client

    def open_page(self, client: httpx.Client) -> None:
        """Ask for the page and its files."""
        began = time.monotonic()
        for path in ("/", *self.files):
            client.get(path).raise_for_status()
        self.pages.append(time.monotonic() - began)

    def evaluate(self, client: httpx.Client, models: Sequence[str] = QUICK_MODELS) -> None:
        """Evaluate a prompt, and read all that comes until it is done."""
        choice, number = prompts(), next(self.numbers)
        body = {"prompt": choice[number % len(choice)], "models": models, "seed": number}
        began = time.monotonic()
        joined = client.post("/gradio_api/call/v2/evaluate", json=body)
        if joined.status_code == 429:
            self.refusals.append(joined.json()["detail"])
            return
        event = joined.raise_for_status().json()["event_id"]
        ended = client.get(f"/gradio_api/call/evaluate/{event}").text
        if "event: complete" in ended:
            self.evaluations.append(time.monotonic() - began)
        else:
            self.errors.append(" ".join(ended[-300:].split()))

    def run(self, visits: Sequence[Callable[[], None]], at_once: int) -> None:
        """Make all visits, so many at once; one that fails is an error of the app."""

        def visit(make: Callable[[], None]) -> None:
            try:
                make()
            except (httpx.HTTPError, OSError) as error:
                self.errors.append(f"{type(error).__name__}: {error}")

        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(visit, visits))

    def usage(self) -> tuple[int, int, int]:
        """Return the bytes, threads and open files of the app and its children after a rest."""
        time.sleep(REST)
        httpx.get(f"{self.address}/config", timeout=REPLY_LIMIT)  # idle threads end at the next job
        memory = threads = files = 0
        for process in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess), process.oneshot():
                memory += process.memory_full_info().pss
                threads += process.num_threads()
                files += process.num_fds()
        return memory, threads, files

    def error_row(self) -> CrowdRow:
        """Count the errors since the last such row."""
        counts = Counter(self.errors).most_common(3)
        kinds = "; ".join(f"{count} x “{error[:120]}”" for error, count in counts)
        row = CrowdRow("errors other than a full queue", kinds or "0", "0", not self.errors)
        self.errors.clear()
        return row


@contextmanager
def crowded_app(folder: Path, places: int) -> Iterator[CrowdedApp]:
    """Yield the app on an empty store, with the environment of the first Space of spaces.yaml.

    `places`: events of one kind that may wait.
    """
    variables = {
        **read_spaces()[0].variables,
        "HALLASCOPE_PUBLIC": "1",
        PROXIES: "127.0.0.1",
        "HALLASCOPE_QUEUE": str(places),
        "GRADIO_TEMP_DIR": str(folder),
    }
    with running_app(folder / "home", **variables) as app:
        process = psutil.Process(app.process.pid)
        yield CrowdedApp(app.address, process, page_files(app.address))


def page_files(address: str) -> list[str]:
    """Return what a browser asks for when it opens the page, the page itself left out."""
    found: dict[str, None] = {}

    def note(request: Request) -> None:
        path = request.url.removeprefix(address)
        is_file = path.startswith("/") and path != "/" and not path.startswith("/gradio_api/")
        if request.method == "GET" and is_file:
            found[path] = None

    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", note)
        page.goto(f"{address}/")
        page.wait_for_selector("#go")
        page.wait_for_timeout(QUIET)
    return list(found)


# --- checks ---


def check_crowd(app: CrowdedApp, visitors: int) -> Iterator[CrowdRow]:
    """Let all visitors open the page at once, and evaluate prompts by four models."""
    start = threading.Barrier(visitors)

    def visit() -> None:
        with app.visitor() as client:
            start.wait()
            app.open_page(client)
            for _ in range(EVALUATIONS):
                app.evaluate(client, SHOWN_MODELS)

    app.run([visit] * visitors, visitors)
    late = percentile(app.pages, 0.95)
    yield CrowdRow(
        f"{visitors} visitors at once: the page with its {len(app.files)} files",
        spread(app.pages),
        f"p95 < {PAGE_BOUND:g} s",
        late < PAGE_BOUND,
    )
    yield CrowdRow("an evaluation of four images, with its wait", spread(app.evaluations))
    yield app.error_row()


def check_full_queue(app: CrowdedApp, places: int) -> Iterator[CrowdRow]:
    """Let more visitors start an evaluation at once than the queue has places."""
    app.refusals.clear()
    visitors = places + EXTRA

    def visit() -> None:
        with app.visitor() as client:
            app.evaluate(client)

    app.run([visit] * visitors, visitors)
    yield CrowdRow(
        f"{visitors} evaluations started at once, {places} places",
        f"{len(app.refusals)} refused: {next(iter(app.refusals), '')}",
        "some are refused, with the wait",
        bool(app.refusals) and all("full" in sentence for sentence in app.refusals),
    )
    yield app.error_row()


def check_memory(app: CrowdedApp, runs: int) -> Iterator[CrowdRow]:
    """Let visitors come, evaluate and leave for long, and measure what the app takes."""

    def visit() -> None:
        with app.visitor() as client:
            app.evaluate(client)

    samples = []
    for _ in range(BLOCKS + 1):  # the first is the warm-up
        app.run([visit] * max(runs // BLOCKS, 1), WORKERS)
        samples.append(app.usage())
    memory, threads, files = zip(*samples, strict=True)
    grown = memory[-1] / memory[0] - 1
    yield CrowdRow(
        f"memory after a warm-up, then after every {runs // BLOCKS} of {runs} runs",
        ", ".join(f"{size / MEGABYTE:.0f}" for size in memory) + f" MB: {grown:+.1%}",
        f"growth < {GROWTH_BOUND:.0%}",
        grown < GROWTH_BOUND,
    )
    for name, counts in (("threads", threads), ("open files", files)):
        yield CrowdRow(
            f"{name} at the same moments",
            ", ".join(map(str, counts)),
            f"at most {SLACK} more at the end than at first",
            counts[-1] <= counts[0] + SLACK,
        )
    yield app.error_row()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share (0 to 1) of the values do not exceed.

    Without values it is infinite.
    """
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1] if values else math.inf


def spread(seconds: Sequence[float]) -> str:
    """Return the median and the 95th percentile in words."""
    return f"p50 {percentile(seconds, 0.5):.2f} s, p95 {percentile(seconds, 0.95):.2f} s"


COLUMNS = (
    TextColumn("what", lambda row: row.what),
    TextColumn("measured", lambda row: row.measured),
    TextColumn("bar", lambda row: row.bar),
    TextColumn("holds", lambda row: ("yes" if row.holds else "NO") if row.bar else ""),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.crowd", description=__doc__)
    parser.add_argument("--visitors", type=int, default=VISITORS, help="who come at once")
    parser.add_argument("--places", type=int, default=QUEUE_LIMIT, help="of the queue")
    parser.add_argument("--runs", type=int, default=RUNS, help="over which memory is measured")
    options = parser.parse_args(arguments)
    rows: list[CrowdRow] = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        crowded_app(Path(folder), options.places) as app,
    ):
        for row in itertools.chain(
            check_crowd(app, options.visitors),
            check_full_queue(app, options.places),
            check_memory(app, options.runs),
        ):
            print(f"{row.what}: {row.measured}", file=sys.stderr, flush=True)
            rows.append(row)
    print(table(COLUMNS, rows))
    sys.exit(0 if all(row.holds for row in rows) else 1)


if __name__ == "__main__":
    main()
