"""Defines the errors of a request, an upload or the store.

Each message is one sentence a person can act on.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TypeVar

from hallascope.backends.base import HallaScopeError as HallaScopeError

Name = TypeVar("Name", bound=str)


class BadRequest(HallaScopeError):
    """Raised where a request cannot be carried out as it stands."""


class BadImage(BadRequest):
    """Raised where an uploaded file is no picture that can be used."""


class NoQuestions(BadRequest):
    """Raised where there are no questions for a prompt yet."""


class UnknownRun(BadRequest):
    """Raised where no run of that name is stored."""


class StoreError(HallaScopeError):
    """Raised where the store cannot be read or written.

    The disk is full, may not be written, or a file is damaged. What was stored stays.
    """


def sentence(error: Exception) -> str:
    """Return the message of a pure layer's error with a capital at its start and a stop at its end.

    White space is folded.
    """
    text = " ".join(str(error).split())
    stop = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"


def require_count(what: str, number: int, most: int, note: str = "") -> None:
    """Raise BadRequest where a number of images, rounds or trials is not within 1 and `most`."""
    if not 1 <= number <= most:
        raise BadRequest(
            f"The number of {what} is {number!r}: give a whole number from 1 to {most:,}{note}."
        )


def require_name(what: str, name: str, names: Collection[Name]) -> Name:
    """Return the one of the names of such things that is `name`. Raises BadRequest with all."""
    for known in names:
        if known == name:
            return known
    raise BadRequest(f"There is no {what} {name!r}: choose one of {', '.join(names)}.")


@contextmanager
def refuse(*kinds: type[Exception]) -> Iterator[None]:
    """Raise an error of a pure layer within the block as BadRequest, whose message it becomes."""
    try:
        yield
    except kinds as error:
        raise BadRequest(sentence(error)) from error
