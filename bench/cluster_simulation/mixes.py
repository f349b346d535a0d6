"""Names the mixes of models that are simulated, and finds where each of them stops scaling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bench.cluster_simulation.cluster import (
    GENERATORS,
    JUDGES,
    ClusterSetup,
    SimulatedSweep,
    simulate,
)
from bench.cluster_simulation.measurement import QUESTIONS, SweepCosts
from bench.cluster_simulation.service_times import ServiceTime, service_time
from bench.cluster_simulation.stations import Losses

WORKER_COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
GPUS_A_NODE = 8
OPEN_IMAGES = 96  # of a node, as `hallascope.engine.sweep.runner.OPEN_PICTURES`
SCALING = 0.9  # share of the rate of independent workers below which a sweep no longer scales
ROUNDS = 3  # of the images that are under way at once, so that the sweep is in full swing
FEWEST_IMAGES = 2_000


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """Holds what was not measured here.

    `variation` is the coefficient of variation of the models' seconds, and `stragglers` the share
    of calls that take three times as long. A worker is lost `losses_per_hour` times an hour (spot
    preemption and failures together) and its successor is ready after `start_seconds`, in which it
    also loads its model. `round_trip` is the time in seconds between the driver and the server of
    a database; `network_bytes` what the driver's network carries in a second. A call of an API
    takes `api_seconds`, and its service allows `api_calls_per_minute`.
    """

    variation: float = 0.2
    stragglers: float = 0.01
    losses_per_hour: float = 0.05
    start_seconds: float = 120.0
    round_trip: float = 0.0005
    network_bytes: float = 1.25e9
    api_seconds: float = 1.5
    api_calls_per_minute: float = 10_000
    api_calls_at_once_a_node: int = 16


@dataclass(frozen=True)
class ModelMix:
    """Names a generator, a judge ("api": one that is paid by call) and what they are called."""

    name: str
    generator: str
    judge: str


MIXES = (
    ModelMix("SDXL, Qwen2-VL 2B", "sdxl-base", "qwen2-vl-2b"),
    ModelMix("FLUX.1 schnell, Qwen2.5-VL 7B", "flux-schnell", "qwen2.5-vl-7b"),
    ModelMix("SDXL, judge over an API", "sdxl-base", "api"),
)
DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True)
class ScalingPoint:
    """Holds a simulated sweep on `workers` GPUs, and its `efficiency`.

    The efficiency is its rate by that of as many independent workers without driver, store, network
    or limits; from 0 to about 1. The store takes `writes_per_second`, which are transactions.
    """

    workers: int
    sweep: SimulatedSweep
    efficiency: float
    writes_per_second: float


class CostTable:
    """Finds the costs that were measured for a database and a kind of judge.

    Of several sweeps it is the shortest one on an empty store, which every store and judge has.
    """

    def __init__(self, costs: Sequence[SweepCosts]) -> None:
        self._costs: Mapping[tuple[str, str], SweepCosts] = {
            (cost.database, cost.judge): cost for cost in sorted(costs, key=_sizes, reverse=True)
        }

    def of(self, database: str, judge: str) -> SweepCosts:
        """Return the costs of a sweep. Raises LookupError where none was measured."""
        try:
            return self._costs[database, judge]
        except KeyError:
            raise LookupError(
                f"No sweep on {database} with the judge {judge!r} was measured: run `python -m"
                " bench.cluster_simulation measure`."
            ) from None


def _sizes(costs: SweepCosts) -> tuple[int, int, int]:
    return costs.stored, costs.images, costs.calls


def cluster_setup(
    mix: ModelMix,
    workers: int,
    database: str,
    costs: CostTable,
    times: Sequence[ServiceTime],
    assumed: Assumptions,
) -> ClusterSetup:
    """Return the cluster of a mix on `workers` GPUs, from two on.

    A local judge has half of them, as `hallascope.engine.sweep.ray.scheduling.worker_counts` shares
    them; a judge over an API none.
    """
    nodes = max(1, workers // GPUS_A_NODE)
    paid = mix.judge == "api"
    drawn = costs.of(database, "none")
    judged = costs.of(database, "api" if paid else "local")
    drawn_seconds = _driver_seconds(drawn, assumed)
    setup = ClusterSetup(
        generators=workers if paid else workers - workers // 2,
        judges=nodes * assumed.api_calls_at_once_a_node if paid else workers // 2,
        draw_seconds=service_time(times, mix.generator, "generator").seconds,
        judge_seconds=assumed.api_seconds,
        judge_calls=QUESTIONS,
        variation=assumed.variation,
        stragglers=assumed.stragglers,
        driver_drawn_seconds=drawn_seconds,
        driver_judged_seconds=max(0.0, _driver_seconds(judged, assumed) - drawn_seconds),
        image_bytes=1000 * judged.file_kb,
        network_bytes=assumed.network_bytes,
        open_images=max(OPEN_IMAGES * nodes, 2 * workers),
        losses=Losses(per_hour=assumed.losses_per_hour, seconds_to_replace=assumed.start_seconds),
        start_seconds=assumed.start_seconds,
    )
    if paid:
        return replace(
            setup,
            account_seconds=_account_seconds(drawn, judged, assumed),
            calls_per_minute=assumed.api_calls_per_minute,
        )
    seconds = service_time(times, mix.judge, "judge of five questions").seconds
    return replace(setup, judge_calls=1, judge_seconds=seconds)


def _driver_seconds(costs: SweepCosts, assumed: Assumptions) -> float:
    """Return how long an image keeps the thread of the driver: its CPU, and waits for a server."""
    return costs.driver_ms / 1000 + _waits(
        costs, costs.driver_statements, costs.driver_transactions, assumed
    )


def _account_seconds(drawn: SweepCosts, judged: SweepCosts, assumed: Assumptions) -> float:
    """Return how long the claim and the reservation of one call take in its thread."""
    cpu = max(0.0, judged.calls_ms - drawn.calls_ms) / 1000
    statements = judged.calls_statements - drawn.calls_statements
    transactions = judged.calls_transactions - drawn.calls_transactions
    return (cpu + _waits(judged, statements, transactions, assumed)) / QUESTIONS


def _waits(
    costs: SweepCosts, statements: float, transactions: float, assumed: Assumptions
) -> float:
    """Return the seconds of waiting for the server of a database; 0 where there is none."""
    if costs.database == "sqlite":
        return 0.0
    # beside its statements a transaction has its begin and end, and a look whether the server is up
    messages = statements + 3 * transactions
    share = statements / (costs.driver_statements + costs.calls_statements)
    return messages * assumed.round_trip + share * costs.server_ms / 1000


def scaling(
    mix: ModelMix,
    database: str,
    costs: CostTable,
    times: Sequence[ServiceTime],
    assumed: Assumptions,
    counts: Sequence[int] = WORKER_COUNTS,
    seed: int = 0,
) -> list[ScalingPoint]:
    """Simulate a mix on more and more workers, until a sweep no longer scales."""
    points: list[ScalingPoint] = []
    writes = costs.of(database, "api" if mix.judge == "api" else "local").writes
    for workers in counts:
        if workers < 2 and mix.judge != "api":
            continue
        setup = cluster_setup(mix, workers, database, costs, times, assumed)
        images = max(FEWEST_IMAGES, ROUNDS * setup.open_images)
        sweep = simulate(setup, images, seed)
        rate = sweep.images_per_second
        points.append(ScalingPoint(workers, sweep, rate / ideal_rate(setup), rate * writes))
        if points[-1].efficiency < SCALING:
            break
    return points


def ideal_rate(setup: ClusterSetup) -> float:
    """Return the images per second of the workers if nothing else took time or was limited."""
    longer = 1 + 2 * setup.stragglers
    lost = 1 + setup.losses.per_hour * setup.losses.seconds_to_replace / 3600
    drawn = setup.generators / (setup.draw_seconds * longer * lost)
    calls = setup.judge_calls * setup.judge_seconds * longer * lost
    return min(drawn, setup.judges / calls) if calls else drawn


@dataclass(frozen=True)
class Limit:
    """Says what a mix is held up by, and from how many GPUs on; None where it scales to the end."""

    workers: int | None
    station: str


def first_limit(points: Sequence[ScalingPoint]) -> Limit:
    """Return the first number of workers at which a sweep no longer scales, and why."""
    for point in points:
        if point.efficiency < SCALING:
            others = {
                name: share
                for name, share in point.sweep.utilization.items()
                if name not in (GENERATORS, JUDGES)
            }
            return Limit(point.workers, max(others, key=lambda name: others[name]))
    return Limit(None, "")
