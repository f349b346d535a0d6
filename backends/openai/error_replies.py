"""Parses what a service says is wrong: HTTP status, message, codes and the time to wait.

Services say the same in many ways: the parsers here take any JSON and never raise.
"""

import math
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from hallascope.data.requests import Usage

# The fields that hold words, and those that hold these: of OpenAI, FastAPI, OpenRouter, Azure.
_WORDS = ("loc", "message", "msg", "error", "detail", "reasons", "raw")
_WRAPPERS = ("error", "detail", "metadata", "innererror", "details")
_MAX_DEPTH = 4
_MAX_LIST_ITEMS = 5


@dataclass(frozen=True, kw_only=True)
class ServiceErrorReply:
    """Holds what a service says is wrong: HTTP status, message, codes and parameter.

    `codes` are words in lower case; the parameter is "" where it names none. `retry_after` are the
    seconds to wait that it asks for.

    `is_partial`: a part of the reply came before it, and is charged; `usage`: what the service
    counted of it.
    """

    status: int
    message: str = ""
    codes: str = ""
    parameter: str = ""
    retry_after: float | None = None
    is_partial: bool = False
    usage: Usage | None = None


def parse_error(
    status: int, body: object, headers: Mapping[str, str] | None = None
) -> ServiceErrorReply:
    """Parse an error; `body` is any JSON or text, whole or only what stood under "error".

    The status of an error in a reply that began with 200 is the one that it states, else 200.
    """
    codes = " ".join(_found(body, ("code", "type", "status"))).casefold()
    stated = re.search(r"\b[45]\d\d\b", codes)
    is_web_page_of_proxy = isinstance(body, str) and body.lstrip().startswith("<")
    return ServiceErrorReply(
        status=int(stated[0]) if stated and status == 200 else status,
        message="" if is_web_page_of_proxy else ": ".join(_found({"error": body}, _WORDS)),
        codes=codes,
        parameter="".join(_found(body, ("param",))),
        retry_after=_retry_after(headers or {}, "".join(_found(body, ("retryDelay",)))),
    )


def _retry_after(headers: Mapping[str, str], delay: str) -> float | None:
    """Return the seconds to wait that a response asks for, from 0: in its headers, or "9s"."""
    stated = headers.get("retry-after") or delay.removesuffix("s")
    seconds = math.nan
    with suppress(ValueError, TypeError, IndexError, OverflowError, OSError):
        seconds = parsedate_to_datetime(stated).timestamp() - time.time()
    for text, scale in ((stated, 1.0), (headers.get("retry-after-ms") or "", 1e-3)):
        with suppress(ValueError):
            seconds = float(text) * scale
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _found(body: object, fields: tuple[str, ...], depth: int = _MAX_DEPTH) -> list[str]:
    """Return the texts and numbers that stand in these fields of any JSON, the outer ones first."""
    texts, inner = [], []
    if isinstance(body, list):
        inner = body[:_MAX_LIST_ITEMS]
    elif isinstance(body, dict):
        stated = [body.get(name) for name in fields]
        parts = [
            part for value in stated for part in (value if isinstance(value, list) else [value])
        ]
        texts = [str(part) for part in parts if part and isinstance(part, str | int)]
        inner = [body.get(name) for name in _WRAPPERS]
    return texts + [text for each in inner if depth for text in _found(each, fields, depth - 1)]
