"""Measures a sweep's own time and memory: ``python -m bench.sweep_overhead``.

It is a part of ``make bench``.
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.ratios import COLUMNS, ROOT, Ratio, seconds
from bench.support.images import png
from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.cli.output.printing import table
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Embed, Embedded, Generate, Generated, Role
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.sweep.plan import plan
from hallascope.engine.sweep.runner import Sweep, SweepEnded, SweepEvent
from hallascope.engine.sweep.spec_reader import parse

PROMPTS = 60
DRAWING, ANSWERING = 0.2, 0.2  # seconds a picture and an answer
AT_ONCE = 8  # answers at the same time
SHORT, LONG = 1_000, 20_000
SPEC = """
prompts: [primer: {{count: {count}}}]
models: [bench/painter]
metrics: [{metric}]
lineup: {{judge: bench/judge, embedder: bench/eye}}
"""


def main(arguments: Sequence[str]) -> None:
    """Without arguments: both ratios.

    ``memory COUNT`` prints the peak of one sweep in KiB, in a process of its own.
    """
    if arguments:
        print(peak(int(arguments[1])))
        return
    found = [overhead(), memory()]
    print(table(COLUMNS, found))
    sys.exit(0 if all(ratio.kept for ratio in found) else 1)


def overhead(times: int = 3) -> Ratio:
    """Measure a sweep against the time that its painter sleeps.

    The painter makes one picture after another, with five answers about each.

    The best of several is what a quiet machine takes; the last picture still has its answers to
    come.
    """
    bare = PROMPTS * DRAWING + ANSWERING
    taken = min(_taken() for _ in range(times))
    return Ratio(
        "a sweep to its models alone",
        taken / bare,
        1.1,
        True,
        f"{taken:.1f} s to {bare:.1f} s, best of {times}",
    )


def _taken() -> float:
    with tempfile.TemporaryDirectory() as folder:
        services = _services(Path(folder), DRAWING, ANSWERING)
        taken = seconds(lambda: run(services, PROMPTS, "ihalla"))
        services.store.close()
    return taken


def memory() -> Ratio:
    """The peak of a long sweep to that of a short one."""
    short, long = (_peak(count) for count in (SHORT, LONG))
    what = f"memory at {LONG:,} prompts to {SHORT:,}"
    return Ratio(what, long / short, 1.2, True, f"{long / 1024:.0f} MiB to {short / 1024:.0f} MiB")


def _peak(count: int) -> int:
    command = [sys.executable, "-m", "bench.sweep_overhead", "memory", str(count)]
    return int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def peak(count: int) -> int:
    """KiB that this process took at most, over a sweep with so many prompts."""
    with tempfile.TemporaryDirectory() as folder:
        services = _services(Path(folder), 0.0, 0.0)
        run(services, count, "clipscore")
        services.store.close()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def run(services: Services, count: int, metric: str) -> None:
    """A whole sweep over so many prompts of Primer.

    Raises RuntimeError where something of it is missing.
    """
    planned = plan(
        parse(SPEC.format(count=count, metric=metric), Path("sweep.yaml")),
        services,
        SpendingPolicy(),
    )
    last: SweepEvent | None = None
    for event in Sweep(planned, services, SpendingPolicy()).events():
        last = event
    if not isinstance(last, SweepEnded) or last.totals[:4] != (count, count, count, count):
        raise RuntimeError(
            f"the sweep over {count} prompts ended with {last}: run `make test` and look."
        )


def _services(folder: Path, drawing: float, answering: float) -> Services:
    painter = Scripted(_spec("bench/painter", "generator"), _drawn, latency=drawing)
    judge = Scripted(
        _spec("bench/judge", "judge"), limits=CallLimits(1, AT_ONCE), latency=answering
    )
    eye = Scripted(_spec("bench/eye", "embedder"), _seen, limits=CallLimits(16, 1))
    return Services(
        Store(folder=folder), {}, {model.spec.id: model for model in (painter, judge, eye)}
    )


def _spec(name: str, role: Role) -> ModelSpec:
    return ModelSpec(id=name, title=name, roles=(role,), backend="scripted")


def _drawn(request: Generate) -> Generated:
    return Generated(png(f"{request.prompt} {request.seed}"))


def _seen(request: Embed) -> Embedded:
    return Embedded((1.0, 0.5))


if __name__ == "__main__":
    main(sys.argv[1:])
