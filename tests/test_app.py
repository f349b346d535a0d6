"""The app as a whole: it starts quickly without loading a model, and a port that is taken is passed
over.
"""

import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_laying_out_the_app_loads_no_model_and_no_heavy_library() -> None:
    heavy = ("torch", "transformers", "diffusers", "openai", "scipy", "plotly", "contourpy")
    code = (
        "import sys, tempfile; from pathlib import Path; import app; from"
        " hallascope.engine.services import Services; from hallascope.engine.storage.store import"
        " Store;from hallascope.data.models.specs import read_models;"
        " app.create_app(Services(Store(folder=Path(tempfile.mkdtemp())),"
        f" read_models()));print(*[m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_a_port_that_is_taken_is_passed_over() -> None:
    from hallascope.engine.deployment import startup

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert startup.free_port(port) > port
