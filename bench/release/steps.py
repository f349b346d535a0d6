"""Runs the steps of a build."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hallascope.backends.base import HallaScopeError

ROOT = Path(__file__).parents[2]
OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")  # of this environment, not of the one that runs


class ReleaseError(HallaScopeError):
    """A step of the build failed; the message says which and how."""


def run(
    command: Sequence[str | Path], cwd: Path = ROOT, given: str | None = None, **variables: str
) -> str:
    """Return what a command prints. Raises ReleaseError with the last that it printed.

    `given` is its standard input; `variables` are added to its environment.
    """
    names = {name: value for name, value in os.environ.items() if name not in OURS}
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=names | variables,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = " ".join(map(str, command))[:200]
        raise ReleaseError(f"failed: {words}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout
