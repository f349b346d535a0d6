"""Measures the promises about speed, as ratios within one run: ``python -m bench.ratios``.

It is a part of ``make bench``. Exit code 1 where a bound is missed.
"""

import io
import itertools
import multiprocessing
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from bench.measuring import ROUNDS, Row, finish, in_turns, launch, ratio_row, seconds
from hallascope.backends import registry
from hallascope.backends.diffusers.components import call_parameters
from hallascope.backends.diffusers.settings import merge_settings
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.requests import Ask, Generate, Generated
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.metrics import get
from hallascope.metrics.base import Case
from hallascope.metrics.statistics.correlation import draw_count, draw_statistics
from hallascope.primer import scenes
from tests.support.billed_services import Bill, served

IMAGES, QUESTIONS, AT_ONCE, LATENCY = 40, 5, 16, 0.2
SPAWN = multiprocessing.get_context("spawn")


def png(prompt: str, seed: int = 0) -> bytes:
    """Return a drawing of Primer."""
    scene = scenes.parse(prompt)
    scene.draw(scene.truths(), seed).image(256).save(made := io.BytesIO(), "PNG")
    return made.getvalue()


@contextmanager
def opened_services(judges: dict[str, ModelSpec], **made: Any) -> Iterator[Services]:
    """Yield services on an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Store(folder=Path(folder)), judges, made)
        yield services
        services.store.close()


# --- calls and cache ---


def serve(sender: Connection, latency: float) -> None:
    """Answer every call after `latency` seconds, in a process that shares no interpreter."""
    with served(Bill(latency)) as address:
        sender.send(address)
        threading.Event().wait()


def call_rows(rounds: int) -> Iterator[Row]:
    """Yield calls over HTTP to a slow judge beside the time that 16 at once take, and a repeat.

    Everything is on: cache, store, events, prices. The best of several runs is what a quiet machine
    takes.
    """
    receiver, sender = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=serve, args=(sender, LATENCY), daemon=True)
    process.start()
    address = receiver.recv()
    first, again = (min(times) for times in zip(*map(judge, [address] * rounds), strict=True))
    process.terminate()
    ideal = -(-IMAGES * QUESTIONS // AT_ONCE) * LATENCY
    what = f"{IMAGES * QUESTIONS} calls over HTTP, {AT_ONCE} at once"
    yield ratio_row(f"{what}, to the ideal", [(first, ideal)], 1.15)
    yield ratio_row("the first time to a repeat", [(first, again)], 50, at_most=False)


def judge(address: str) -> tuple[float, float]:
    """Return the seconds to judge all images for the first time, and again."""
    painter = Scripted(
        ModelSpec(id="bench/painter", title="A painter", roles=("generator",), backend="scripted"),
        lambda request: Generated(png("two red circles", request.seed)),
    )
    slow = ModelSpec(
        id="bench/judge",
        title="A slow judge",
        roles=("judge",),
        backend="openai",
        repository="loopback",
        kind="api",
        base_url=address,
        price=Price("2026-04-06", input=0.15, output=0.6, picture_tokens=100),
    )
    request = EvaluateRequest(
        prompt="a molecule of methane",
        models=("bench/painter",),
        judge="bench/judge",
        count=IMAGES,
    )
    with opened_services({"bench/judge": slow}, **{"bench/painter": painter}) as services:
        services.judge("bench/judge")  # the client is loaded before, as a model would be
        list(services.evaluate(replace(request, judge=None)))
        found: list[object] = []
        first = seconds(lambda: found.extend(services.evaluate(request)))
        again = median(seconds(lambda: list(services.evaluate(request))) for _ in range(3))
    reports = [event.evaluation.report for event in found if isinstance(event, Evaluated)]
    # what is asked twice is called once
    answered = {(r.image, v.question.text) for r in reports for v in r.verdicts if v.answer}
    if len(answered) != IMAGES * QUESTIONS:
        raise RuntimeError(f"Only {len(answered)} calls were answered: run `make test` and look.")
    return first, again


# --- the models that ship ---


def batch_row(rounds: int) -> Row:
    """Compare five questions about one image one by one with one batch."""
    with opened_services(dict(read_models())) as services:
        judge = services.judge("primer/judge")
        fives = itertools.cycle(
            questions(services, prompt) for prompt in scenes.prompts()[: rounds + 1]
        )

        def one_by_one() -> None:
            for ask in next(fives):
                judge.ask([ask])

        pairs = in_turns(one_by_one, lambda: judge.ask(next(fives)), rounds)
    return ratio_row("five questions one by one, to one batch", pairs, 2, at_most=False)


def questions(services: Services, prompt: str) -> list[Ask]:
    """Return what I-HallA asks about a drawing of a prompt."""
    image = services.store.keep_image(png(prompt))
    asked = scenes.parse(prompt).questions().questions
    plan = get("ihalla").plan(Case(prompt=prompt, image=image, questions=asked))
    return [request for request in next(plan) if isinstance(request, Ask)]


def busy_row(rounds: int) -> Row:
    """Compare an evaluation beside a process that holds a core with the same alone."""
    models = ("primer/exact", "primer/careful", "primer/hasty")
    seeds = itertools.count()
    with opened_services(dict(read_models())) as services:

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
    return ratio_row("an evaluation beside a process that holds a core, to alone", pairs, 1.5)


def adapter_row(rounds: int) -> Row:
    """Compare an image through the adapter, as a PNG with its notes, with the bare pipeline."""
    spec = read_models()["primer/diffusion-tiny"]
    painter: Any = registry.load(spec)
    asked = merge_settings(spec.settings, {}, call_parameters(type(painter.pipeline))).arguments
    prompt = scenes.prompts()[0]
    pairs = in_turns(
        lambda: painter.generate([Generate(prompt, 0)]),
        lambda: painter.pipeline(prompt, output_type="np", **asked),
        rounds,
    )
    return ratio_row("an image through the adapter, to the bare pipeline", pairs, 1.05)


def agreement_row(rounds: int, items: int = 40_000, taus: int = 50) -> Row:
    """Compare the draws of all four statistics of one metric with scipy's tau alone."""
    chance = np.random.default_rng(1)
    people = chance.integers(1, 6, (3, items)).mean(axis=0)
    scores = people + chance.normal(size=items)
    draws = draw_count(items)
    pairs = in_turns(
        lambda: draw_statistics(scores, people, draws),
        lambda: [kendalltau(scores, people) for _ in range(taus)],
        rounds,
    )
    what = f"agreement of {items:,} items, four statistics, {draws} draws, to {taus} times"
    # 250 draws of all items take 6 times as long, counting all pairs 500 times
    return ratio_row(f"{what} scipy's Kendall tau", pairs, 3)


MEASUREMENTS: Sequence[Callable[[int], Row]] = (batch_row, busy_row, adapter_row, agreement_row)


def main(rounds: int = ROUNDS) -> None:
    finish(itertools.chain(call_rows(3), (measure(rounds) for measure in MEASUREMENTS)))


if __name__ == "__main__":
    launch(main)
