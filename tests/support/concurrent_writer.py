"""One of several processes that write into one store as fast as they can: ``python busy.py URL
FOLDER NAME``.

Says that it is ready, waits for a line, opens the store and writes: things of its own, and things
that the others write too.
"""

import sys
from dataclasses import replace
from pathlib import Path

ROUNDS = 10
sys.path.insert(0, str(Path(__file__).parents[2]))


def main(url: str, folder: str, name: str) -> None:
    from hallascope.data.records import QuestionSet
    from hallascope.data.requests import Answer, Failure
    from hallascope.engine.storage.ledger import Spending
    from hallascope.engine.storage.store import Store
    from tests.engine.storage.test_store import PLACE, QUESTION, REQUEST, evaluation
    from tests.support.images import png
    from tests.support.ledger_rows import add_spending

    print("ready", flush=True)
    sys.stdin.readline()
    store = Store(url, Path(folder))
    shared = [PLACE._replace(id=f"shared {n}") for n in range(ROUNDS)]
    for n in range(ROUNDS):
        mine = PLACE._replace(id=f"{name} {n}")
        places = [mine, *(shared if int(name) % 2 else reversed(shared))]
        store.start_run(f"run {name} {n}", REQUEST, places)
        store.start_run("run of all", REQUEST, shared)
        for place in (mine, shared[n]):
            store.keep_failure(place, Failure("timeout", "Too slow."))
            store.keep_picture(place, store.keep_image(png(place.id)))
            store.keep_failure(place, Failure("timeout", "Too slow."))
            store.keep_evaluation(
                "run of all" if place in shared else f"run {name} {n}",
                replace(evaluation(), generation=place.id),
            )
        store.keep_question_set(
            QuestionSet(prompt=f"prompt {n}", questions=(QUESTION,), source=name)
        )
        store.keep_replies(
            {
                key: Answer(key)
                for key in ([f"k {m}" for m in range(n)] + [f"{name} {n}"])[:: 1 if n % 2 else -1]
            }
        )
        add_spending(
            store.ledger,
            [
                Spending(
                    run="run of all",
                    model=model,
                    role="judge",
                    amount=0.125,
                    calls=1,
                    input_tokens=3,
                )
                for model in ("a", "b")
            ],
        )
        add_spending(
            store.ledger,
            [
                Spending(
                    run=f"run {name} {n}",
                    model="b",
                    role="judge",
                    amount=0.125,
                    calls=1,
                    input_tokens=3,
                )
            ],
        )
    store.end_run("run of all", "finished")
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
