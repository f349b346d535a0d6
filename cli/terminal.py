"""Holds what all commands share: exit codes, lists of names, output, progress."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

DONE = 0
FAILURES = 1  # finished with failures, which are listed: something has no answer
WRONG = 2  # the request
TOO_LOW = 3  # all has an answer, and a score is under --fail-under or worse than --fail-on-worse
INTERRUPTED = 130

TENTHS = 10  # lines of progress where standard error is no terminal


def split_names(listed: str) -> tuple[str, ...]:
    """Return the names of a list with commas between them, each once, in their order."""
    return tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))


def say(text: str) -> None:
    print(text, flush=True)


def complain(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def delete_if_confirmed(planned: str, delete: Callable[[], object], yes: bool) -> int:
    """Say what would be deleted, delete it where a person agrees, and return the exit code.

    `yes`: the person has agreed already. Raises BadRequest where nobody can be asked.
    """
    import typer

    from hallascope.engine.errors import BadRequest

    say(planned)
    try:
        agreed = yes or typer.confirm("Delete it?")
    except typer.Abort:
        raise BadRequest(
            "Nothing was deleted, because there was no answer: add --yes to agree."
        ) from None
    if not agreed:
        say("Nothing was deleted.")
        return WRONG
    delete()
    say("Deleted.")
    return DONE


def duration(seconds: float) -> str:
    """Return a time as people read it."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"


class Progress:
    """Shows on standard error how much is done and how long the rest takes.

    A terminal gets a line that changes; elsewhere each tenth gets a line, where `in_lines`.
    """

    def __init__(self, what: str, in_lines: bool = False) -> None:
        self._what = what
        self._in_lines = in_lines
        self._start = time.monotonic()
        self._first: int | None = None  # what was done before there was anything to measure
        self._is_open = False  # a line stands there without its end

    def __call__(
        self, done: int, total: int, what: str = "", seconds_left: float | None = None
    ) -> None:
        """Show that so many are done; `seconds_left` where the caller knows better."""
        if self._first is None:
            self._start, self._first = time.monotonic(), max(done - 1, 0)
        left = seconds_left
        if left is None and done > self._first + 1:
            each = (time.monotonic() - self._start) / (done - self._first - 1)
            left = each * (total - done)
        text = f"{done:,} of {total:,} {what or self._what}"
        if left and done < total:
            text += f", about {duration(left)} left"
        if sys.stderr.isatty():
            self._draw(text)
            if done >= total:
                self.close()
        elif self._in_lines and done * TENTHS // total > (done - 1) * TENTHS // total:
            complain(text)

    def count(self, done: int) -> None:
        """Show that so many are done, where nobody knows of how many, until `close`."""
        if sys.stderr.isatty():
            self._draw(f"{done:,} {self._what}")

    def close(self) -> None:
        """End the line that changes, if there is one."""
        if self._is_open:
            complain("")
        self._is_open = False

    def _draw(self, text: str) -> None:
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        self._is_open = True


def rewrite(file: Path, change: Callable[[str], str], what: str, remedy: str) -> None:
    """Put what `change` makes of a text file in its place.

    Raises BadRequest where it cannot be read, changed (ValueError) or written.
    """
    from hallascope.engine.errors import BadRequest

    try:
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadRequest(
            f"The {what} cannot be written into {str(file)!r} ({error}): {remedy}."
        ) from error


def write_file(file: Path, text: str) -> None:
    """Write a text that was asked for with --out. Raises BadRequest where it cannot be written."""
    from hallascope.engine.errors import BadRequest

    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            f"The file {str(file)!r} cannot be written ({error.strerror or error}): name"
            " another one."
        ) from error
