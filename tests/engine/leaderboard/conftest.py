"""The fixtures of leaderboards: a store with nine prompts."""

from collections.abc import Iterator

import pytest

from hallascope.data.records import State
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep

RIGHT: State = "correct"


WRONG: State = "incorrect"


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Nine prompts: the model m/one is right about the first ones, m/two about two more."""
    store = Store(folder=tmp_path_factory.mktemp("full"))
    for at in range(9):
        for model, right in (("m/one", 4), ("m/two", 6)):
            said = Said(
                f"prompt {at}",
                model,
                (RIGHT if at < right else WRONG, "failed"),
                cois=("color", "shape"),
                run=f"r{at}",
            )
            keep(store, said)
            keep(
                store,
                Said(
                    f"prompt {at}",
                    model,
                    (RIGHT if at == 8 else WRONG,),
                    metric="tifa",
                    run=f"r{at}",
                ),
            )
    keep(store, Said("prompt 9", "m/one", ("failed",), cois=("color",), run="r9"))
    yield store
    store.close()
