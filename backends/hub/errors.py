"""Turns faults between this machine and the Hub into errors, each with a one-sentence message."""

import errno
from pathlib import Path
from typing import NoReturn

import httpx

from hallascope.backends.base import Denied, Transient, Unavailable
from hallascope.backends.hub.listing import RepositoryFile


def complain(response: httpx.Response, repository: str, endpoint: str) -> NoReturn:
    """Raise what an unsuccessful reply of the Hub means."""
    code = response.status_code
    why = response.headers.get("X-Error-Code", "")
    if why == "GatedRepo" or code == httpx.codes.FORBIDDEN:
        raise Denied(
            f"{repository!r} is gated: agree to its terms at {endpoint}/{repository}, then log in"
            " with `hf auth login` (or set HF_TOKEN) and run it again."
        )
    if why == "RevisionNotFound":
        raise Unavailable(f"{repository!r} has no such revision: mend the `revision` of its entry.")
    if why == "RepoNotFound" or code in (httpx.codes.UNAUTHORIZED, httpx.codes.NOT_FOUND):
        raise Unavailable(
            f"There is no {repository!r} on the Hub, or it is private: check the name, or log in"
            " with `hf auth login`."
        )
    if code == httpx.codes.TOO_MANY_REQUESTS:
        waits = response.headers.get("Retry-After", "")
        raise Transient(
            "The Hub has too many calls: run it again in a while.",
            "rate_limited",
            float(waits) if waits.isdecimal() else None,
        )
    if (
        code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE
        or code >= httpx.codes.INTERNAL_SERVER_ERROR
    ):
        raise Transient(
            f"The Hub cannot answer for {repository!r} now ({code}): run it again in a while."
        )
    raise Unavailable(f"The Hub refuses {repository!r} ({code}): look at {endpoint}/{repository}.")


def cut(file: RepositoryFile, error: httpx.HTTPError) -> Transient:
    """Return the error for a connection that broke off."""
    kind = type(error).__name__
    return Transient(
        f"The connection broke off in the middle of {file.path} ({kind}): run it again to go on"
        " where it was left."
    )


def disk(error: OSError, cache: Path) -> Unavailable:
    """Return the error for a disk that does not take what came."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Unavailable(
            f"The disk of {str(cache)!r} is full: make room there or set HF_HUB_CACHE to another"
            " disk, and run it again."
        )
    return Unavailable(
        f"Nothing can be written to {str(cache)!r} ({error.strerror}): set HF_HUB_CACHE to another"
        " folder, and run it again."
    )
