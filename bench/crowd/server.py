"""Starts the app as a public Space has it, and reads what its processes take."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench.crowd.measures import ResourceUsage
from bench.crowd.page import PageLayout
from bench.support.apps import running_app
from bench.support.browser import chromium
from hallascope.data.spaces import read_spaces

PATIENCE = 600.0  # seconds in which the app has to answer
_QUIET = 1_000  # milliseconds after the page has loaded, in which it may ask for more


@dataclass(frozen=True)
class CrowdedApp:
    """Is the running app: its address, its process, and what its page consists of.

    `files`: the addresses that a browser asks for to show the page, but for the page itself.
    """

    address: str
    process: psutil.Process
    layout: PageLayout
    files: tuple[str, ...]

    def ask(self) -> Any:
        """Return what the app says of its page, which a thread of its pool reads."""
        with urllib.request.urlopen(f"{self.address}/config?page=", timeout=PATIENCE) as reply:
            return json.load(reply)

    def usage(self) -> ResourceUsage:
        """Return what the app and its children take now."""
        memory = threads = files = 0
        cpu = 0.0
        for process in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess), process.oneshot():
                memory += process.memory_full_info().pss
                threads += process.num_threads()
                files += process.num_fds()
                times = process.cpu_times()
                cpu += times.user + times.system
        return ResourceUsage(memory, threads, files, cpu)


@contextmanager
def crowded_app(folder: Path, places: int, in_browser: bool = True) -> Iterator[CrowdedApp]:
    """Yield the app on an empty store, with the environment of the first Space of spaces.yaml.

    `places`: events of one kind that may wait; `in_browser`: let a browser say which files the page
    takes, else visitors ask for the page alone.
    """
    uploads = folder / "tmp"
    uploads.mkdir()
    variables = {
        **read_spaces()[0].variables,
        "HALLASCOPE_PUBLIC": "1",
        "HALLASCOPE_QUEUE": str(places),
        "GRADIO_TEMP_DIR": str(uploads),
    }
    with running_app(folder / "home", **variables) as app:
        with urllib.request.urlopen(f"{app.address}/config?page=", timeout=PATIENCE) as reply:
            layout = PageLayout(json.load(reply))
        files = page_files(app.address) if in_browser else ()
        yield CrowdedApp(app.address, psutil.Process(app.process.pid), layout, files)


def page_files(address: str) -> tuple[str, ...]:
    """Return what a browser asks for when it opens the page, in its order, the page left out.

    Raises an Error of Playwright where no browser can be started.
    """
    found: list[str] = []

    def note(request: Any) -> None:
        path = request.url.removeprefix(address)
        if request.method == "GET" and path != "/" and not path.startswith("/gradio_api/"):
            found.append(path)

    def look() -> None:
        with chromium() as browser:
            page = browser.new_page()
            page.set_default_timeout(PATIENCE * 1_000)
            page.on("request", note)
            page.goto(f"{address}/")
            page.wait_for_selector("#go")
            page.wait_for_timeout(_QUIET)

    looking = threading.Thread(target=look)  # Playwright leaves a loop that runs in its thread
    looking.start()
    looking.join()
    return tuple(dict.fromkeys(path for path in found if path.startswith("/")))
