"""Measures the promises about speed, as ratios within one run: ``make bench``. Exit code 1 where one is missed."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from backends.base import Limits
from backends.scripted import Scripted
from data.models import ModelSpec, read_models
from data.primer import scenes
from data.records import Picture
from data.requests import Ask, Generate, Generated
from engine.events import EvaluateRequest
from engine.printing import Column, table
from engine.services import Services
from engine.store import Store
from metrics import get
from metrics.base import Case

ROOT = Path(__file__).parents[1]
PICTURES, QUESTIONS, AT_ONCE, LATENCY = 40, 5, 16, 0.2
IDEAL = -(-PICTURES * QUESTIONS // AT_ONCE) * LATENCY  # seconds
START_TIMEOUT = 120.0
EMPTY_APP = (
    "import os, gradio as gr\nwith gr.Blocks() as demo:\n    gr.Markdown('empty')\n"
    "demo.launch(server_port=int(os.environ['GRADIO_SERVER_PORT']), ssr_mode=False, quiet=True)"
)


@dataclass(frozen=True)
class Ratio:
    """A measured ratio with its bound; `value` is None where it could not be measured, and `note` says why."""

    what: str
    value: float | None
    bound: float
    at_most: bool
    note: str = ""

    @property
    def kept(self) -> bool:
        return self.value is None or (self.value <= self.bound if self.at_most else self.value >= self.bound)


COLUMNS = (
    Column("promise", lambda r: r.what),
    Column("ratio", lambda r: "-" if r.value is None else f"{r.value:.2f}"),
    Column("bound", lambda r: f"{'<=' if r.at_most else '>='} {r.bound:g}"),
    Column("", lambda r: "not measured" if r.value is None else "kept" if r.kept else "MISSED"),
    Column("how", lambda r: r.note),
)


def main() -> None:
    found = [*calls(), batch(), start()]
    print(table(COLUMNS, found))
    sys.exit(0 if all(ratio.kept for ratio in found) else 1)


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


# --- calls and cache ---------------------------------------------------------------------------------------------


def calls() -> list[Ratio]:
    """200 calls to a judge that takes its time, against the time 16 at once would ideally take; then the same again."""
    judge = Scripted(
        ModelSpec("bench/judge", "A slow judge", ("judge",), "scripted"), lambda ask: "A", limits=Limits(1, AT_ONCE), latency=LATENCY
    )
    painter = Scripted(ModelSpec("bench/painter", "A painter", ("generator",), "scripted"), _drawn)
    request = EvaluateRequest("a molecule of methane", ("bench/painter",), judge="bench/judge", count=PICTURES)
    pictures = EvaluateRequest(request.prompt, request.models, judge=None, count=PICTURES)
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), {}, {"bench/judge": judge, "bench/painter": painter})
        list(services.evaluate(pictures))
        first = seconds(lambda: list(services.evaluate(request)))
        made = judge.calls
        again = median(seconds(lambda: list(services.evaluate(request))) for _ in range(3))
        services.store.close()
    extra = judge.calls - made
    return [
        Ratio(
            f"{made} calls, {AT_ONCE} at once, to the ideal",
            first / IDEAL,
            1.15,
            True,
            f"{first:.2f} s to {IDEAL:.2f} s",
        ),
        Ratio("the first time to a repeat", first / again, 50, False, f"{first:.2f} s to {again * 1000:.0f} ms, {extra} calls"),
    ]


def _drawn(request: Generate) -> Generated:
    return Generated(_png(scenes.parse("two red circles"), request.seed))


def _png(scene: scenes.Scene, seed: int) -> bytes:
    with tempfile.SpooledTemporaryFile() as file:
        scene.draw(scene.truths(), seed).image(128).save(file, "PNG")
        file.seek(0)
        return file.read()


# --- the embedded judge ------------------------------------------------------------------------------------------


def batch(pictures: int = 10) -> Ratio:
    """Five questions about one picture one by one, to the same in one batch."""
    what = "five questions one by one to one batch"
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models())
        if reason := services.reason("primer/judge"):
            services.store.close()
            return Ratio(what, None, 2, False, reason)
        judge = services.judge("primer/judge")
        asks = [_asks(services.store.keep_image(_png(scenes.parse(p), 0)), p) for p in scenes.prompts()[: pictures + 1]]
        judge.ask(asks.pop())  # the first is slow in any order
        together = median(seconds(lambda five=five: judge.ask(five)) for five in asks)  # type: ignore[misc]
        alone = median(seconds(lambda five=five: [judge.ask([one]) for one in five]) for five in asks)  # type: ignore[misc]
        services.store.close()
    return Ratio(what, alone / together, 2, False, f"{alone * 1000:.0f} ms to {together * 1000:.0f} ms, median of {pictures} pictures")


def _asks(picture: Picture, prompt: str) -> list[Ask]:
    plan = get("ihalla").plan(Case(prompt, picture, scenes.parse(prompt).questions().questions))
    return [request for request in next(plan) if isinstance(request, Ask)]


# --- the start of the app ----------------------------------------------------------------------------------------


def start(times: int = 3) -> Ratio:
    """From the command to the first page, to the same of an empty Gradio app; in turns, so that both find the same machine."""
    what = "start of the app to an empty Gradio app"
    if not (ROOT / "app.py").exists():
        return Ratio(what, None, 2, True, "there is no app.py")
    pairs = [(_until_page([sys.executable, "app.py"]), _until_page([sys.executable, "-c", EMPTY_APP])) for _ in range(times)]
    ours, empty = (min(column) for column in zip(*pairs, strict=True))  # the best is what a quiet machine takes
    return Ratio(what, ours / empty, 2, True, f"{ours:.1f} s to {empty:.1f} s, best of {times}")


def _until_page(command: Sequence[str]) -> float:
    """Seconds until the page is served; the app is ended then. Raises TimeoutError."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        around = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False", "HALLASCOPE_HOME": folder}
        began = time.perf_counter()
        app = subprocess.Popen(command, cwd=ROOT, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not _served(port):
                if app.poll() is not None or time.perf_counter() - began > START_TIMEOUT:
                    raise TimeoutError(f"{' '.join(command)[:60]!r} served no page: start it by hand and look.")
                time.sleep(0.02)
            return time.perf_counter() - began
        finally:
            app.terminate()
            app.wait()


def _served(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
            return bool(page.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    main()
