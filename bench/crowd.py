"""Lets a crowd visit the public app: ``make crowd``.

Visitors ask for the page with the files that a browser asks for, and evaluate prompts by the
endpoint ``/evaluate``, which waits in the queue of the page's button. Visitors and app share the
machine. Exit code 1 where a bar is missed.
"""

import itertools
import math
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import numpy as np
import psutil

from bench.measuring import Row, finish, launch
from hallascope.data.spaces import read_spaces
from hallascope.engine.access.visitors import PROXIES
from hallascope.primer.scenes import prompts
from tests.support.browser import chromium
from tests.support.shipped_app import PATIENCE, running_app

PAGE_BOUND = 3.0  # seconds in which 95 % of the pages are there
GROWTH_BOUND = 0.05  # of memory
SLACK = 4  # threads and open files more than before that are no leak
BLOCKS = 5  # in which the runs are measured, after one to warm up
WORKERS = 4  # visitors at once while memory is measured
EVALUATIONS = 2  # of each visitor of the crowd
SHOWN_MODELS = ("primer/exact", "primer/careful", "primer/hasty", "primer/diffusion-small")
QUICK_MODELS = ("primer/exact", "primer/hasty")
REPLY_LIMIT = 900.0  # seconds that a reply may take
QUIET = 1_000  # milliseconds after the page has loaded, in which it may ask for more
REST = 12.0  # seconds after which idle threads of the app have ended


@dataclass
class CrowdedApp:
    """Is the running app, and what its visitors have met: seconds, and what they were told.

    `files` are the addresses that a browser asks for to show the page. `numbers` are given once
    each, so that no two visitors have one address and no evaluation comes from the cache.
    """

    address: str
    files: Sequence[str]
    numbers: Iterator[int] = field(default_factory=itertools.count)
    pages: list[float] = field(default_factory=list)
    evaluations: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @contextmanager
    def visitor(self) -> Iterator[httpx.Client]:
        """Yield a client with a cookie and an address of its own, as a proxy names it."""
        number = next(self.numbers)
        headers = {"X-Forwarded-For": f"91.198.{number // 250 % 250}.{number % 250 + 1}"}
        with httpx.Client(base_url=self.address, headers=headers, timeout=REPLY_LIMIT) as client:
            client.get("/").raise_for_status()  # it gives the cookie that tells visitors apart
            yield client

    def open_page(self, client: httpx.Client) -> None:
        """Ask for the page and its files, by a connection that takes less time than the app."""
        headers = {**client.headers, "Cookie": "; ".join(map("=".join, client.cookies.items()))}
        with closing(HTTPConnection(urlsplit(self.address).netloc, timeout=REPLY_LIMIT)) as link:
            began = time.monotonic()
            for path in ("/", *self.files):
                link.request("GET", path, headers=headers)
                reply = link.getresponse()
                reply.read()
                if reply.status != 200:
                    raise OSError(f"{path} answered {reply.status}")
            self.pages.append(time.monotonic() - began)

    def evaluate(self, client: httpx.Client, models: Sequence[str] = QUICK_MODELS) -> None:
        """Evaluate a prompt, and read all that comes until it is done."""
        choice, number = prompts(), next(self.numbers)
        body = {"prompt": choice[number % len(choice)], "models": models, "seed": number}
        began = time.monotonic()
        joined = client.post("/gradio_api/call/v2/evaluate", json=body)
        if joined.status_code == 503:
            return  # the queue is full, and says so
        event = joined.raise_for_status().json()["event_id"]
        ended = client.get(f"/gradio_api/call/evaluate/{event}").text
        if "event: complete" in ended:
            self.evaluations.append(time.monotonic() - began)
        else:
            self.errors.append(" ".join(ended[-300:].split()))

    def receive(self, visit: Callable[[httpx.Client], None], visitors: int, at_once: int) -> Row:
        """Let visitors come, so many at once; return the row of errors."""

        def come(_: int) -> None:
            try:
                with self.visitor() as client:
                    visit(client)
            except (httpx.HTTPError, OSError, threading.BrokenBarrierError) as error:
                self.errors.append(f"{type(error).__name__}: {error}")

        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(come, range(visitors)))
        counts = Counter(self.errors).most_common(3)
        kinds = "; ".join(f"{count} x “{error[:120]}”" for error, count in counts)
        self.errors.clear()
        return Row("errors other than a full queue", kinds or "0", "0", not kinds)


def page_files(address: str) -> list[str]:
    """Return what a browser asks for when it opens the page, the page itself left out."""
    asked: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url.removeprefix(address)))
        page.goto(f"{address}/")
        page.wait_for_selector("#generate")
        page.wait_for_timeout(QUIET)
    paths = [path for path in dict.fromkeys(asked) if path.startswith("/") and path != "/"]
    return [path for path in paths if not path.startswith("/gradio_api/")]


# --- checks ---


def check_crowd(app: CrowdedApp, visitors: int) -> Iterator[Row]:
    """Let all visitors open the page at once, and evaluate prompts by four models."""
    # where one of them cannot come, the others do not wait for ever
    start = threading.Barrier(visitors, timeout=REPLY_LIMIT)

    def visit(client: httpx.Client) -> None:
        start.wait()
        app.open_page(client)
        for _ in range(EVALUATIONS):
            app.evaluate(client, SHOWN_MODELS)

    errors = app.receive(visit, visitors, visitors)
    what = f"{visitors} visitors at once: the page with its {len(app.files)} files"
    yield spread_row(what, app.pages, PAGE_BOUND)
    waited = spread_row("an evaluation of four images, with its wait", app.evaluations)
    yield waited._replace(bar="")
    yield errors


def check_memory(app: CrowdedApp, process: psutil.Process, runs: int) -> Iterator[Row]:
    """Let visitors come, evaluate and leave for long, and measure what the app takes."""
    samples, errors = [], []
    for _ in range(BLOCKS + 1):  # the first is the warm-up
        errors.append(app.receive(app.evaluate, max(runs // BLOCKS, 1), WORKERS))
        samples.append(usage(app.address, process))
    memory, threads, files = zip(*samples, strict=True)
    grown = memory[-1] / memory[0] - 1
    yield Row(
        f"MB after a warm-up, then after every {runs // BLOCKS} of {runs} runs",
        f"{', '.join(map(str, memory))}: {grown:+.1%}",
        f"growth < {GROWTH_BOUND:.0%}",
        grown < GROWTH_BOUND,
    )
    for name, counts in (("threads", threads), ("open files", files)):
        bar = f"at most {SLACK} more at the end than at first"
        is_kept = counts[-1] <= counts[0] + SLACK
        yield Row(f"{name} at the same moments", ", ".join(map(str, counts)), bar, is_kept)
    yield next((row for row in errors if not row.holds), errors[0])


def usage(address: str, process: psutil.Process) -> tuple[int, int, int]:
    """Return the MB, threads and open files of the app and its children after a rest."""
    time.sleep(REST)
    httpx.get(f"{address}/config", timeout=REPLY_LIMIT)  # idle threads end at the next job
    memory = threads = files = 0
    for one in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess), one.oneshot():
            memory += one.memory_full_info().pss
            threads += one.num_threads()
            files += one.num_fds()
    return memory // 2**20, threads, files


def spread_row(what: str, seconds: Sequence[float], bound: float = math.inf) -> Row:
    """Return the median and the 95th percentile, which is infinite without any seconds."""
    shares = np.quantile(seconds or [math.inf], (0.5, 0.95), method="inverted_cdf")
    median, late = shares.tolist()
    bar = f"p95 < {bound:g} s"
    return Row(what, f"p50 {median:.2f} s, p95 {late:.2f} s", bar, late < bound)


def main(visitors: int = 50, runs: int = 500) -> None:
    def rows(folder: str) -> Iterator[Row]:
        variables = {
            **read_spaces()[0].variables,
            "HALLASCOPE_PUBLIC": "1",
            PROXIES: "127.0.0.1",
            "GRADIO_TEMP_DIR": folder,
        }
        with running_app(Path(folder) / "home", **variables) as served:
            app = CrowdedApp(served.address, page_files(served.address))
            yield from check_crowd(app, visitors)
            yield from check_memory(app, psutil.Process(served.process.pid), runs)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        finish(rows(folder))


if __name__ == "__main__":
    launch(main)
