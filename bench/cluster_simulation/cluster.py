"""Simulates a sweep on GPU workers: images are drawn, kept by the driver, judged, and kept again.

The driver is one thread, as in `hallascope.engine.sweep.local_executor`, so that it is a station
with one server; the transactions that it waits for are part of its seconds. What the threads of
paid calls write into the account is a station of its own, since one of them writes at a time.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from bench.cluster_simulation.stations import (
    Action,
    DrawSeconds,
    EventClock,
    Losses,
    Station,
    StationJob,
    steady_seconds,
    varied_seconds,
)

GENERATORS, JUDGES, DRIVER, ACCOUNT, NETWORK, LIMIT = (
    "generators",
    "judges",
    "driver thread",
    "account",
    "network of the driver",
    "rate limit of the judge",
)
WARM_UP = 0.25  # share of the images before what is counted begins, and after it ends


@dataclass(frozen=True, kw_only=True)
class ClusterSetup:
    """Describes a cluster, its models and the cost of keeping what they give.

    `generators` and `judges` are numbers of workers, each of which does one call at a time. An
    image takes `draw_seconds`, and `judge_calls` calls of `judge_seconds`. `variation` is the
    coefficient of variation of both; a share of `stragglers` takes three times as long. The driver
    thread takes `driver_drawn_seconds` to keep an image and `driver_judged_seconds` to keep its
    verdicts; `account_seconds` is what one call of a judge
    takes in the account, before and after it. `image_bytes`
    travel once to the driver and `image_trips` times from it, at `network_bytes` in a second.
    `calls_per_minute` limits the judge, None does not. `open_images` are under way at once at most.
    Workers start within `start_seconds`.
    """

    generators: int
    judges: int
    draw_seconds: float
    judge_seconds: float
    judge_calls: int = 1
    variation: float = 0.0
    stragglers: float = 0.0
    driver_drawn_seconds: float = 0.0
    driver_judged_seconds: float = 0.0
    account_seconds: float = 0.0
    image_bytes: float = 0.0
    image_trips: int = 1
    network_bytes: float = float("inf")
    calls_per_minute: float | None = None
    open_images: int = 96
    start_seconds: float = 0.0
    losses: Losses = field(default_factory=Losses)


@dataclass(frozen=True, kw_only=True)
class SimulatedSweep:
    """Holds what a simulated sweep did while it was in full swing.

    `images_per_second` is its rate and `utilization` by station the share of time in which its
    servers worked, from 0 to 1. `open_images` is their mean number, `image_seconds` the mean time
    from the begin of an image to its verdicts. `lost_calls` counts those that began anew, over the
    whole sweep, which took `total_seconds`.
    """

    images: int
    images_per_second: float
    utilization: Mapping[str, float]
    open_images: float
    image_seconds: float
    lost_calls: int
    total_seconds: float

    @property
    def busiest(self) -> str:
        """Return the station that works the largest share of its time."""
        return max(self.utilization, key=lambda name: self.utilization[name])


def simulate(setup: ClusterSetup, images: int, seed: int = 0) -> SimulatedSweep:
    """Simulate a sweep over so many images; the same seed gives the same sweep."""
    return _ClusterRun(setup, images, random.Random(seed)).result()


@dataclass(frozen=True)
class _Snapshot:
    """Holds a moment: its second, and the busy seconds of every station until then."""

    seconds: float
    busy: Mapping[str, float]
    open_seconds: float


class _ClusterRun:
    def __init__(self, setup: ClusterSetup, images: int, chance: random.Random) -> None:
        self._setup = setup
        self._images = images
        self._clock = EventClock()
        self._chance = chance
        self._begun = 0
        self._ended = 0
        self._open_seconds = 0.0
        self._counted_until = 0.0
        self._image_seconds = 0.0
        self._stations = self._make_stations()
        self._draw = varied_seconds(setup.draw_seconds, setup.variation, setup.stragglers)
        self._judge = varied_seconds(setup.judge_seconds, setup.variation, setup.stragglers)
        self._from = round(images * WARM_UP)
        self._until = max(self._from + 1, round(images * (1 - WARM_UP)))
        self._snapshots: list[_Snapshot] = []

    def _make_stations(self) -> dict[str, Station]:
        setup = self._setup
        servers = {GENERATORS: setup.generators, JUDGES: setup.judges, DRIVER: 1}
        if setup.account_seconds:
            servers[ACCOUNT] = 1
        if setup.network_bytes < float("inf"):
            servers[NETWORK] = 1
        if setup.calls_per_minute:
            servers[LIMIT] = 1
        return {
            name: Station(
                name=name,
                clock=self._clock,
                servers=count,
                chance=self._chance,
                losses=setup.losses if name in (GENERATORS, JUDGES) else Losses(),
            )
            for name, count in servers.items()
        }

    def result(self) -> SimulatedSweep:
        self._snapshots.append(self._snapshot())
        self._clock.after(self._setup.start_seconds, self._begin_images)
        self._clock.run(lambda: self._ended >= self._images)
        first, last = self._snapshots[-2:]
        seconds = last.seconds - first.seconds
        return SimulatedSweep(
            images=self._images,
            images_per_second=(self._until - self._from) / seconds,
            utilization={
                name: (last.busy[name] - first.busy[name]) / (seconds * max(1, servers))
                for name, servers in self._servers().items()
            },
            open_images=(last.open_seconds - first.open_seconds) / seconds,
            image_seconds=self._image_seconds / (self._until - self._from),
            lost_calls=sum(station.lost for station in self._stations.values()),
            total_seconds=self._clock.now,
        )

    def _servers(self) -> dict[str, int]:
        """Return the servers of each station, those being replaced among them."""
        workers = {GENERATORS: self._setup.generators, JUDGES: self._setup.judges}
        return {name: workers.get(name, 1) for name in self._stations}

    # --- images

    def _begin_images(self) -> None:
        while self._begun < self._images and self._begun - self._ended < self._setup.open_images:
            self._count_open()
            self._begun += 1
            began = self._clock.now
            keep = partial(self._keep_drawn, began)
            travel = partial(self._travel, 1, keep)
            self._submit(GENERATORS, self._draw, travel)

    def _keep_drawn(self, began: float) -> None:
        seconds = steady_seconds(self._setup.driver_drawn_seconds)
        send = partial(self._travel, self._setup.image_trips, partial(self._ask_judge, began))
        self._submit(DRIVER, seconds, send)

    def _travel(self, trips: int, arrived: Action) -> None:
        seconds = trips * self._setup.image_bytes / self._setup.network_bytes
        if NETWORK in self._stations:
            self._submit(NETWORK, steady_seconds(seconds), arrived)
        else:
            arrived()

    def _ask_judge(self, began: float) -> None:
        if not self._setup.judge_calls:
            self._end_image(began)
            return
        open_calls = [self._setup.judge_calls]

        def answered() -> None:
            open_calls[0] -= 1
            if not open_calls[0]:
                seconds = steady_seconds(self._setup.driver_judged_seconds)
                self._submit(DRIVER, seconds, partial(self._end_image, began))

        for _ in range(self._setup.judge_calls):
            self._pass_limit(partial(self._reserve, answered))

    def _pass_limit(self, allowed: Action) -> None:
        limit = self._setup.calls_per_minute
        if limit:
            self._submit(LIMIT, steady_seconds(60 / limit), allowed)
        else:
            allowed()

    def _reserve(self, ended: Action) -> None:
        """Ask the judge, after the account has held back what the call may cost."""
        ask = partial(self._submit, JUDGES, self._judge, ended)
        if ACCOUNT in self._stations:
            self._submit(ACCOUNT, steady_seconds(self._setup.account_seconds), ask)
        else:
            ask()

    def _end_image(self, began: float) -> None:
        self._count_open()
        self._ended += 1
        if self._from < self._ended <= self._until:
            self._image_seconds += self._clock.now - began
        if self._ended in (self._from, self._until):
            self._snapshots.append(self._snapshot())
        self._begin_images()

    def _submit(self, name: str, seconds: DrawSeconds, done: Action) -> None:
        self._stations[name].submit(StationJob(seconds, done))

    # --- sums

    def _count_open(self) -> None:
        now = self._clock.now
        self._open_seconds += (self._begun - self._ended) * (now - self._counted_until)
        self._counted_until = now

    def _snapshot(self) -> _Snapshot:
        self._count_open()
        busy = {name: station.busy_until_now() for name, station in self._stations.items()}
        return _Snapshot(self._clock.now, busy, self._open_seconds)
