"""What can be wrong with a request, an upload or the store.

Each message is one sentence a person can act on.
"""

from hallascope.backends.base import HallaScopeError as HallaScopeError


class BadRequest(HallaScopeError):
    """What was asked for cannot be done as it stands."""


class BadImage(BadRequest):
    """An uploaded file is no picture that can be used."""


class NoQuestions(BadRequest):
    """There are no questions for a prompt yet."""


class UnknownRun(BadRequest):
    """No run of that name is stored."""


class StoreError(HallaScopeError):
    """The store cannot be read or written: a full disk, no right to write, a damaged file.

    What was stored stays.
    """


def sentence(error: Exception) -> str:
    """Return a pure layer's error as a sentence, with a capital, and a stop at its end."""
    said = " ".join(str(error).split())
    return f"{said[:1].upper()}{said[1:]}" + ("" if said.endswith((".", "?", "!")) else ".")
