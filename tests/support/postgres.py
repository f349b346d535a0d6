"""A PostgreSQL server of its own, in a temporary folder, without a password, gone at the end."""

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

USER = "postgres"
PASSWORD = "not-asked-for"  # in the URL of the server
MISSING = (
    "PostgreSQL's initdb is not on this machine: run `make postgres`, or set"
    " HALLASCOPE_TEST_POSTGRES=skip to test without it."
)


class Server:
    """A running server that lends empty databases.

    They are used again: each is many files, which take long to remove. It listens on a socket in
    `folder` and on no port; `control` runs pg_ctl.
    """

    def __init__(self, folder: str, control: Callable[..., None]) -> None:
        self._folder = folder
        self._control = control
        self._numbers = itertools.count()
        self._free: list[str] = []

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty database, for as long as the block lasts."""
        if self._free:
            name = self._free.pop()
        else:
            name = f"test_{next(self._numbers)}"
            self.say(f"CREATE DATABASE {name}")
        yield self.url(name)
        self.say(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self.say("DROP SCHEMA public CASCADE", name)
        self.say("CREATE SCHEMA public", name)
        self._free.append(name)

    def url(self, database: str) -> str:
        return f"postgresql://{USER}:{PASSWORD}@/{database}?host={self._folder}"

    def stop(self) -> None:
        """Cut all connections and stop it; what was committed stays."""
        self._control("-m", "fast", "stop")

    def start(self) -> None:
        self._control("-w", "start")

    def say(self, sql: str, database: str = "postgres") -> None:
        import psycopg  # here, so that the tests on SQLite need no driver

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(sql)


def programs() -> Path | None:
    """The folder with initdb and pg_ctl; Debian does not put them where commands are looked for."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name), default=None)


@contextmanager
def served() -> Iterator[Server]:
    """A server as long as the block lasts.

    Where it is missing the test fails, or is skipped if the environment says so.
    """
    found = programs()
    if found is None:
        (pytest.skip if os.environ.get("HALLASCOPE_TEST_POSTGRES") == "skip" else pytest.fail)(
            MISSING
        )
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        data = str(Path(folder) / "data")
        _run(
            folder,
            found / "initdb",
            "-D",
            data,
            "-U",
            USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        )
        options = (
            f"-F -k {folder} -c listen_addresses= -c synchronous_commit=off -c full_page_writes=off"
        )

        def control(*words: str, check: bool = True) -> None:
            command = (found / "pg_ctl", "-D", data, "-l", f"{folder}/log", "-o", options)
            _run(folder, *command, *words, check=check)

        try:
            control("-w", "start")
            yield Server(folder, control)
        finally:
            control("-m", "immediate", "stop", check=False)


def _run(folder: str, *command: str | Path, check: bool = True) -> None:
    """Run a command of the server; it refuses to run as root."""
    other = ("runuser", "-u", USER, "--") if os.geteuid() == 0 else ()
    with open(Path(folder) / "said", "a+", encoding="utf-8") as said:
        done = subprocess.run(
            [*other, *map(str, command)],
            cwd=folder,
            stdout=said,
            stderr=subprocess.STDOUT,
            check=False,
        )
        said.seek(0)
        assert done.returncode == 0 or not check, (
            f"{command[0]} ended with {done.returncode}: {said.read()}"
        )
