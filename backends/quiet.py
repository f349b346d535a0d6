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
            logging = import_module(f"{library}.utils.logging")
            stack.callback(logging.set_verbosity, logging.get_verbosity())
            if logging.is_progress_bar_enabled():
                stack.callback(logging.enable_progress_bar)
            logging.set_verbosity_error()
            logging.disable_progress_bar()
        yield
