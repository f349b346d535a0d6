"""Runs the dashboard with a scripted judge, for tests: ``python -m tests.serve LATENCY [KIND]``; HALLASCOPE_HOME says where.

KIND `looking`: one picture that is known, and eyes that know it (`tests.looking`); `writing`: a scripted writer is there too, and the
judge can reason (`tests.writing`); `paying`: models that cost money; `comparing`: a judge that knows how all was drawn (`tests.comparing`);
`ranking`: pictures that are judged already (`tests.ranking`).
"""

import sys
from typing import Any

import app
from engine.storage.store import home
from tests import comparing, looking, paying, ranking, writing
from tests.conftest import build

KINDS = {
    "": build,
    "looking": looking.build,
    "comparing": comparing.build,
    "writing": writing.build,
    "paying": paying.build,
    "ranking": ranking.build,
}


def main(latency: float, kind: str = "") -> None:
    serve(KINDS[kind](home(), latency=latency))


def serve(services: Any) -> None:
    """Start on the next free port, print the address, and stay."""
    app.create_app(services).launch(server_name="127.0.0.1", server_port=app.free_port(7960), **app.options(services))


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
