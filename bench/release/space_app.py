"""Builds a Space in an empty folder and environment, starts it, and asks what visitors ask.

``python -m bench.release.space_app [NAME]`` (``make space``) takes some minutes and writes nothing
into the repository. With ``--here`` nothing is installed: the Space starts in this environment. It
does what Hugging Face does (one ``pip install`` of the requirements beside what the Space brings,
then ``python app.py`` with a few variables) and knows neither its machines nor its proxy. Calls to
other machines fail.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from bench.measuring import launch
from bench.release.steps import ReleaseError, run
from hallascope.data.spaces import Space, read_spaces
from hallascope.engine.export.folder import Secrets
from hallascope.engine.spaces.build import build, pinned_versions
from tests.support.shipped_app import ROOT, free_port

AUDIT_HOOK = Path(__file__).with_name("audit_hook.py")
CHECKS = ROOT / "tests" / "support" / "space_checks.py"
START_LIMIT = 30 * 60.0  # seconds a Space has to start
# what Hugging Face puts into the environment where visitors can log in
SECRET = "the-oauth-secret-of-this-space"
# A Space installs these beside the requirements and Gradio.
BROUGHT = ("uvicorn>=0.14.0", "websockets>=10.4", "spaces")


class Place:
    """Holds the folders and files of a Space. `here`: it starts in this environment.

    From `hook` Python loads the audit hook, which writes `audit`.
    """

    def __init__(self, root: Path, here: bool = False) -> None:
        self.app, self.home, self.hook = root / "app", root / "home", root / "hook"
        self.temporary, self.audit, self.log = root / "tmp", root / "audit.tsv", root / "log.txt"
        self.here = here
        self.environment = Path(sys.prefix) if here else root / "environment"
        self.python = self.environment / "bin" / "python"

    @property
    def last_words(self) -> str:
        return self.log.read_text()[-3000:]


def find_space(name: str | None) -> Space:
    """Return the Space of that name; without one the first.

    Raises ReleaseError where there is none, or where nothing of it runs.
    """
    known = {space.name: space for space in read_spaces()}
    space = known.get(name) if name else next(iter(known.values()))
    if space is None:
        raise ReleaseError(f"There is no Space {name!r}: choose one of {', '.join(known)}.")
    if space.sdk == "static":
        raise ReleaseError(f"The Space {space.name!r} is static: nothing of it is started.")
    return space


def install(space: Space, place: Place) -> None:
    """Write the files of a Space, and install its packages in one call, as a Space does."""
    for folder in (place.home, place.temporary, place.hook):
        folder.mkdir()
    shutil.copy2(AUDIT_HOOK, place.hook / "sitecustomize.py")
    print(f"files: {len(build(space, place.app)):,} of {space.name}", flush=True)
    if place.here:
        return
    version = re.match(r"3\.\d+", space.python_version)
    wanted = version and shutil.which(f"python{version[0]}")
    run([wanted or sys.executable, "-m", "venv", place.environment])
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    gradio = f"gradio[oauth,mcp]=={pinned_versions()['gradio']}"
    run([place.python, *pip, f"--requirement={place.app / 'requirements.txt'}", gradio, *BROUGHT])


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
        "TMPDIR": str(place.temporary),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(place.hook),
        "SYSTEM": "spaces",
        "SPACE_ID": f"somebody/{space.name}",
        "SPACE_HOST": f"somebody-{space.name}.hf.space",
        "GRADIO_SERVER_NAME": "0.0.0.0",
        "GRADIO_SERVER_PORT": str(port),
        "HALLASCOPE_WATCHED": str(place.audit),
        **(login_variables() if space.hf_oauth else {}),
        **space.variables,
    }


@contextmanager
def started(space: Space, place: Place) -> Iterator[str]:
    """Yield the address of the app once it has served its first page; end it after.

    Raises ReleaseError where it ends before, or takes longer than a Space may.
    """
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with (
        place.log.open("w") as log,
        subprocess.Popen(
            [str(place.python), "app.py"],
            cwd=place.app,
            env=environment(space, place, port),
            stdout=log,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        until = time.monotonic() + START_LIMIT
        try:
            while True:
                with suppress(OSError), urllib.request.urlopen(address, timeout=START_LIMIT):
                    break
                if time.monotonic() > until or process.poll() is not None:
                    raise ReleaseError(f"No page came; the log ends:\n{place.last_words}")
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()


def visit(place: Place, address: str) -> None:
    """Ask it with the client of the Space's own environment, which has nothing of ours."""
    command = [str(place.python), "-I", str(CHECKS), address, SECRET]
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(place.home), "PYTHONUNBUFFERED": "1"}
    if subprocess.run(command, env=variables, cwd=place.temporary, check=False).returncode:
        raise ReleaseError(f"A visitor did not get what one should:\n{place.last_words}")
    with urllib.request.urlopen(f"{address}/config", timeout=START_LIMIT) as page:
        if kinds := Secrets().find(page.read().decode()):
            raise ReleaseError(f"The page holds what looks like a key ({kinds}).")


def check_audit(place: Place) -> None:
    """Raise ReleaseError where it wrote elsewhere, called another machine, or told a secret."""
    lines = {tuple(line.split("\t", 1)) for line in place.audit.read_text().splitlines()}
    if called := sorted(what for kind, what in lines if kind == "called"):
        raise ReleaseError(f"It called other machines: {', '.join(called)}.")
    folders = (place.app, place.home, place.temporary, place.environment.resolve())
    paths = {Path(what) for kind, what in lines if kind == "wrote"}
    elsewhere = [
        str(path)
        for path in sorted(paths)
        if not any(path.is_relative_to(folder) for folder in (*folders, Path(os.devnull)))
    ]
    if elsewhere:
        raise ReleaseError(f"It wrote outside of its folders: {', '.join(elsewhere[:10])}.")
    if SECRET in place.log.read_text():
        raise ReleaseError("Its log tells the secret of the Space.")
    print(f"written: {len(paths):,} paths, all in its folders; no other machine was called")


def main(
    name: Annotated[str | None, typer.Argument(help="Without it the first of spaces.yaml.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Install nothing: start it here.")] = False,
) -> None:
    space = find_space(name)
    with tempfile.TemporaryDirectory(prefix="space-", ignore_cleanup_errors=True) as folder:
        place = Place(Path(folder).resolve(), here)
        install(space, place)
        with started(space, place) as address:
            visit(place, address)
        check_audit(place)


if __name__ == "__main__":
    launch(main)
