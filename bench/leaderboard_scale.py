"""Measures choices on the Leaderboard tab: ``python -m bench.leaderboard_scale``.

It takes every choice at a million verdicts, and is a part of ``make bench``. The bar is absolute:
each is answered within LIMIT on two cores, in the best of several times, which is what a machine
takes that does nothing else. Exit code 1 where one is not.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median

from bench import big_store
from bench.measuring import Row, finish, launch, seconds
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.comparisons import compare_models, difference
from hallascope.engine.leaderboard.drilldown import disagreements, prompt_evaluations, prompt_page
from hallascope.engine.leaderboard.filters import BYS, Filters, Query
from hallascope.engine.leaderboard.options import leaderboard_options, require_known_names
from hallascope.engine.storage.store import Store

LIMIT = 1.5  # seconds
TIMES = 5
ONE, OTHER = big_store.MODELS[:2]
RUNS = tuple(f"run-{number}" for number in range(0, 4000, 10))
FILTERS: Mapping[str, Filters] = {
    "of one model": Filters(models=(ONE,)),
    "of one judge": Filters(judge="primer/judge"),
    "of one category": Filters(category="Biology"),
    "of one domain": Filters(domain="animal"),
    "of one trial": Filters(trial=0),
    "of one seed": Filters(seeds=(0,)),
    "of many runs": Filters(runs=RUNS),
    "of the last half": Filters(since=2000.0),
}
NAMED = Query(filters=Filters(models=(ONE,), domain="animal"))
Choice = Callable[[Store], object]


def choices() -> dict[str, Choice]:
    """Return every way of sorting and filtering, and what is shown behind a bar."""

    def ask_board(query: Query) -> Choice:
        return lambda store: board(store, query)

    def compare(query: Query) -> Choice:
        return lambda store: compare_models(store, board(store, query))

    filtered = {
        f"by composition of interest, {name}": ask_board(Query(by="coi", filters=filters))
        for name, filters in FILTERS.items()
    }
    stage = Query("fig", "object", "category", Filters(domain="animal"))
    prompt = "prompt number 7 of many"
    return {
        **{f"by {by}": ask_board(Query(by=by)) for by in BYS},
        **filtered,
        "a stage of FiG by category, of one domain": ask_board(stage),
        "what there is to choose": lambda store: leaderboard_options(store, "fig"),
        "whether names are known": lambda store: require_known_names(store, NAMED),
        "the prompts behind a bar": lambda store: prompt_page(store, Query(), ONE),
        "their last page": lambda store: prompt_page(store, Query(), ONE, page=200),
        "behind a composition": lambda store: prompt_page(store, Query(by="coi"), ONE, "color"),
        "the images of a prompt": lambda store: prompt_evaluations(store, Query(), ONE, prompt),
        "the difference of two models": lambda store: difference(store, Query(), ONE, OTHER),
        "all pairs of models": compare(Query()),
        "all pairs, by composition of interest": compare(Query(by="coi")),
        "where methods disagree": disagreements,
        "the same, of one domain": lambda store: disagreements(store, NAMED.filters),
        "opening the store": lambda store: Store(folder=store.folder).close(),
    }


def measure(verdicts: int) -> Iterator[Row]:
    """Fill a store and yield what each choice takes."""
    with tempfile.TemporaryDirectory() as folder:
        stored = big_store.fill(Path(folder), big_store.images_for(verdicts))
        yield Row("verdicts", f"{stored:,}")
        store = Store(folder=Path(folder))
        for name, ask in choices().items():
            times = [seconds(lambda: ask(store)) for _ in range(TIMES)]  # noqa: B023
            words = f"first {times[0]:.2f}, median {median(times):.2f}, best {min(times):.2f} s"
            yield Row(name, words, f"best <= {LIMIT:g} s", min(times) <= LIMIT)
        store.close()


def main(verdicts: int = 1_000_000) -> None:
    finish(measure(verdicts))


if __name__ == "__main__":
    launch(main)
