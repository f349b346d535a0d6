"""Fills a store with two runs whose scores are all 0.75, and that leave questions out."""

import re
from pathlib import Path

from hallascope.data.records import CoI, State
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

# of each image: three answers of four are right, and five questions have none
STATES: tuple[State, ...] = ("correct",) * 3 + ("incorrect",) + ("unreadable",) * 5
COIS: list[CoI] = ["color"] * len(STATES)
RUNS = {"one": "m/one", "two": "m/two"}
PROMPTS = 7
# a mean of them in a text, or that of their errors, and what must stand beside it
MEAN = re.compile(r"(?<![\d.])0\.(750?|250?)(?![\d.\\])|(?<!\d)(75|25)\s?%")
LEFT_OUT = re.compile(r"left.out", re.I)


def fill(folder: Path) -> Store:
    """Return the store of a folder with both runs in it."""
    store = Store(folder=folder)
    for run, model in RUNS.items():
        for number in range(PROMPTS):
            said = Said(prompt=f"a cat {number}", model=model, states=STATES, cois=COIS, run=run)
            keep(store, said)
        store.end_run(run, "finished")
    return store
