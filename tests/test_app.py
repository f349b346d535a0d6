"""The app as a whole: it starts quickly without loading a model, passes over a port that is taken,
and pages do nothing to each other.
"""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import app

ROOT = Path(__file__).parents[1]


@pytest.mark.full
def test_laying_out_the_app_loads_no_heavy_library_and_starts_no_model() -> None:
    heavy = ("torch", "transformers", "diffusers", "openai", "scipy", "plotly", "contourpy")
    rare = ("spacy", "segno", "matplotlib")
    code = (
        "import sys, tempfile, threading; from pathlib import Path; import app; from"
        " hallascope.engine.services import Services; from hallascope.engine.storage.store import"
        " Store;from hallascope.data.models.specs import read_models;"
        " services = Services(Store(folder=Path(tempfile.mkdtemp())), read_models());"
        " demo = app.create_app(services);"
        " assert len(demo.get_config_file()['components']) > 100;"
        " assert threading.active_count() == 1;"
        f"print(*[m for m in {heavy + rare!r} if m in sys.modules])"
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


@pytest.fixture(scope="module")
def config(address: str) -> dict[str, Any]:
    return dict(httpx.get(f"{address}config", timeout=60).json())


def test_the_buttons_of_a_run_come_back_whether_it_succeeds_or_fails(
    config: dict[str, Any],
) -> None:
    """Gradio calls what follows by `then` only after a success: where it refuses a value itself,
    nothing else would free the buttons.
    """
    buttons = {c["id"] for c in config["components"] if c["type"] == "button"}
    ends = [
        d
        for d in config["dependencies"]
        if d["trigger_after"] is not None and d["outputs"] and buttons.issuperset(d["outputs"])
    ]
    after: dict[int, set[bool]] = {}
    for one in ends:
        after.setdefault(one["trigger_after"], set()).add(one["trigger_only_on_failure"])
    assert len(after) > 5
    assert {run for run, kinds in after.items() if kinds != {True, False}} == set()


def test_no_field_for_a_number_is_refused_by_gradio_itself(config: dict[str, Any]) -> None:
    numbers = [c["props"] for c in config["components"] if c["type"] == "number"]
    assert len(numbers) > 5
    assert [
        props.get("label")
        for props in numbers
        if props.get("minimum") is not None or props.get("maximum") is not None
    ] == []


def test_the_header_lists_every_tab_and_part_by_a_title_of_its_own(config: dict[str, Any]) -> None:
    tabs = [c["props"] for c in config["components"] if c["type"] == "tabitem"]
    known = app.tabs_by_title()
    assert sorted(known) == sorted(props["label"] for props in tabs)
    assert all(
        props["id"] in (known[props["label"]]["part"] or known[props["label"]]["tab"])
        for props in tabs
    )
