"""Checks the app under a crowd: at once, with a full queue, with visitors who leave, for long."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from bench.crowd.http import PATIENCE
from bench.crowd.measures import CrowdRow, ResourceUsage, growth, percentile, spread
from bench.crowd.server import CrowdedApp
from bench.crowd.visitor import Visitor, VisitRecord, together

PAGE = 3.0  # seconds in which 95 % of the pages are there
GROWTH = 0.05  # of memory, at most
SLACK = 4  # threads and files more than before that are no leak
FACTOR = 2.0  # by which the wait that is told may differ from the one that was measured
BLOCKS = 5  # in which the runs of the long check are measured
WORKERS = 4  # visitors at once in the long check
CALM = 60.0  # seconds after which the app must have forgotten who left
REST = 12.0  # seconds after which idle threads of the app have ended
EACH = 2  # evaluations of each visitor of the crowd
QUICK = ("primer/exact", "primer/hasty")  # models of the long check
EXTRA = 8  # visitors more than the queue has places
SEED = 26
MEGABYTE = 2**20


@dataclass(frozen=True)
class CrowdSetup:
    """Holds the running app and how much is to be done."""

    app: CrowdedApp
    visitors: int
    runs: int
    places: int
    numbers: Iterator[int]  # of visitors and of prompts, each given once


def check_crowd(setup: CrowdSetup) -> Iterator[CrowdRow]:
    """Let all visitors open the page at once, evaluate, open the evidence and change tabs.

    The app has loaded its models by then: what a start takes, `bench.cold_start` measures.
    """
    record, before = VisitRecord(), _rest(setup.app)
    own = time.process_time()
    start = threading.Barrier(setup.visitors, timeout=PATIENCE)

    def visit() -> None:
        visitor = Visitor(setup.app, next(setup.numbers), record)
        start.wait()
        visitor.open_page()
        for _ in range(EACH):
            if _evaluate_patiently(visitor, record, next(setup.numbers)):
                visitor.open_evidence()
            visitor.change_tabs()
        visitor.leave()

    begun = time.monotonic()
    together(record, [visit] * setup.visitors)
    lasted = time.monotonic() - begun
    own = time.process_time() - own
    who = f"{setup.visitors} visitors at once"
    yield CrowdRow(f"{who}: the page alone", spread(record.documents))
    yield CrowdRow(
        f"{who}: the page with its {len(setup.app.files)} files and first events",
        spread(record.pages),
        f"p95 < {PAGE:g} s",
        bool(record.pages) and percentile(record.pages, 0.95) < PAGE,
    )
    yield CrowdRow(
        f"{len(record.evaluations)} evaluations of four images, with their wait in the queue",
        spread(record.evaluations),
    )
    yield CrowdRow("of it, until they began", spread(record.waits))
    yield CrowdRow("evidence of an image, with the image", spread(record.evidence))
    yield CrowdRow("a change of tabs", spread(record.tabs))
    refused = sum(refusal.of_evaluation for refusal in record.refusals)
    asked = len(record.evaluations) + refused
    yield CrowdRow("who was told that the queue is full", f"{refused} of {asked}")
    yield _errors_row(record)
    used = setup.app.usage().cpu - before.cpu
    yield CrowdRow(
        "CPU of the app, of the visitors on the same machine",
        f"{used:.0f} s, {own:.0f} s in {lasted:.0f} s",
    )


def check_full(setup: CrowdSetup) -> Iterator[CrowdRow]:
    """Let more visitors start an evaluation at once than the queue has places."""
    record = VisitRecord()
    count = setup.places + 2 + EXTRA
    for _ in range(2):  # so that the app knows how long one takes
        _visit_alone(setup, record)
    start = threading.Barrier(count, timeout=PATIENCE)

    def press() -> None:
        visitor = Visitor(setup.app, next(setup.numbers), record)
        visitor.page.open()
        start.wait()
        visitor.evaluate(next(setup.numbers))
        visitor.leave()

    together(record, [press] * count)
    refusals = [refusal for refusal in record.refusals if refusal.of_evaluation]
    yield CrowdRow(
        f"{count} evaluations started at once, {setup.places} places",
        f"{len(refusals)} told that the queue is full",
        "at least one",
        bool(refusals),
    )
    last = max(record.begun, default=0.0)
    factors = [refusal.told / max(last - refusal.at, 1.0) for refusal in refusals]
    told = sorted(refusal.told for refusal in refusals)
    measured = [last - refusal.at for refusal in refusals]
    yield CrowdRow(
        "the wait that they were told; until the queue had begun with all before them",
        f"{told[0]} to {told[-1]} s; {min(measured):.0f} to {max(measured):.0f} s"
        if told
        else "none",
        f"within a factor of {FACTOR:g}",
        all(1 / FACTOR <= factor <= FACTOR for factor in factors),
    )
    yield _errors_row(record)


def check_leaving(setup: CrowdSetup) -> Iterator[CrowdRow]:
    """Let visitors close the page in the middle of an evaluation, or while they wait."""
    record, chance = VisitRecord(), random.Random(SEED)
    calm = _rest(setup.app)
    pauses = [chance.uniform(0, 3) for _ in range(setup.visitors)]

    def go(pause: float) -> None:
        visitor = Visitor(setup.app, next(setup.numbers), record)
        visitor.page.open()
        visitor.prepare(next(setup.numbers))
        visitor.page.send("go", "click")
        next(iter(visitor.page.listen()), None)
        time.sleep(pause)
        visitor.leave()

    together(record, [partial(go, pause) for pause in pauses])
    left = time.monotonic()
    _visit_alone(setup, record)
    alone = record.evaluations[-1] if record.evaluations else 0.0
    yield CrowdRow(
        f"{setup.visitors} visitors left in the middle; the next one's evaluation begins within",
        f"{record.waits[-1]:.1f} s" if record.waits else "it did not begin",
        f"<= {max(2 * (alone - record.waits[-1]), 5):.1f} s, the rest of two that ran"
        if record.waits
        else "",
        bool(record.waits) and record.waits[-1] <= max(2 * (alone - record.waits[-1]), 5),
    )
    now = setup.app.usage()
    while not _is_calm(now, calm) and time.monotonic() - left < CALM:
        time.sleep(0.5)
        setup.app.ask()
        now = setup.app.usage()
    yield CrowdRow(
        "threads and open files before, after",
        f"{calm.threads}, {calm.files}; {now.threads}, {now.files}"
        f" after {time.monotonic() - left:.0f} s",
        f"no more than {SLACK} more within {CALM:g} s",
        _is_calm(now, calm),
    )
    time.sleep(1.0)
    idle = setup.app.usage()
    time.sleep(5.0)
    used = (setup.app.usage().cpu - idle.cpu) / 5
    yield CrowdRow("CPU of the app afterwards", f"{used:.0%} of a core", "< 30 %", used < 0.3)
    yield _errors_row(record)


def check_memory(setup: CrowdSetup) -> Iterator[CrowdRow]:
    """Let visitors come, evaluate and leave for long, and measure what the app takes."""
    record = VisitRecord()
    block = max(setup.runs // BLOCKS, 1)
    samples = []
    for _ in range(BLOCKS + 1):  # the first is the warm-up
        runs = iter(range(block))

        def visit(todo: Iterator[int] = runs) -> None:
            for _ in todo:
                visitor = Visitor(setup.app, next(setup.numbers), record)
                visitor.page.open()
                visitor.evaluate(next(setup.numbers), QUICK)
                visitor.open_evidence()
                visitor.leave()

        together(record, [visit] * WORKERS)
        samples.append(_rest(setup.app))
    memory = [sample.memory for sample in samples]
    yield CrowdRow(
        f"memory after a warm-up of {block} runs, then after every {block} of {block * BLOCKS}",
        ", ".join(f"{size / MEGABYTE:.0f}" for size in memory) + f" MB: {growth(memory):+.1%}",
        f"growth < {GROWTH:.0%}",
        growth(memory) < GROWTH,
    )
    for name, counts in (
        ("threads", [sample.threads for sample in samples]),
        ("open files", [sample.files for sample in samples]),
    ):
        yield CrowdRow(
            f"{name} at the same moments",
            ", ".join(map(str, counts)),
            f"no more than {SLACK} more at the end than at first",
            counts[-1] <= counts[0] + SLACK,
        )
    yield CrowdRow(f"{len(record.evaluations)} evaluations", spread(record.evaluations))
    yield _errors_row(record)


CHECKS: dict[str, Callable[[CrowdSetup], Iterator[CrowdRow]]] = {
    "crowd": check_crowd,
    "full": check_full,
    "leaving": check_leaving,
    "memory": check_memory,
}


def _evaluate_patiently(visitor: Visitor, record: VisitRecord, number: int) -> bool:
    """Evaluate, and where the queue is full once more after the wait that was told."""
    if visitor.evaluate(number):
        return True
    time.sleep(record.refusals[-1].told if record.refusals else 1)
    return visitor.evaluate(number)


def _visit_alone(setup: CrowdSetup, record: VisitRecord) -> None:
    visitor = Visitor(setup.app, next(setup.numbers), record)
    visitor.page.open()
    visitor.evaluate(next(setup.numbers))
    visitor.leave()


def _rest(app: CrowdedApp) -> ResourceUsage:
    """Return what the app takes when nobody has asked for some seconds.

    Threads that were idle for long end when the next work is done, so some is asked for.
    """
    time.sleep(REST)
    app.ask()
    time.sleep(1.0)
    return app.usage()


def _is_calm(now: ResourceUsage, before: ResourceUsage) -> bool:
    return now.threads <= before.threads + SLACK and now.files <= before.files + SLACK


def _errors_row(record: VisitRecord) -> CrowdRow:
    kinds = Counter(record.errors).most_common(3)
    listed = "; ".join(f"{count} x “{error[:120]}”" for error, count in kinds)
    return CrowdRow(
        "errors other than a full queue",
        f"{len(record.errors)}{': ' if listed else ''}{listed}",
        "0",
        not record.errors,
    )
