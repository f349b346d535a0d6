"""The simulated queues agree with closed forms, and the tables of docs/scale.md are up to date."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bench.cluster_simulation import __main__ as command
from bench.cluster_simulation import page, papers
from bench.cluster_simulation.cluster import (
    ACCOUNT,
    DRIVER,
    GENERATORS,
    JUDGES,
    LIMIT,
    NETWORK,
    ClusterSetup,
    simulate,
)
from bench.cluster_simulation.csv_tables import read_records, write_records
from bench.cluster_simulation.measurement import MeasuredSweep, SweepCosts, measure_here
from bench.cluster_simulation.mixes import (
    MIXES,
    Assumptions,
    CostTable,
    first_limit,
    ideal_rate,
    scaling,
)
from bench.cluster_simulation.papers import PaperCalls, table_costs
from bench.cluster_simulation.service_times import read_service_times, service_time
from bench.cluster_simulation.stations import (
    DrawSeconds,
    EventClock,
    Losses,
    Station,
    StationJob,
    steady_seconds,
    varied_seconds,
)

SETUP = ClusterSetup(generators=4, judges=2, draw_seconds=1.0, judge_seconds=0.2)
COSTS = SweepCosts(
    database="sqlite",
    judge="none",
    images=100,
    calls=8,
    stored=0,
    side=1024,
    driver_ms=10.0,
    calls_ms=50.0,
    server_ms=0.0,
    driver_statements=20.0,
    driver_transactions=6.0,
    calls_statements=0.0,
    calls_transactions=0.0,
    writes=5.0,
    rows=7.0,
    account_writes=0.0,
    events=5.0,
    database_kb=2.0,
    file_kb=1300.0,
    files=2.0,
    peak_mb=300.0,
)


def mean_wait(servers: int, rate: float, seconds: DrawSeconds, jobs: int = 40_000) -> float:
    """The mean seconds that jobs of a Poisson process wait for a server."""
    chance = random.Random(7)
    clock = EventClock()
    station = Station(name="s", clock=clock, servers=servers, chance=chance)
    waits: list[float] = []

    def arrive() -> None:
        came, taken = clock.now, seconds(chance)
        done: Callable[[], None] = lambda: waits.append(clock.now - came - taken)  # noqa: E731
        station.submit(StationJob(steady_seconds(taken), done))
        clock.after(chance.expovariate(rate), arrive)

    clock.after(0.0, arrive)
    clock.run(lambda: len(waits) >= jobs)
    return sum(waits) / len(waits)


def erlang_c_wait(servers: int, rate: float, seconds: float) -> float:
    """The mean wait of M/M/c (Erlang, 1917)."""
    load = rate * seconds
    last = load**servers / math.factorial(servers) * servers / (servers - load)
    waiting = last / (sum(load**k / math.factorial(k) for k in range(servers)) + last)
    return waiting * seconds / (servers - load)


def test_one_server_of_steady_jobs_lets_them_wait_as_pollaczek_and_khinchine_say() -> None:
    load = 0.8
    expected = load / (2 * (1 - load))  # of a service of one second
    assert mean_wait(1, load, steady_seconds(1.0)) == pytest.approx(expected, rel=0.08)


def test_several_servers_of_exponential_jobs_let_them_wait_as_erlang_says() -> None:
    wait = mean_wait(4, 3.2, varied_seconds(1.0, variation=1.0))
    assert wait == pytest.approx(erlang_c_wait(4, 3.2, 1.0), rel=0.1)


def test_images_under_way_are_their_rate_times_their_seconds() -> None:
    swept = simulate(replace(SETUP, variation=0.5, open_images=20), 4_000)
    assert swept.open_images == pytest.approx(
        swept.images_per_second * swept.image_seconds, rel=0.02
    )
    assert swept.open_images == pytest.approx(20, rel=0.01)


@pytest.mark.parametrize(
    ("change", "rate", "busiest"),
    [
        ({}, 4.0, GENERATORS),
        ({"judge_seconds": 1.0}, 2.0, JUDGES),
        ({"driver_drawn_seconds": 0.3, "driver_judged_seconds": 0.2}, 2.0, DRIVER),
        ({"image_bytes": 1e6, "network_bytes": 4e6}, 2.0, NETWORK),
        ({"judge_calls": 5, "judge_seconds": 0.01, "calls_per_minute": 600}, 2.0, LIMIT),
        ({"judge_calls": 5, "judge_seconds": 0.01, "account_seconds": 0.1}, 2.0, ACCOUNT),
    ],
)
def test_the_narrowest_station_says_the_rate(
    change: dict[str, float], rate: float, busiest: str
) -> None:
    swept = simulate(replace(SETUP, **change), 800)  # type: ignore[arg-type]
    assert swept.images_per_second == pytest.approx(rate, rel=0.02)
    assert swept.busiest == busiest
    assert swept.utilization[busiest] > 0.98


def test_lost_workers_begin_their_images_anew_and_none_is_left_out() -> None:
    losses = Losses(per_hour=360, seconds_to_replace=10.0)  # every ten seconds of work
    calm, stormy = simulate(SETUP, 1_000), simulate(replace(SETUP, losses=losses), 1_000)
    assert stormy.lost_calls > 100
    # half of the time a worker is being replaced, and a second of work is lost with some of its own
    assert 0.35 < stormy.images_per_second / calm.images_per_second < 0.5


def test_stragglers_lengthen_the_mean_by_their_share() -> None:
    chance = random.Random(1)
    draw = varied_seconds(1.0, variation=0.3, stragglers=0.1)
    assert sum(draw(chance) for _ in range(20_000)) / 20_000 == pytest.approx(1.2, rel=0.02)


def test_the_same_seed_gives_the_same_sweep_and_another_another() -> None:
    setup = replace(SETUP, variation=0.3)
    assert simulate(setup, 300, seed=1) == simulate(setup, 300, seed=1)
    assert simulate(setup, 300, seed=1) != simulate(setup, 300, seed=2)


def cost_table(driver_ms: float) -> CostTable:
    return CostTable(
        [replace(COSTS, judge=judge, driver_ms=driver_ms) for judge in ("none", "local", "api")]
    )


def test_a_slower_driver_is_the_limit_of_fewer_gpus() -> None:
    assumed = Assumptions(network_bytes=1e12)
    limits = [
        first_limit(
            scaling(
                MIXES[1],
                "sqlite",
                cost_table(milliseconds),
                read_service_times(),
                assumed,
                (8, 64, 512),
            )
        )
        for milliseconds in (100.0, 20.0, 0.1)
    ]
    assert [limit.workers for limit in limits] == [64, 512, None]
    assert [limit.station for limit in limits] == [DRIVER, DRIVER, ""]


def test_the_ideal_rate_is_what_workers_reach_that_wait_for_nothing() -> None:
    setup = replace(SETUP, variation=0.2, stragglers=0.02)
    swept = simulate(setup, 4_000)
    assert swept.images_per_second == pytest.approx(ideal_rate(setup), rel=0.03)


@pytest.mark.parametrize("judge", ["local", "api"])
def test_a_real_sweep_is_measured_and_its_account_is_written_where_calls_are_paid(
    judge: str,
) -> None:
    costs = measure_here(MeasuredSweep(database="sqlite", judge=judge, images=3, calls=2, side=64))
    assert costs.files == 2  # the image and its thumbnail
    assert costs.driver_ms > 0
    assert costs.rows > costs.writes > 1
    # a call of each question is reserved, and settled with others
    assert (costs.account_writes > 5) == (judge == "api")


def test_what_is_written_as_csv_is_read_again(tmp_path: Path) -> None:
    write_records([COSTS], tmp_path / "costs.csv")
    assert read_records(SweepCosts, tmp_path / "costs.csv") == [COSTS]


def test_every_model_of_the_papers_has_a_service_time_and_every_assumption_is_called_one() -> None:
    times = read_service_times()
    for call in read_records(PaperCalls, papers.CALLS_FILE):
        if call.kind != "api":
            assert service_time(times, call.model, call.role).seconds > 0
    assert {time.basis for time in times if time.model == "*"} == {"assumed"}


def test_a_table_costs_its_gpu_hours_and_its_calls() -> None:
    call = partial(PaperCalls, paper="p", table="1")
    calls = [
        call(model="sdxl-base", role="generator", kind="local", calls=3600, usd=0.0),
        call(model="openai/gpt-4o", role="judge", kind="api", calls=6000, usd=12.0),
    ]
    (cost,) = table_costs(calls, read_service_times())
    seconds = service_time(read_service_times(), "sdxl-base", "generator").seconds
    assert (cost.images, cost.gpu_hours, cost.api_calls) == (3600, seconds, 6000)
    assert cost.usd(2.0) == 2 * seconds + 12
    assert cost.wall_hours(1, 100) == max(seconds, 1.0)
    assert cost.wall_hours(64, 100) == 1.0


def test_the_tables_of_the_page_are_those_that_the_command_writes() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    options = command._read_options(["papers"])
    costs = page.costs_table(read_records(SweepCosts, command.COSTS_FILE))
    tables = {"costs": costs, **command._papers_tables(options)}
    assert page.insert_tables(text, tables) == text, "run `make scale`"


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the table 'costs'"):
        page.insert_tables("no marks", {"costs": "|"})
