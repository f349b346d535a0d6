"""What watches a Space that is started by itself, and what its process is given, without starting
one.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hallascope.data.spaces import read_spaces
from tests.support import audit_hook
from tests.support import space_app as space

DOES = """
import runpy, sys
runpy.run_path(sys.argv[1])
import os, socket, sqlite3
open("read.txt").close()
open("written.txt", "w").close()
os.mkdir("folder")
sqlite3.connect("store.db").close()
sqlite3.connect(":memory:").close()
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname()).close()
try:
    socket.create_connection(("a-host.invalid", 80))
except ConnectionRefusedError as error:
    print(error)
"""


def test_what_a_process_writes_and_whom_it_calls_is_written_down_and_no_call_leaves(
    tmp_path: Path,
) -> None:
    (tmp_path / "read.txt").touch()
    lines = tmp_path / "lines.tsv"
    around = os.environ | {"HALLASCOPE_WATCHED": str(lines)}
    command = [sys.executable, "-c", DOES, str(audit_hook.__file__)]
    done = subprocess.run(
        command, cwd=tmp_path, env=around, capture_output=True, text=True, check=True
    )
    assert done.stdout == "no network here, so a-host.invalid is not called\n"
    wrote = [
        f"wrote\t{tmp_path.resolve() / name}" for name in ("written.txt", "folder", "store.db")
    ]
    assert lines.read_text().splitlines() == [*wrote, "called\ta-host.invalid"]


def test_the_process_of_a_space_has_its_variables_and_nothing_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    demo = read_spaces()[0]
    place = space.Place(tmp_path)
    given = space.environment(demo, place, 7860)
    assert not {"OPENAI_API_KEY", "HALLASCOPE_HOME", "VIRTUAL_ENV"} & set(given)
    assert given["PYTHONPATH"] == str(place.hook)
    assert demo.variables.items() <= given.items()
    assert given["OAUTH_CLIENT_SECRET"] == space.SECRET, "visitors can log in there"
