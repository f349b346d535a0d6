"""Counts the files and functions that one small evaluation executes: ``python -m bench.walk [-v]``.

Primer's drawings are left out. With -v it also lists the files.
"""

import os
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
IS_FUNCTION = 1  # CO_OPTIMIZED: bodies of modules and classes have it not
LEFT_OUT = ("primer", "hallascope/primer", "tests", "bench", ".venv")


def main() -> None:
    """Run the evaluation in a home folder of its own, and print the counts."""
    functions = set[tuple[str, str]]()
    resolve = cache(os.path.realpath)

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
        # what is imported on the way is no step of the evaluation
        from hallascope import evaluate

        threading.setprofile(note)
        sys.setprofile(note)
        evaluate(
            "a gentoo penguin", models=["primer/exact"], judge="primer/judge", metrics=["ihalla"]
        )
        sys.setprofile(None)
        threading.setprofile(None)
    files = sorted({path for path, _ in functions})
    if "-v" in sys.argv:
        print("\n".join(files))
    print(f"{len(files)} files, {len(functions)} functions")


if __name__ == "__main__":
    main()
