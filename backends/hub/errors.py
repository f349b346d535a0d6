"""Turns faults of `huggingface_hub` into errors of ours: one sentence each, without its texts.

Those may hold addresses with a token.
"""

import errno
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from hallascope.backends.base import Denied, HallaScopeError, Transient, Unavailable

if TYPE_CHECKING:
    import httpx2  # what only looks at this disk does without it

RESUME = "run it again to go on with the files that are left"


def hub_fault(error: Exception, repository: str, endpoint: str, cache: Path) -> HallaScopeError:
    """Return what an error of the library means for a person."""
    import httpx2
    from huggingface_hub import errors

    page = f"{endpoint}/{repository}"
    match error:
        case HallaScopeError():
            return error
        case errors.HFValidationError():
            return Unavailable(
                f"{repository!r} is no id of a model on the Hub: write it as owner/name."
            )
        case errors.OfflineModeIsEnabled():
            return Unavailable(
                "The Hub is not asked, since HF_HUB_OFFLINE is set: unset it and run it again."
            )
        case errors.GatedRepoError():
            return Denied(
                f"{repository!r} is gated: agree to its terms at {page}, then log in with"
                " `hf auth login` (or set HF_TOKEN) and run it again."
            )
        case errors.RevisionNotFoundError():
            return Unavailable(
                f"{repository!r} has no such revision: fix the `revision` of its entry."
            )
        case errors.RepositoryNotFoundError():
            return Unavailable(
                f"There is no {repository!r} on the Hub, or it is private: check the name, or log"
                " in with `hf auth login`."
            )
        case errors.HfHubHTTPError(response=response):
            return _status_fault(response, repository, endpoint)
        case errors.LocalEntryNotFoundError() if isinstance(error.__cause__, Exception):
            return hub_fault(error.__cause__, repository, endpoint, cache)
        case httpx2.HTTPError():
            return Transient(
                f"The Hub at {endpoint} cannot be reached ({type(error).__name__}): connect and"
                f" {RESUME}."
            )
        case OSError(errno=code) if code in (errno.ENOSPC, errno.EDQUOT):
            return Unavailable(
                f"The disk of {str(cache)!r} is full: make room there or set HF_HUB_CACHE to"
                " another disk, and run it again."
            )
        case OSError(strerror=str(reason)):
            return Unavailable(
                f"Nothing can be written to {str(cache)!r} ({reason}): set HF_HUB_CACHE to another"
                " folder, and run it again."
            )
        case ValueError() | TypeError() | LookupError() | AttributeError():
            return Unavailable(
                f"The server at {endpoint} does not answer as the Hub does"
                f" ({type(error).__name__}): check HF_ENDPOINT."
            )
    return Transient(
        f"The download of {repository!r} broke off ({type(error).__name__}): {RESUME}."
    )


def _status_fault(response: "httpx2.Response", repository: str, endpoint: str) -> HallaScopeError:
    """Return what an HTTP status means for which the library has no class of its own."""
    code = response.status_code
    if code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return Denied(
            f"The Hub does not let us have {repository!r}: log in with `hf auth login` (or set a"
            f" valid HF_TOKEN), and ask for access at {endpoint}/{repository}."
        )
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        waits = response.headers.get("Retry-After", "")
        return Transient(
            "The Hub has too many calls: run it again in a while.",
            "rate_limited",
            float(waits) if waits.isdecimal() else None,
        )
    if code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Transient(
            f"The Hub cannot answer for {repository!r} now ({code}): run it again in a while."
        )
    return Unavailable(f"The Hub refuses {repository!r} ({code}): look at {endpoint}/{repository}.")
