"""One dashboard a worker and kind of models, which all tests in a browser share.

A test that must find nothing but its own work asks for a fresh store: the running app gets new
services, which takes a moment where a new process takes seconds.
"""

import itertools
import os
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.support.apps import LAUNCH, AppProcess, start

LISTED = "scope.example.org"  # a host by whose name the apps may be asked
PROXY = "127.0.0.1"  # whose word on the visitor's address the apps believe
ENVIRONMENT = dict(os.environ)  # as no test has changed it
# Kinds that differ in what is stored alone, so that one app shows them all.
STORED = ("", "ranking", "judged-grid", "labeled", "labeling")


class SharedApps:
    """Starts an app for each kind of `tests.support.serve` when it is first asked for."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self._folder = folder
        self.gradio = folder / "gradio"
        self._environment = {
            **ENVIRONMENT,
            **variables,
            "FORWARDED_ALLOW_IPS": PROXY,
            "GRADIO_TEMP_DIR": str(self.gradio),
            "HALLASCOPE_HOSTS": LISTED,
        }
        self._apps: dict[str, AppProcess] = {}
        self._fresh = itertools.count()

    def shared(self, kind: str = "", latency: float = 0.05) -> str:
        """The address of an app on the store that tests of this kind have in common."""
        return self._open(kind, self.home(kind), latency)

    def home(self, kind: str = "") -> Path:
        """The folder of that store."""
        return self._folder / f"shared-{kind}"

    def fresh(self, kind: str = "", latency: float = 0.0, folder: Path | None = None) -> str:
        """The address of an app on a store of its own: an empty one, or that of a folder."""
        return self._open(kind, folder or self._folder / f"fresh-{next(self._fresh)}", latency)

    def close(self) -> None:
        for app in self._apps.values():
            app.end()

    def _open(self, kind: str, folder: Path, latency: float) -> str:
        shows = "" if kind in STORED else kind
        if shows in self._apps:
            self._apps[shows].pipe.send((kind, folder, latency))
        else:
            self._apps[shows] = start(self._environment, _serve, kind, folder, latency)
        return self._apps[shows].address()


def _serve(tests: Connection, kind: str, folder: Path, latency: float) -> None:
    """Start the app, and give its services another store whenever the tests name one."""
    import app
    from tests.support.serve import KINDS

    def build(stored: str, home: Path, latency: float) -> Any:
        os.environ["HALLASCOPE_HOME"] = str(home)
        return KINDS[stored](home, latency=latency)

    services = build(kind, folder, latency)
    built = {(kind, folder, latency): dict(vars(services))}
    demo = app.create_app(services)
    demo.launch(**LAUNCH, **app.options(services))  # Gradio looks for a free port until it has one
    while True:
        tests.send(demo.local_url)
        wanted = tests.recv()
        if wanted not in built:
            built[wanted] = dict(vars(build(*wanted)))
            if kind == "shipped":  # what is loaded stays: the models are the same
                built[wanted]["registry"] = services.registry
        vars(services).clear()
        vars(services).update(built[wanted])
