"""Measures the promises about speed, as ratios within one run: ``make bench``.

Exit code 1 where one is missed.
"""

import argparse
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy.stats import kendalltau, quantile_test

from hallascope.backends import registry
from hallascope.backends.base import Judge
from hallascope.backends.diffusers.components import call_parameters
from hallascope.backends.diffusers.settings import merge_settings
from hallascope.backends.scripted import Scripted
from hallascope.cli.output.printing import TextColumn, table
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Ask, Generate, Generated
from hallascope.engine.events import Evaluated, EvaluateRequest, Event
from hallascope.engine.human_agreement.ratings import (
    AgreementOptions,
    agreement_document,
    read_tables,
    study_tables,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics import get
from hallascope.metrics.base import Case
from hallascope.metrics.statistics.correlation import draw_count, draw_statistics
from hallascope.primer import scenes

ROOT = Path(__file__).parents[1]
PICTURES, QUESTIONS, SIDE, AT_ONCE, LATENCY = 40, 5, 256, 16, 0.2
IDEAL = -(-PICTURES * QUESTIONS // AT_ONCE) * LATENCY  # seconds
ROUNDS = 25  # of two things that are compared: few enough for a minute, enough for an interval


@dataclass(frozen=True)
class Ratio:
    """A measured ratio with its bound.

    `value` is None where it could not be measured, and `note` says why.

    `interval` is the 95 % interval of a ratio that was measured in many rounds. Such a bound is
    missed only where the whole interval lies beyond it: what a noisy machine cannot tell from the
    bound is not called missed.
    """

    what: str
    value: float | None
    bound: float
    at_most: bool
    note: str = ""
    interval: tuple[float, float] | None = None

    @property
    def kept(self) -> bool:
        if self.value is None:
            return True
        low, high = self.interval or (self.value, self.value)
        return low <= self.bound if self.at_most else high >= self.bound


COLUMNS = (
    TextColumn("promise", lambda r: r.what),
    TextColumn("ratio", lambda r: "-" if r.value is None else f"{r.value:.2f}"),
    TextColumn(
        "95 %",
        lambda r: "" if r.interval is None else f"{r.interval[0]:.2f} to {r.interval[1]:.2f}",
    ),
    TextColumn("bound", lambda r: f"{'<=' if r.at_most else '>='} {r.bound:g}"),
    TextColumn("", lambda r: "not measured" if r.value is None else "kept" if r.kept else "MISSED"),
    TextColumn("how", lambda r: r.note),
)


def main() -> None:
    argparse.ArgumentParser(prog="python -m bench.ratios", description=__doc__).parse_args()
    found = [*calls(), batch(), beside_other_work(), adapter(), agreement(), agreement_growth()]
    print(table(COLUMNS, found))
    sys.exit(0 if all(ratio.kept for ratio in found) else 1)


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def paired_ratio(
    what: str,
    first: Callable[[], object],
    second: Callable[[], object],
    bound: float,
    *,
    at_most: bool = True,
) -> Ratio:
    """Return the median ratio of the times of `first` and `second` over ROUNDS rounds.

    Its interval is that of the median by order statistics.

    Both run once in every round, and take turns at going first: whatever slows the machine for a
    while slows both.
    """
    first(), second()  # what runs for the first time is slow in any order
    pairs = [_one_round(first, second, swapped=bool(number % 2)) for number in range(ROUNDS)]
    return median_ratio(what, pairs, bound, at_most=at_most)


def median_ratio(
    what: str, pairs: Sequence[tuple[float, float]], bound: float, *, at_most: bool = True
) -> Ratio:
    """Return the median ratio of pairs of seconds, with its interval by order statistics.

    Under six pairs no interval reaches 95 %, and there is none.
    """
    ratios = [ours / theirs for ours, theirs in pairs]
    found: Any = quantile_test(ratios, p=0.5).confidence_interval(confidence_level=0.95)
    limits = (float(found.low), float(found.high))
    interval = None if any(math.isnan(limit) for limit in limits) else limits
    ours, theirs = (median(column) * 1000 for column in zip(*pairs, strict=True))
    note = f"{ours:.0f} ms to {theirs:.0f} ms, median of {len(pairs)}"
    return Ratio(what, median(ratios), bound, at_most, note, interval)


def _one_round(
    first: Callable[[], object], second: Callable[[], object], *, swapped: bool
) -> tuple[float, float]:
    """The seconds of both, in the order of the arguments whichever ran first."""
    if not swapped:
        return seconds(first), seconds(second)
    theirs = seconds(second)
    return seconds(first), theirs


# --- calls and cache
# ---------------------------------------------------------------------------------------------


def calls(times: int = 3) -> list[Ratio]:
    """Measure 200 calls over HTTP to a slow judge against the time that 16 at once would take.

    Then the same is asked again.

    Everything is on: cache, store, events, prices. The best of several runs is what a quiet machine
    takes.
    """
    with loopback() as url:
        runs = [_judged(url) for _ in range(times)]
    first, again = (min(column) for column in zip(*runs, strict=True))
    what = f"{PICTURES * QUESTIONS} calls over HTTP, {AT_ONCE} at once, to the ideal"
    return [
        Ratio(what, first / IDEAL, 1.15, True, f"{first:.2f} s to {IDEAL:.2f} s, best of {times}"),
        Ratio(
            "the first time to a repeat",
            first / again,
            50,
            False,
            f"{first:.2f} s to {again * 1000:.0f} ms",
        ),
    ]


def _judged(url: str) -> tuple[float, float]:
    """Seconds to judge all pictures for the first time, and again.

    The client is loaded before, as a model would be.
    """
    painter = Scripted(
        ModelSpec(id="bench/painter", title="A painter", roles=("generator",), backend="scripted"),
        _drawn,
    )
    request = EvaluateRequest(
        prompt="a molecule of methane",
        models=("bench/painter",),
        judge="bench/judge",
        count=PICTURES,
    )
    with tempfile.TemporaryDirectory() as folder:
        services = Services(
            Store(folder=Path(folder)),
            {"bench/judge": _slow_judge(url)},
            {"bench/painter": painter},
        )
        services.judge("bench/judge")
        list(services.evaluate(replace(request, judge=None)))
        found: list[Event] = []
        first = seconds(lambda: found.extend(services.evaluate(request)))
        again = median(seconds(lambda: list(services.evaluate(request))) for _ in range(3))
        services.store.close()
    answered = _answered(found)
    if answered != PICTURES * QUESTIONS:
        raise RuntimeError(
            f"only {answered} of {PICTURES * QUESTIONS} calls were answered: run `make test` and"
            " look."
        )
    return first, again


def _slow_judge(url: str) -> ModelSpec:
    price = Price("2026-04-06", input=0.15, output=0.6, picture_tokens=100)
    return ModelSpec(
        id="bench/judge",
        title="A slow judge",
        roles=("judge",),
        backend="openai",
        repository="loopback",
        kind="api",
        base_url=url,
        price=price,
    )


def _answered(events: Sequence[Event]) -> int:
    """Count the different questions that got an answer: what is asked twice is called once."""
    reports = [event.evaluation.report for event in events if isinstance(event, Evaluated)]
    return len(
        {
            (report.image, verdict.question.text)
            for report in reports
            for verdict in report.verdicts
            if verdict.answer
        }
    )


@contextmanager
def loopback(latency: float = LATENCY) -> Iterator[str]:
    """Yield the base URL of a service process that answers every call after `latency` seconds."""
    command = [sys.executable, "-m", "bench.slow_service", str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            yield f"http://127.0.0.1:{int(service.stdout.readline())}/v1"
        finally:
            service.terminate()


def _drawn(request: Generate) -> Generated:
    return Generated(_png(scenes.parse("two red circles"), request.seed, SIDE))


def _png(scene: scenes.Scene, seed: int, side: int = 128) -> bytes:
    with tempfile.SpooledTemporaryFile() as file:
        scene.draw(scene.truths(), seed).image(side).save(file, "PNG")
        file.seek(0)
        return file.read()


# --- the embedded judge
# ------------------------------------------------------------------------------------------


def batch(pictures: int = 10) -> Ratio:
    """Five questions about one picture one by one, to the same in one batch."""
    what = "five questions one by one to one batch"
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models())
        if reason := services.unavailable_reason("primer/judge"):
            services.store.close()
            return Ratio(what, None, 2, False, reason)
        judge = services.judge("primer/judge")
        asks = [
            _asks(services.store.keep_image(_png(scenes.parse(p), 0)), p)
            for p in scenes.prompts()[: pictures + 1]
        ]
        judge.ask(asks.pop())  # the first is slow in any order
        together = median(seconds(partial(judge.ask, five)) for five in asks)
        alone = median(seconds(partial(_ask_one_by_one, judge, five)) for five in asks)
        services.store.close()
    return Ratio(
        what,
        alone / together,
        2,
        False,
        f"{alone * 1000:.0f} ms to {together * 1000:.0f} ms, median of {pictures} images",
    )


def _ask_one_by_one(judge: Judge, asks: Sequence[Ask]) -> None:
    for ask in asks:
        judge.ask([ask])


def _asks(picture: Picture, prompt: str) -> list[Ask]:
    plan = get("ihalla").plan(
        Case(prompt=prompt, image=picture, questions=scenes.parse(prompt).questions().questions)
    )
    return [request for request in next(plan) if isinstance(request, Ask)]


def beside_other_work(rounds: int = ROUNDS) -> Ratio:
    """Evaluate a prompt by three models beside a process that holds a core, to the same alone."""
    models = ("primer/exact", "primer/careful", "primer/hasty")
    seeds = count()
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), read_models())

        def evaluate() -> None:
            request = EvaluateRequest(prompt="a ladybug", models=models, seed=next(seeds))
            list(services.evaluate(request))

        evaluate()  # loads the judge
        pairs = []
        for _ in range(rounds):
            alone = seconds(evaluate)
            with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
                pairs.append((seconds(evaluate), alone))
                other.kill()
        services.store.close()
    return median_ratio("an evaluation beside a process that holds a core, to alone", pairs, 1.5)


# --- the embedded generator
# --------------------------------------------------------------------------------------


def adapter() -> Ratio:
    """A picture through the adapter, as a PNG with its notes, to the bare call of its pipeline."""
    what, spec = (
        "an image through the adapter to the bare pipeline",
        read_models()["primer/diffusion-tiny"],
    )
    if reason := registry.available(spec):
        return Ratio(what, None, 1.05, True, reason)
    painter: Any = registry.load(spec)
    asked = merge_settings(spec.settings, {}, call_parameters(type(painter.pipeline))).arguments
    prompt = scenes.prompts()[0]

    def adapted() -> None:
        painter.generate([Generate(prompt, 0)])

    def bare() -> None:
        painter.pipeline(prompt, output_type="np", **asked)

    return paired_ratio(what, adapted, bare, 1.05)


# --- agreement with people
# ----------------------------------------------------------------------------------------


def agreement(items: int = 40_000, taus: int = 50) -> Ratio:
    """Measure the draws of all four statistics of one metric, against scipy's tau alone."""
    chance = np.random.default_rng(1)
    people = chance.integers(1, 6, (3, items)).mean(axis=0)
    scores = people + chance.normal(size=items)
    draws = draw_count(items)

    def scipy_tau() -> None:
        for _ in range(taus):
            kendalltau(scores, people)

    return paired_ratio(
        f"agreement of {items:,} items, four statistics, {draws} draws, against {taus} times"
        " scipy's Kendall tau alone",
        lambda: draw_statistics(scores, people, draws),
        scipy_tau,
        3,  # 250 draws of all items take 6 times as long, counting all pairs 500 times
    )


def agreement_growth(items: int = 40_000, metrics: int = 10, times: int = 2) -> Ratio:
    """Compare tables of `items` and of a tenth of them, as `hallascope agreement` does.

    Reading, draws and the document are counted; what uses the processor, not what waits for it.
    """
    few = items // 10
    with tempfile.TemporaryDirectory() as folder:
        tables = [_write_ratings(Path(folder), number, metrics) for number in (items, few)]
        _compare_ratings(*_write_ratings(Path(folder), 100, metrics))  # imports what it needs
        rounds = [
            [_processor_seconds(partial(_compare_ratings, *of)) for of in tables]
            for _ in range(times)
        ]
    many, fewer = (min(column) for column in zip(*rounds, strict=True))
    what = f"agreement of {items:,} items with {metrics} metrics, from tables, to {few:,} items"
    note = f"{many:.1f} s to {fewer:.1f} s of the processor, best of {times}"
    return Ratio(what, many / fewer, 2, True, note)


def _write_ratings(folder: Path, items: int, metrics: int) -> tuple[Path, Path]:
    """Write scores and three ratings of each item; return the files."""
    chance = np.random.default_rng(1)
    quality = chance.normal(size=items)
    scores, ratings = folder / f"scores-{items}.csv", folder / f"ratings-{items}.csv"
    rows = ["item,metric,value"]
    for metric in range(metrics):
        values = quality + chance.normal(size=items) * (0.5 + metric / 5)
        rows += [f"i{item},m{metric},{value:.4f}" for item, value in enumerate(values)]
    scores.write_text("\n".join(rows), encoding="utf-8")
    rows = ["item,rater,value"]
    for rater in range(3):
        values = np.clip(np.rint(3 + quality + chance.normal(size=items)), 1, 5)
        rows += [f"i{item},r{rater},{value:.0f}" for item, value in enumerate(values)]
    ratings.write_text("\n".join(rows), encoding="utf-8")
    return scores, ratings


def _compare_ratings(scores: Path, ratings: Path) -> None:
    options = AgreementOptions()
    studies = study_tables(read_tables(scores, ratings, options), options)
    for _ in studies.draw():
        pass
    agreement_document(studies)


def _processor_seconds(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


if __name__ == "__main__":
    main()
