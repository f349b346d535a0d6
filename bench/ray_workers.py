"""Measures what a second worker of a cluster brings: ``python -m bench.ray_workers``.

Part of ``make bench``.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.ratios import COLUMNS, Ratio, loopback, seconds
from bench.support.images import png
from bench.support.ray_cluster import two_nodes
from hallascope.backends.scripted import Scripted
from hallascope.cli.output.printing import table
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.requests import Generate, Generated
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.ray.cluster import RayCluster
from hallascope.engine.sweep.ray.executor import ClusterModelRegistry
from hallascope.engine.sweep.ray.worker_pool import WorkerPool

LATENCY = 1.0  # seconds a call
# These are 160 calls: ten rounds of 16 at once, or five of 32.
PICTURES, QUESTIONS = 32, 5
BOUND = 1.7
PAINTER = ModelSpec(id="bench/painter", title="A painter", roles=("generator",), backend="scripted")
REQUEST = EvaluateRequest(
    prompt="a molecule of methane", models=(PAINTER.id,), judge="bench/judge", count=PICTURES
)


def main() -> None:
    with two_nodes() as nodes, loopback(LATENCY) as url:
        cluster = RayCluster(nodes.address)
        one, two = (judged(WorkerPool(cluster, workers), url) for workers in (1, 2))
    found = Ratio(
        "one Ray worker to two, on a judge that takes its time",
        one / two,
        BOUND,
        False,
        f"{one:.1f} s to {two:.1f} s",
    )
    print(table(COLUMNS, [found]))
    sys.exit(0 if found.kept else 1)


def judged(pool: WorkerPool, url: str) -> float:
    """Seconds for 160 calls over HTTP from the workers.

    They are up before, and the pace of their service is known.
    """
    judge = ModelSpec(
        id="bench/judge",
        title="A slow judge",
        roles=("judge",),
        backend="openai",
        repository="loopback",
        kind="api",
        base_url=url,
        price=Price(),
    )
    with tempfile.TemporaryDirectory() as folder:
        services = Services(
            Store(folder=Path(folder)), {judge.id: judge}, {PAINTER.id: Scripted(PAINTER, drawn)}
        )
        services.registry = ClusterModelRegistry(services.registry, pool)
        list(services.evaluate(replace(REQUEST, prompt="a traffic light", count=10)))
        list(services.evaluate(replace(REQUEST, judge=None)))
        answered: list[int] = []
        taken = seconds(lambda: answered.append(count(services)))
        services.store.close()
    if answered != [PICTURES * QUESTIONS]:
        raise RuntimeError(
            f"only {answered} of {PICTURES * QUESTIONS} calls were answered: run `make test` and"
            " look."
        )
    pool.stop_workers()
    return taken


def count(services: Services) -> int:
    reports = [
        event.evaluation.report
        for event in services.evaluate(REQUEST)
        if isinstance(event, Evaluated)
    ]
    return sum(verdict.answer is not None for report in reports for verdict in report.verdicts)


def drawn(request: Generate) -> Generated:
    return Generated(png(f"{request.prompt} {request.seed}"))


if __name__ == "__main__":
    main()
