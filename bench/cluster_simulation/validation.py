"""Compares simulated sweeps with real ones whose models sleep: what the model says, what happened.

The real sweeps run the executor, driver, store and account of this machine; models sleep as long as
the simulated ones work, and the CPU time of the driver is that of the same run.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.cluster_simulation.cluster import ClusterSetup, simulate
from bench.sweep_overhead import run
from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Generate, Generated
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.small_pictures import png

BOUND = 0.15  # of the measured seconds
IMAGES = 240
BATCH = 5  # questions in a call: those of one image
OPEN_IMAGES = 96  # of the real executor, which opens as many items of one image


@dataclass(frozen=True)
class SleepingCluster:
    """Describes models that sleep: how many calls each takes at once, and the seconds of a call."""

    generators: int
    draw_seconds: float
    judges: int
    judge_seconds: float


CASES = (
    SleepingCluster(8, 0.4, 2, 0.05),  # generators are the limit
    SleepingCluster(8, 0.2, 2, 0.1),  # judges are
    SleepingCluster(64, 0.5, 64, 0.1),  # the thread of the driver is
)


@dataclass(frozen=True)
class Validation:
    """Holds the seconds of a real sweep, those that the model says, and the driver's share of time.

    `driver_share` is CPU seconds of the driver's thread by seconds of the sweep, from 0 to 1.
    """

    cluster: SleepingCluster
    images: int
    measured: float
    predicted: float
    driver_share: float

    @property
    def error(self) -> float:
        """Return how far the prediction is from the measured seconds, as a share of these."""
        return (self.predicted - self.measured) / self.measured

    @property
    def holds(self) -> bool:
        return abs(self.error) <= BOUND


def validate(
    images: int = IMAGES, cases: Sequence[SleepingCluster] = CASES
) -> Iterator[Validation]:
    """Run each case and simulate it."""
    for cluster in cases:
        measured, driver_seconds = _run_real(cluster, images)
        setup = ClusterSetup(
            generators=cluster.generators,
            judges=cluster.judges,
            draw_seconds=cluster.draw_seconds,
            judge_seconds=cluster.judge_seconds,
            driver_drawn_seconds=driver_seconds / images / 2,
            driver_judged_seconds=driver_seconds / images / 2,
            open_images=OPEN_IMAGES,
        )
        predicted = simulate(setup, images).total_seconds
        yield Validation(cluster, images, measured, predicted, driver_seconds / measured)


def _run_real(cluster: SleepingCluster, images: int) -> tuple[float, float]:
    """Return the seconds of a real sweep, and the CPU seconds of its thread."""
    painter = Scripted(
        ModelSpec(id="bench/painter", title="A painter", roles=("generator",), backend="scripted"),
        _draw,
        limits=CallLimits(1, cluster.generators),
        latency=cluster.draw_seconds,
    )
    judge = Scripted(
        ModelSpec(id="bench/judge", title="A judge", roles=("judge",), backend="scripted"),
        limits=CallLimits(BATCH, cluster.judges),
        latency=cluster.judge_seconds,
    )
    eye = Scripted(
        ModelSpec(id="bench/eye", title="An eye", roles=("embedder",), backend="scripted")
    )
    models = {model.spec.id: model for model in (painter, judge, eye)}
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), {}, models)
        run(services, 1, "ihalla")  # imports and templates, once
        started, thread = time.perf_counter(), time.thread_time()
        run(services, images, "ihalla")
        ended = time.perf_counter() - started, time.thread_time() - thread
        services.store.close()
    return ended


def _draw(request: Generate) -> Generated:
    return Generated(png(f"{request.prompt} {request.seed}"))
