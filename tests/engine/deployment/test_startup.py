"""`python app.py` with settings that are wrong: one sentence on standard error and exit code 2.

Open to others it warns.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hallascope.engine.deployment import startup
from hallascope.engine.errors import BadRequest

ROOT = Path(__file__).parents[3]
# found before anything else is loaded
WRONG: list[tuple[str, str, str]] = [
    ("GRADIO_SERVER_PORT", "70000", "GRADIO_SERVER_PORT is '70000'"),
    ("GRADIO_NUM_PORTS", "many", "GRADIO_NUM_PORTS is 'many'"),
    ("GRADIO_TEMP_DIR", "{folder}/file", "in GRADIO_TEMP_DIR cannot be written"),
    ("HALLASCOPE_PUBLIC", "maybe", "HALLASCOPE_PUBLIC is 'maybe': give 1"),
    ("HALLASCOPE_HOSTS", "http://x", "HALLASCOPE_HOSTS names 'http://x'"),
    ("HALLASCOPE_PICTURES_A_DAY", "many", "HALLASCOPE_PICTURES_A_DAY is 'many'"),
    ("HALLASCOPE_QUEUE", "0", "HALLASCOPE_QUEUE is '0'"),
    ("HALLASCOPE_SESSIONS", "soon", "HALLASCOPE_SESSIONS is 'soon'"),
    ("HALLASCOPE_BUDGET_RUN", "lots", "a run may cost is 'lots'"),
]
# found by the whole app
WRONG_LATER = [
    ("GRADIO_SERVER_NAME", "8.8.8.8", "in GRADIO_SERVER_NAME is not an address of this machine"),
    ("HALLASCOPE_MODELS", "{folder}/broken.yaml", "broken.yaml, line 1: This is no YAML"),
    ("HALLASCOPE_HOME", "{folder}/damaged", "could not be opened"),
    ("HALLASCOPE_STORE", "mysql://u:hidden@h/d", "cannot be kept in 'mysql'"),
    ("HALLASCOPE_PRELOAD", "no-such-model", "There is no model 'no-such-model'"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("settings")
    (found / "file").write_text("no folder")
    (found / "broken.yaml").write_text("a: [1")
    (found / "damaged").mkdir()
    (found / "damaged" / "hallascope.db").write_bytes(b"no database" * 500)
    return found


def environment(folder: Path, settings: Mapping[str, str]) -> dict[str, str]:
    around = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HALLASCOPE_", "GRADIO_", "SPACE_"))
    }
    return {**around, "HALLASCOPE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), **settings}


@pytest.mark.parametrize("name, value, words", WRONG)
def test_a_wrong_setting_is_found_before_anything_is_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value.format(folder=folder))
    with pytest.raises(BadRequest, match=words):
        startup.check()


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("GRADIO_SERVER_PORT", "abc", "GRADIO_SERVER_PORT is 'abc': give a whole number"),
        *(pytest.param(*wrong, marks=pytest.mark.full) for wrong in WRONG_LATER),
    ],
)
def test_a_wrong_setting_is_one_sentence_and_exit_code_2(
    folder: Path, name: str, value: str, words: str
) -> None:
    around = environment(folder, {name: value.format(folder=folder)})
    done = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, env=around, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.endswith(".\n")
    assert "hidden" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "settings, warns",
    [
        ({}, False),
        ({"GRADIO_SERVER_NAME": "::1"}, False),
        ({"GRADIO_SERVER_NAME": "0.0.0.0", "HALLASCOPE_PUBLIC": "1"}, False),
        ({"GRADIO_SERVER_NAME": "0.0.0.0"}, True),
        ({"GRADIO_SHARE": "True"}, True),
    ],
)
def test_it_warns_where_others_reach_it_and_nowhere_else(
    settings: dict[str, str], warns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GRADIO_SERVER_NAME", "GRADIO_SHARE", "HALLASCOPE_PUBLIC", "SPACE_ID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert (startup.warning() is not None) is warns


def test_where_no_port_is_free_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "MAX_PORTS", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            BadRequest,
            match=rf"No port from {port} to {port} is free at 127\.0\.0\.1: set GRADIO_SERVER_PORT",
        ):
            startup.free_port(port)
