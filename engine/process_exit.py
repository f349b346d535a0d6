"""Ends the process while models may still be called or loaded in threads of their own."""

import atexit
import os
import sys
import threading
from typing import NoReturn

MODEL_THREADS = ("ask ", "load models")
"""How the names of the threads begin in which models run."""


def leave(code: int) -> NoReturn:
    """Exit with a code, and do not wait for models.

    Python ends a thread where it next needs the interpreter's lock. In the middle of a call of
    torch that aborts the whole process (SIGABRT), so it ends before Python gets there.
    """
    atexit.register(_end_model_threads, code)
    sys.exit(code)


def _end_model_threads(code: int) -> None:
    if any(thread.name.startswith(MODEL_THREADS) for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
