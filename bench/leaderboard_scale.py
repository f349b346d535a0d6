"""Measures choices on the Leaderboard tab: ``python -m bench.leaderboard_scale``.

It takes every choice at a million verdicts, and is a part of ``make bench``.

The bar is absolute: each is answered within LIMIT on two cores. Exit code 1 where one is not.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import big_store
from bench.ratios import seconds
from hallascope.cli.output.printing import TextColumn, table
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import compare_models
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.disagreements import disagreements
from hallascope.engine.leaderboard.drilldown import prompt_evaluations, prompt_page
from hallascope.engine.leaderboard.filters import BYS, Filters, Query
from hallascope.engine.leaderboard.options import leaderboard_options, require_known_names
from hallascope.engine.storage.store import Store

VERDICTS = 1_000_000
LIMIT = 1.5  # seconds
TIMES = 5
ONE, OTHER = big_store.MODELS[:2]
RUNS = tuple(f"run-{number}" for number in range(0, 4000, 10))
FILTERS: Mapping[str, Filters] = {
    "of one model": Filters(models=(ONE,)),
    "of one judge": Filters(judge="maker/judge"),
    "of one category": Filters(category="Biology"),
    "of one domain": Filters(domain="animal"),
    "of one trial": Filters(trial=0),
    "of one seed": Filters(seeds=(0,)),
    "of many runs": Filters(runs=RUNS),
    "of the last half": Filters(since=2000.0),
}


class Choice(NamedTuple):
    """A choice on the tab and what it asks of a store."""

    name: str
    ask: Callable[[Store], object]


class Timing(NamedTuple):
    """Holds the seconds that a choice takes: the first time, the median, and the best.

    The best is what a machine takes that does nothing else; it is compared with the limit.
    """

    choice: str
    first: float
    median: float
    best: float

    @property
    def kept(self) -> bool:
        return self.best <= LIMIT


COLUMNS = (
    TextColumn("choice", lambda timing: timing.choice),
    TextColumn("first, s", lambda timing: f"{timing.first:.2f}"),
    TextColumn("median, s", lambda timing: f"{timing.median:.2f}"),
    TextColumn("best, s", lambda timing: f"{timing.best:.2f}"),
    TextColumn("bound", lambda timing: f"<= {LIMIT:g}"),
    TextColumn("", lambda timing: "kept" if timing.kept else "MISSED"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verdicts", type=int, default=VERDICTS)
    count = parser.parse_args().verdicts
    with tempfile.TemporaryDirectory() as folder:
        stored = big_store.fill(Path(folder), count)
        timings = measure(Path(folder))
    print(f"{stored:,} verdicts; {TIMES} times each")
    print(table(COLUMNS, timings))
    sys.exit(0 if all(timing.kept for timing in timings) else 1)


def measure(folder: Path) -> list[Timing]:
    """Ask a store everything; it is opened anew for the last."""
    store = Store(folder=folder)
    timings = [_timing(choice, store) for choice in choices()]
    store.close()
    opening = Choice("opening the store", lambda _: Store(folder=folder).close())
    return [*timings, _timing(opening, store)]


def choices() -> list[Choice]:
    """Return every way of sorting and filtering, and what is shown behind a bar."""
    sorted_by = [Choice(f"by {by}", _board(Query(by=by))) for by in BYS]
    filtered = [
        Choice(f"by composition of interest, {name}", _board(Query(by="coi", filters=filters)))
        for name, filters in FILTERS.items()
    ]
    of_a_stage = Query("fig", "object", "category", Filters(domain="animal"))
    return [
        *sorted_by,
        *filtered,
        Choice("a stage of FiG by category, of one domain", _board(of_a_stage)),
        Choice("what there is to choose", lambda store: leaderboard_options(store, "fig")),
        Choice("whether names are known", lambda store: require_known_names(store, _named())),
        Choice("the prompts behind a bar", lambda store: prompt_page(store, Query(), ONE)),
        Choice("their last page", lambda store: prompt_page(store, Query(), ONE, page=200)),
        Choice(
            "behind a composition", lambda store: prompt_page(store, Query(by="coi"), ONE, "color")
        ),
        Choice("the images of a prompt", _pictures),
        Choice("the difference of two models", _difference),
        Choice("all pairs of models", _comparisons(Query())),
        Choice("all pairs, by composition of interest", _comparisons(Query(by="coi"))),
        Choice("where methods disagree", disagreements),
        Choice("the same, of one domain", lambda store: disagreements(store, _named().filters)),
    ]


def _board(query: Query) -> Callable[[Store], object]:
    return lambda store: board(store, query)


def _comparisons(query: Query) -> Callable[[Store], object]:
    """Compare the models of a leaderboard, which is read beside it."""
    return lambda store: compare_models(store, board(store, query))


def _named() -> Query:
    return Query(filters=Filters(models=(ONE,), domain="animal"))


def _pictures(store: Store) -> object:
    return prompt_evaluations(store, Query(), ONE, "prompt number 7 of many")


def _difference(store: Store) -> object:
    return difference(store, Query(), ONE, OTHER)


def _timing(choice: Choice, store: Store) -> Timing:
    times = [seconds(lambda: choice.ask(store)) for _ in range(TIMES)]
    return Timing(choice.name, times[0], median(times), min(times))


if __name__ == "__main__":
    main()
