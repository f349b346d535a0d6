"""Builds a Space in an empty folder and environment, starts it, and asks what visitors ask.

``python -m bench.release.space [NAME]`` (``make space``) takes some minutes and writes nothing into
the repository but a photograph of the first page, ``build/space/NAME.png``. The app runs in a
network namespace without a network where the system permits one. With ``--here`` nothing is
installed: the Space starts in this environment; with ``--resolve`` it only looks whether all
packages of the requirements go together.
It does what Hugging Face does (one ``pip install`` of the requirements beside what the Space
brings, then ``python app.py`` with a few variables) and knows neither its machines nor its proxy.
Exit code 1 where something fails.
"""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.release.no_network import leave_network
from bench.release.photograph import BadPhotograph, photograph
from bench.support.apps import free_port
from bench.support.browser import chromium
from hallascope.data.spaces import Space, read_spaces
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.spaces.build import build, pinned_versions

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "tests" / "support"
PHOTOGRAPHS = ROOT / "build" / "space"
AUDIT_HOOK = SUPPORT / "audit_hook.py"
CHECKS = SUPPORT / "space_checks.py"
PATIENCE = 30 * 60.0  # seconds a Space has to start
# what Hugging Face puts into the environment where visitors can log in
SECRET = "the-oauth-secret-of-this-space"
# A Space installs these beside the requirements and Gradio.
BROUGHT = ("uvicorn>=0.14.0", "websockets>=10.4", "spaces")


class Failed(Exception):
    """A step did not end as it should; the message says which and how."""


@dataclass(frozen=True)
class Place:
    """Holds a folder with what a Space has: files, environment, home, and temporary files."""

    root: Path
    here: bool = False  # in the environment of this process, nothing is installed

    @property
    def app(self) -> Path:
        return self.root / "app"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def moment(self) -> Path:
        return self.root / "tmp"

    @property
    def watched(self) -> Path:
        return self.root / "watched.tsv"

    @property
    def said(self) -> Path:
        return self.root / "said.txt"

    @property
    def environment(self) -> Path:
        return self.root / "environment"

    @property
    def python(self) -> Path:
        return Path(sys.executable) if self.here else self.environment / "bin" / "python"

    @property
    def hook(self) -> Path:
        """The folder from which Python loads the audit hook where nothing is installed."""
        return self.root / "hook"

    def make(self) -> None:
        self.home.mkdir()
        self.moment.mkdir()


@contextmanager
def step(what: str) -> Iterator[list[str]]:
    """One line when it is done: what, what is added to the list, and how long it took."""
    began, told = time.monotonic(), list[str]()
    yield told
    print(f"{what}: {', '.join([*told, f'{time.monotonic() - began:.0f} s'])}", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(
        prog="python -m bench.release.space", description=(__doc__ or "").partition("\n")[0]
    )
    asked.add_argument(
        "name", nargs="?", help="the Space by name; without it the first of spaces.yaml"
    )
    asked.add_argument(
        "--resolve",
        action="store_true",
        help="install nothing: look whether its packages go together",
    )
    asked.add_argument(
        "--here", action="store_true", help="install nothing: start it in this environment"
    )
    wanted = asked.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="space-", ignore_cleanup_errors=True) as folder:
            place = Place(Path(folder).resolve(), wanted.here)
            place.make()
            check(named(wanted.name), place, wanted.resolve)
    except (Failed, BadPhotograph) as failed:
        sys.exit(f"failed: {failed}")


def named(name: str | None) -> Space:
    """The Space of that name; without one the first.

    Raises Failed where there is none, or where nothing of it runs.
    """
    known = {space.name: space for space in read_spaces()}
    space = known.get(name) if name else next(iter(known.values()))
    if space is None:
        raise Failed(f"there is no Space {name!r}: choose of {', '.join(known)}.")
    if space.sdk == "static":
        raise Failed(
            f"the Space {space.name!r} is static: nothing is installed or started there, its pages"
            " open from the disk."
        )
    return space


def check(space: Space, place: Place, resolve: bool = False) -> None:
    with step("files") as told:
        told.append(f"{len(build(space, place.app)):,} of {space.name}")
    if resolve:
        resolved(space, place)
        return
    install(space, place)
    with step("network") as told:
        told.append("none" if leave_network() else "blocked in Python alone")
    with started(space, place) as address:
        visited(space, place, address)
        with step("photograph") as told, chromium() as browser:
            size = photograph(browser, address, PHOTOGRAPHS / f"{space.name}.png")
            told.append(f"{size / 1000:.0f} kB")
    with step("written") as told:
        told += watched(place)


# --- the environment
# --------------------------------------------------------------------------------------------------


def install(space: Space, place: Place) -> None:
    if place.here:
        place.hook.mkdir()
        shutil.copy2(AUDIT_HOOK, place.hook / "sitecustomize.py")
        return
    with step("environment") as told:
        said([interpreter(space), "-m", "venv", str(place.environment)])
        told.append(said([str(place.python), "--version"]).strip())
    with step("install") as told:
        report = place.root / "report.json"
        said([*pip(str(place.python), place), "--report", str(report), *wanted(space, place)])
        told.append(f"{len(json.loads(report.read_text())['install'])} packages")
    shutil.copy2(AUDIT_HOOK, packages(place) / "sitecustomize.py")


def resolved(space: Space, place: Place) -> None:
    """Whether its packages exist together for the Space's own Python.

    Only what describes them is fetched.
    """
    with step("packages") as told:
        report, version = place.root / "report.json", re.match(r"3\.\d+", space.python_version)
        target = [
            "--python-version",
            version[0] if version else "3.11",
            "--only-binary=:all:",
            "--target",
            str(place.root / "nothing"),
        ]
        said(
            [
                *pip(sys.executable, place),
                "--dry-run",
                "--report",
                str(report),
                *target,
                *wanted(space, place),
            ]
        )
        found = {
            one["metadata"]["name"]: one["metadata"]["version"]
            for one in json.loads(report.read_text())["install"]
        }
        told.append(f"{len(found)} go together for Python {space.python_version}")
        told += [f"{name} {found[name]}" for name in ("torch", "gradio", "spaces", "pydantic")]


def pip(python: str, place: Place) -> list[str]:
    """Return the command that installs packages, without retries if an index is out of reach."""
    hosts = re.findall(
        r"index-url\s+https?://([^/\s:]+)", (place.app / "requirements.txt").read_text()
    )
    out_of_reach = [host for host in hosts if not found(host)]
    if out_of_reach:
        print(
            f"{out_of_reach[0]} cannot be reached from here: its packages come from this machine's"
            " own index",
            flush=True,
        )
    return [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        *(["--retries", "0"] if out_of_reach else []),
    ]


def found(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, 443))
    except OSError:
        return False


def wanted(space: Space, place: Place) -> list[str]:
    """In one call with the requirements, as on a Space, so that both have to go together."""
    return [
        "--requirement",
        str(place.app / "requirements.txt"),
        f"gradio[oauth,mcp]=={pinned_versions()['gradio']}",
        *BROUGHT,
    ]


def interpreter(space: Space) -> str:
    """The Python that the Space asks for where this machine has it, else the one that runs this."""
    version = re.match(r"3\.\d+", space.python_version)
    return (version and shutil.which(f"python{version[0]}")) or sys.executable


def packages(place: Place) -> Path:
    return Path(
        said(
            [str(place.python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        ).strip()
    )


def said(
    command: Sequence[str], around: Mapping[str, str] | None = None, where: Path | None = None
) -> str:
    """What a command prints. Raises Failed with the last that it said."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        command, env=clean if around is None else around, cwd=where, capture_output=True, text=True
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)[:200]}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


# --- the app
# --------------------------------------------------------------------------------------------------


def login_variables() -> dict[str, str]:
    """Return what Hugging Face puts into the environment where visitors can log in."""
    return {
        "OAUTH_CLIENT_ID": "hallascope",
        "OAUTH_CLIENT_SECRET": SECRET,
        "OAUTH_SCOPES": "openid profile",
        "OPENID_PROVIDER_URL": "https://huggingface.co",
    }


def environment(space: Space, place: Place, port: int) -> dict[str, str]:
    """Return a Space's environment: no path to the repository, no key, no home of anybody."""
    return {
        "PATH": f"{place.python.parent}:/usr/bin:/bin",
        "HOME": str(place.home),
        "TMPDIR": str(place.moment),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "SYSTEM": "spaces",
        "SPACE_ID": f"somebody/{space.name}",
        "SPACE_HOST": f"somebody-{space.name}.hf.space",
        "GRADIO_SERVER_NAME": "0.0.0.0",
        "GRADIO_SERVER_PORT": str(port),
        "HALLASCOPE_WATCHED": str(place.watched),
        **({"PYTHONPATH": str(place.hook)} if place.here else {}),
        **(login_variables() if space.hf_oauth else {}),
        **space.variables,
    }


@contextmanager
def started(space: Space, place: Place) -> Iterator[str]:
    """The address of the app, which runs in the folder of its files; what it says is kept.

    It is ended in the end.
    """
    port = free_port()
    with (
        place.said.open("w") as out,
        subprocess.Popen(
            [str(place.python), "app.py"],
            cwd=place.app,
            env=environment(space, place, port),
            stdout=out,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            with step("start") as told:
                answers(address, process.poll, place)
                told.append("answers")
            yield address
        finally:
            process.terminate()


def answers(address: str, ended: Callable[[], int | None], place: Place) -> None:
    """Wait for the first page.

    Raises Failed where the app ends before, or takes longer than a Space may.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and ended() is None:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise Failed(
        f"the app does not answer; the last that it said:\n{place.said.read_text()[-3000:]}"
    )


def visited(space: Space, place: Place, address: str) -> None:
    """Ask it with the client of the Space's own environment, which has nothing of ours."""
    around = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.home),
        "TMPDIR": str(place.moment),
        "PYTHONUNBUFFERED": "1",
    }
    command = [str(place.python), "-I", str(CHECKS), address, space.name, SECRET]
    if subprocess.run(command, env=around, cwd=place.moment).returncode:
        raise Failed(
            "a visitor was not told what one should be (above); the last that the app"
            f" said:\n{place.said.read_text()[-3000:]}"
        )
    with urllib.request.urlopen(f"{address}/config", timeout=PATIENCE) as page:
        if kinds := Secrets().find(page.read().decode()):
            raise Failed(f"the page holds what looks like a key ({kinds}).")


# --- what it did
# --------------------------------------------------------------------------------------------------


def watched(place: Place) -> list[str]:
    """Where it wrote, in words.

    Raises Failed where it wrote elsewhere, called another machine, or told a secret.
    """
    lines = {tuple(line.split("\t", 1)) for line in place.watched.read_text().splitlines()}
    if called := sorted(what for kind, what in lines if kind == "called"):
        raise Failed(f"it called other machines: {', '.join(called)}.")
    paths = {Path(what) for kind, what in lines if kind == "wrote"}
    environment = Path(sys.prefix) if place.here else place.environment
    allowed = (place.app, place.home, place.moment, environment.resolve(), Path(os.devnull))
    if elsewhere := sorted(
        str(path) for path in paths if not any(path.is_relative_to(folder) for folder in allowed)
    ):
        raise Failed(
            f"it wrote outside of its folder, environment and home: {', '.join(elsewhere[:10])}."
        )
    if SECRET in place.said.read_text():
        raise Failed("its log tells the secret of the Space.")
    return [
        f"{len(paths):,} paths, all in its folder, environment, home and temporary files",
        "no other machine was called",
    ]


if __name__ == "__main__":
    main()
