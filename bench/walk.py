"""Counts the files and functions that one small job executes: ``python -m bench.walk [JOB] [-v]``.

A job is `evaluate`, the default, `judge`: the command on a folder of one image, or `leaderboard`:
the command on one evaluation. Primer's drawings are left out. With -v it also lists the files.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
IS_FUNCTION = 1  # CO_OPTIMIZED: bodies of modules and classes have it not
LEFT_OUT = ("primer", "hallascope/primer", "tests", "bench", ".venv")
PROMPT = "a gentoo penguin"


def main() -> None:
    """Run the job in a home folder of its own, and print the counts."""
    functions = set[tuple[str, str]]()
    resolve = cache(os.path.realpath)
    name = next((word for word in sys.argv[1:] if not word.startswith("-")), "evaluate")
    if name not in JOBS:
        sys.exit(f"There is no job {name!r}: choose one of {', '.join(JOBS)}.")

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_flags & IS_FUNCTION:
            return
        if code.co_filename.startswith("<"):  # generated, or of Python itself
            return
        path = resolve(code.co_filename).removeprefix(f"{ROOT}/")
        if not path.startswith(("/", *(f"{folder}/" for folder in LEFT_OUT))):
            functions.add((path, code.co_qualname))

    with tempfile.TemporaryDirectory() as home:
        os.environ["HALLASCOPE_HOME"] = home
        # what is imported on the way is no step of the job
        job = JOBS[name](Path(home))
        threading.setprofile(note)
        sys.setprofile(note)
        job()
        sys.setprofile(None)
        threading.setprofile(None)
    files = sorted({path for path, _ in functions})
    if "-v" in sys.argv:
        print("\n".join(files))
    print(f"{len(files)} files, {len(functions)} functions")


def _evaluate(home: Path) -> Callable[[], object]:
    from hallascope import evaluate

    return lambda: evaluate(
        PROMPT, models=["primer/exact"], judge="primer/judge", metrics=["ihalla"]
    )


def _judge(home: Path) -> Callable[[], object]:
    from hallascope.cli import options
    from hallascope.cli.commands.judge import judge
    from tests.support.image_folders import write_compbench

    folder = write_compbench(home / "images", [PROMPT], samples=1)

    def job() -> None:
        with redirect_stdout(StringIO()):
            judge(
                str(folder),
                judging=options.JudgingOptions(),
                spending=options.SpendingOptions(),
                checking=options.CheckOptions(),
                name="of one model",
            )

    return job


def _leaderboard(home: Path) -> Callable[[], object]:
    from hallascope.cli.commands.leaderboard import leaderboard

    _evaluate(home)()

    def job() -> None:
        with redirect_stdout(StringIO()):
            leaderboard()

    return job


JOBS: dict[str, Callable[[Path], Callable[[], object]]] = {
    "evaluate": _evaluate,
    "judge": _judge,
    "leaderboard": _leaderboard,
}

if __name__ == "__main__":
    main()
