"""Runs the dashboard with a scripted judge, for tests: ``python -m tests.serve LATENCY [KIND]``; HALLASCOPE_HOME says where.

KIND `looking`: one picture that is known, and eyes that know it (`tests.looking`); `writing`: a scripted writer is there too, and the
judge can reason (`tests.writing`); `paying`: models that cost money; `comparing`: a judge that knows how all was drawn (`tests.comparing`);
`ranking`: pictures that are judged already (`tests.ranking`).
"""

import sys
from typing import Any

import app
from hallascope.engine.storage.store import home
from tests import comparing, looking, paying, ranking, writing
from tests.apps import LAUNCH, free_port
from tests.conftest import build

KINDS = {
    "": build,
    "looking": looking.build,
    "comparing": comparing.build,
    "writing": writing.build,
    "paying": paying.build,
    "ranking": ranking.build,
}


def launch(latency: float, kind: str = "") -> Any:
    """Start on a free port and return the running dashboard."""
    return launched(KINDS[kind](home(), latency=latency))


def launched(services: Any) -> Any:
    demo = app.create_app(services)
    demo.launch(server_port=free_port(), **LAUNCH, **app.options(services))
    return demo


if __name__ == "__main__":
    launch(float(sys.argv[1]), *sys.argv[2:]).block_thread()
