"""Measures the leaderboard at 1,000 and at 1,000,000 verdicts: ``python -m
bench.leaderboard_scale``; part of ``make bench``.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from bench import big_store
from bench.ratios import COLUMNS, Ratio, seconds
from hallascope.cli.output.printing import table
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.disagreements import disagreements
from hallascope.engine.leaderboard.drilldown import behind
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.options import offered
from hallascope.engine.storage.store import Store

SMALL, LARGE, TIMES, BOUND = 1_000, 1_000_000, 15, 5.0
# of what reads every prompt of two models, which are 800 times as many: to pair them is to look at
# each
TWO_BARS = 12.0
ASKED: dict[str, Callable[[Store], object]] = {
    "leaderboard by model": lambda store: board(store, Query()),
    "leaderboard by composition of interest": lambda store: board(store, Query(by="coi")),
    "leaderboard by category, filtered": lambda store: board(
        store, Query("fig", "object", "category", Filters(domain="animal"))
    ),
    "leaderboard by category, of one trial": lambda store: board(
        store, Query(by="category", filters=Filters(trial=0))
    ),
    "the prompts behind a bar": lambda store: behind(
        store, Query(by="coi"), big_store.MODELS[0], "color"
    ),
    "the prompts behind a bar of a category": lambda store: behind(
        store, Query(by="category"), big_store.MODELS[0], "Biology"
    ),
    "opening the tab": lambda store: (offered(store, "ihalla"), board(store, Query(by="category"))),
    "where methods disagree": lambda store: disagreements(store),
    "where methods disagree, filtered": lambda store: disagreements(
        store, Filters(domain="animal")
    ),
}
READ: dict[str, tuple[float, Callable[[Store], object]]] = {
    "the difference of two models": (
        TWO_BARS,
        lambda store: difference(store, Query(), *big_store.MODELS[:2]),
    ),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = ratios(Path(folder))
    print(table(COLUMNS, found))
    sys.exit(0 if all(ratio.kept for ratio in found) else 1)


def ratios(folder: Path, large: int = LARGE) -> list[Ratio]:
    """Each question to both stores in turns, so that both find the same machine.

    The store is opened anew for the last.
    """
    for size in (SMALL, large):
        big_store.fill(folder / str(size), size)
    small, big = (Store(folder=folder / str(size)) for size in (SMALL, large))
    found = [_ratio(what, partial(ask, small), partial(ask, big)) for what, ask in ASKED.items()]
    found += [
        _ratio(what, partial(ask, small), partial(ask, big), bound)
        for what, (bound, ask) in READ.items()
    ]
    small.close()
    big.close()
    return [
        *found,
        _ratio(
            "opening the store",
            lambda: Store(folder=folder / str(SMALL)).close(),
            lambda: Store(folder=folder / str(large)).close(),
        ),
    ]


def _ratio(
    what: str, small: Callable[[], object], large: Callable[[], object], bound: float = BOUND
) -> Ratio:
    small(), large()  # the first is slow in any order
    pairs = [(seconds(small), seconds(large)) for _ in range(TIMES)]
    few, many = (median(column) for column in zip(*pairs, strict=True))
    return Ratio(
        f"{what}, {LARGE:,} to {SMALL:,} verdicts",
        many / few,
        bound,
        True,
        f"{many * 1000:.1f} ms to {few * 1000:.1f} ms",
    )


if __name__ == "__main__":
    main()
