"""Measures the promises about speed, as ratios within one run: ``python -m bench.ratios``.

It is a part of ``make bench``. Exit code 1 where a bound is missed.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.gpu import adapter_rows, read_adapters
from bench.judge_speed import AT_ONCE, LATENCY, service
from bench.measuring import ROUNDS, Row, finish, in_turns, launch, ratio_row, seconds
from hallascope.backends import registry
from hallascope.backends.diffusers.settings import call_parameters, merge_settings
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Generate
from hallascope.engine.events import EvaluateRequest
from hallascope.primer import scenes
from tests.support.billed_services import COST, services
from tests.support.ledger_rows import model_totals

IMAGES, QUESTIONS = 40, 5
IDEAL = -(-IMAGES * QUESTIONS // AT_ONCE) * LATENCY  # seconds


def call_rows(times: int = 3) -> Iterator[Row]:
    """Yield calls over HTTP to a slow judge beside the time that 16 at once take, and a repeat.

    Everything is on: cache, store, events, prices. The best of several runs is what a quiet machine
    takes.
    """
    with service() as (address, _):
        first, again = (min(column) for column in zip(*map(judge, [address] * times), strict=True))
    what = f"{IMAGES * QUESTIONS} calls over HTTP, {AT_ONCE} at once, to the ideal"
    yield ratio_row(what, [(first, IDEAL)], 1.15)
    yield ratio_row("the first time to a repeat", [(first, again)], 50, at_most=False)


def judge(address: str) -> tuple[float, float]:
    """Return the seconds to judge all images for the first time, and again."""
    asked: dict[str, Any] = {"models": ("free/painter",), "count": IMAGES}
    drawn = EvaluateRequest(prompt="a molecule of methane", judge=None, **asked)
    judged = EvaluateRequest(prompt="a molecule of methane", judge="billed/judge", **asked)
    with (
        tempfile.TemporaryDirectory() as folder,
        services(Path(folder), address, at_once=AT_ONCE) as ready,
    ):
        list(ready.evaluate(drawn))
        first = seconds(lambda: list(ready.evaluate(judged)))
        again = median(seconds(lambda: list(ready.evaluate(judged))) for _ in range(3))
        calls = round(sum(total.amount for total in model_totals(ready.store.ledger)) / COST)
    if calls != IMAGES * QUESTIONS:
        raise RuntimeError(f"{calls} calls were answered: run `make test` and look.")
    return first, again


def image_row(rounds: int) -> Row:
    """Compare an image through the adapter, as a PNG with its notes, with the bare pipeline."""
    spec = read_models()["primer/diffusion-tiny"]
    painter: Any = registry.load(spec)
    asked = merge_settings(spec.settings, {}, call_parameters(type(painter.pipeline))).arguments
    prompt = scenes.prompts()[0]
    pairs = in_turns(
        lambda: seconds(lambda: painter.generate([Generate(prompt, 0)])),
        lambda: seconds(lambda: painter.pipeline(prompt, output_type="np", **asked)),
        rounds,
    )
    return ratio_row("an image through the adapter, to the bare pipeline", pairs, 1.05)


def measure(rounds: int) -> Iterator[Row]:
    """Yield all rows, the reply of a small Qwen3-VL last."""
    yield from call_rows()
    yield image_row(rounds)
    with tempfile.TemporaryDirectory() as folder:
        yield from adapter_rows(read_adapters()["qwen3-vl"], Path(folder), "cpu", "tiny", rounds)


def main(rounds: int = ROUNDS) -> None:
    finish(measure(rounds))


if __name__ == "__main__":
    launch(main)
