"""A process that asks a service that bills.

``python -m tests.support.billing_server FOLDER ADDRESS CAP`` runs one evaluation on the store in
FOLDER and prints the cost that its run has come to.
"""

import sys
from pathlib import Path
from typing import Any

from tests.support.billed_services import services

PICTURES, QUESTIONS = 12, 5


def evaluate(folder: Path, address: str, cap: float) -> Any:
    """The last event of an evaluation of `PICTURES` pictures with `QUESTIONS` questions each."""
    from hallascope.engine.events import EvaluateRequest
    from hallascope.engine.money.budget import SpendingPolicy

    request = EvaluateRequest(
        prompt="a molecule of methane",
        models=("free/painter",),
        judge="billed/judge",
        count=PICTURES,
    )
    with services(folder, address) as ready:
        return list(ready.evaluate(request, terms=SpendingPolicy(run=cap)))[-1]


if __name__ == "__main__":
    print(evaluate(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])).spent)
