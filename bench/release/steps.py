"""Runs the steps of a build, and ends its command where one fails."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]


class ReleaseError(Exception):
    """A step of the build failed; the message says which and how."""


def run(command: Sequence[str | Path], cwd: Path = ROOT, **variables: str) -> str:
    """Return what a command prints. Raises ReleaseError with the last that it printed."""
    names = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=names | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = " ".join(map(str, command))[:200]
        raise ReleaseError(f"{words}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def exit_code(build: Callable[[], object]) -> int:
    """Build, and return 0; where a step fails, say which and return 1."""
    try:
        build()
    except ReleaseError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    return 0
