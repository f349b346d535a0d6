"""The app as a whole: it starts quickly without loading a model, and its named endpoint answers and complains."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROMPT = "a molecule of methane"
ROOT = Path(__file__).parents[2]


def test_laying_out_the_app_loads_no_model_and_no_heavy_library() -> None:
    heavy = ("torch", "transformers", "diffusers", "openai", "scipy", "plotly", "contourpy")
    code = (
        "import sys, tempfile; from pathlib import Path; import app; "
        "from engine.services import Services; from engine.storage.store import Store;"
        "from data.models import read_models; app.create_app(Services(Store(folder=Path(tempfile.mkdtemp())), read_models()));"
        f"print(*[m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_port_that_is_taken_is_passed_over() -> None:
    import app

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert app.free_port(port) > port


@pytest.fixture
def client(address: str) -> Iterator[Any]:
    from gradio_client import Client

    found = Client(address, verbose=False)
    yield found
    found.close()


def test_the_endpoint_evaluates_and_wrong_requests_give_their_sentence(client: Any) -> None:
    found = client.predict(PROMPT, ["primer/exact", "primer/hasty"], api_name="/evaluate")
    assert [e["model"] for e in found["evaluations"]] == ["primer/exact", "primer/hasty"]
    assert len(found["evaluations"][0]["verdicts"]) == 5
    again = client.predict(PROMPT, ["primer/exact", "primer/hasty"], api_name="/evaluate")
    assert again["cached"] is True
    for prompt, models, words in (
        ("", ["primer/exact"], "prompt is empty"),
        (PROMPT, ["primer/exakt"], "did you mean 'primer/exact'"),
        (PROMPT, ["sdxl-base"], "cannot run here"),
    ):
        with pytest.raises(Exception, match=words):
            client.predict(prompt, models, api_name="/evaluate")


def test_only_the_named_endpoint_is_public(client: Any) -> None:
    assert list(client.view_api(return_format="dict", print_info=False)["named_endpoints"]) == ["/evaluate"]
