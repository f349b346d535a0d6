"""Times two things in turns and prints rows: what the measurements of this folder share."""

import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Annotated, Any, NamedTuple, NoReturn

import pandas as pd
import typer
from scipy.stats import quantile_test

from hallascope.backends.base import HallaScopeError
from hallascope.engine.events import jsonable

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Pair = tuple[float, float]


class Row(NamedTuple):
    """Holds what was measured, beside its bar; `holds` is None where no bar was measured."""

    what: str
    measured: str
    bar: str = ""
    holds: bool | None = None


def launch(command: Callable[..., object]) -> None:
    """Run a command with the options of its function; what is wrong is one sentence and code 2."""
    try:
        typer.run(command)
    except HallaScopeError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def finish(rows: Iterable[Row]) -> NoReturn:
    """Print each row as it comes, then all as a table; end with code 1 where a bar is missed."""
    done = []
    for row in rows:
        print(f"{row.what}: {row.measured}", file=sys.stderr, flush=True)
        done.append(row)
    table = pd.DataFrame(done).replace({True: "yes", False: "NO", None: ""})
    print(table.to_markdown(index=False, disable_numparse=True))
    sys.exit(any(row.holds is False for row in done))


def show(rows: Sequence[Mapping[str, object]], as_json: bool, **more: object) -> None:
    """Print rows as a Markdown table, and what else there is; as JSON also each item of lists."""
    if as_json:
        print(json.dumps(jsonable({"rows": rows, **more}), indent=2, ensure_ascii=False))
        return
    print(pd.DataFrame(rows).to_markdown(index=False, floatfmt=".3f"))
    for name, found in more.items():
        is_list = isinstance(found, list | tuple)
        print(f"{name}: {len(found)}, listed by --json" if is_list else f"{name}: {found}")  # type: ignore[arg-type]


# --- times ---


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def in_turns(first: Callable[[], float], second: Callable[[], float], rounds: int) -> list[Pair]:
    """Return the seconds that two calls return in every round, after one that does not count.

    They take turns at going first: whatever slows the machine for a while slows both.
    """
    first(), second()
    pairs = []
    for number in range(rounds):
        late = second() if number % 2 else None
        pairs.append((first(), second() if late is None else late))
    return pairs


def ratio_row(what: str, pairs: Sequence[Pair], bound: float, *, at_most: bool = True) -> Row:
    """Return the median ratio of pairs of seconds, with its 95 % interval by order statistics.

    The bound is missed only where the whole interval lies beyond it: what a noisy machine cannot
    tell from the bound is not called missed. Under six pairs there is no interval.
    """
    ratios = [ours / theirs for ours, theirs in pairs]
    found: Any = quantile_test(ratios, p=0.5).confidence_interval(confidence_level=0.95)
    low, high = float(found.low), float(found.high)
    interval = f" ({low:.2f} to {high:.2f})"
    if math.isnan(low) or math.isnan(high):
        low = high = median(ratios)
        interval = ""
    ours, theirs = (median(times) * 1000 for times in zip(*pairs, strict=True))
    return Row(
        what,
        f"{median(ratios):.2f}{interval}: {ours:.0f} ms to {theirs:.0f} ms, median of {len(pairs)}",
        f"{'<=' if at_most else '>='} {bound:g}",
        low <= bound if at_most else high >= bound,
    )
