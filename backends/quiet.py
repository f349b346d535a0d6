"""Keeps the libraries of models quiet: the command line prints one document, no bars."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module


@contextmanager
def quiet(*libraries: str) -> Iterator[None]:
    """Turn progress bars, advice and warnings of ``transformers`` or ``diffusers`` off.

    Errors are still raised.
    """
    with ExitStack() as stack:
        for library in libraries:
            stack.enter_context(_quiet(library))
        yield


@contextmanager
def _quiet(library: str) -> Iterator[None]:
    logging = import_module(f"{library}.utils.logging")
    level = logging.get_verbosity()
    bar = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()
