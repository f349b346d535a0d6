"""Parses what a service says is wrong: HTTP status, message, codes and the time to wait.

Services say the same in many ways: the parsers here take any JSON and never raise.
"""

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from hallascope.data.requests import Usage

_RATE_LIMIT_CODES = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "resource_exhausted", "too_many_requests"}
)
_REFUSAL_CODES = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "content_policy",
        "moderation_blocked",
        "responsibleaipolicyviolation",
    }
)
_REFUSAL = re.compile(
    r"safety system|content (?:management )?policy|content[ _]filter|requires moderation"
    r"|(?:input|prompt|request|output)s? (?:was|were|is|has been) (?:flagged|blocked)",
    re.IGNORECASE,
)
_RETRY_DELAY = re.compile(r'"retryDelay":\s*"([\d.]+)s"')
_MAX_DEPTH = 4
_MAX_LIST_ITEMS = 5


@dataclass(frozen=True, kw_only=True)
class ServiceErrorReply:
    """Holds what a service says is wrong: HTTP status, message, codes and parameter.

    Codes are in lower case; the parameter is "" where it names none. `retry_after` are the seconds
    to wait that it asks for.

    `is_partial`: a part of the reply came before it, and is charged; `usage`: what the service
    counted of it.
    """

    status: int
    message: str = ""
    codes: frozenset[str] = frozenset()
    parameter: str = ""
    retry_after: float | None = None
    is_partial: bool = False
    usage: Usage | None = None


def parse_error(
    status: int, body: object, headers: Mapping[str, str] | None = None
) -> ServiceErrorReply:
    """Parse an error; `body` is any JSON or text, whole or only what stood under "error"."""
    error = _unwrap(body)
    parameter = error.get("param")
    seconds = retry_after(headers or {})
    return ServiceErrorReply(
        status=status,
        message=_message(body),
        codes=_codes(error),
        parameter=parameter if isinstance(parameter, str) else "",
        retry_after=_retry_delay(body) if seconds is None else seconds,
    )


def error_in_reply(body: object) -> ServiceErrorReply | None:
    """Return the error within a reply, or a piece of a stream, that began with status 200.

    None where there is none.
    """
    if not isinstance(body, Mapping) or not body.get("error"):
        return None
    return parse_error(_status_in_body(body), body)


def _status_in_body(body: object) -> int:
    """Return the HTTP status that an error states itself, else the one that it amounts to."""
    error = _unwrap(body)
    for name in ("code", "status"):
        status = error.get(name)
        if isinstance(status, int) and 400 <= status < 600:
            return status
    reply = parse_error(400, body)
    if reply.codes & _RATE_LIMIT_CODES:
        return 429
    return 400 if is_refusal(reply) else 500


def is_refusal(error: ServiceErrorReply) -> bool:
    """Return whether the service refuses this request for its content."""
    if error.status >= 500 or error.status in (401, 402, 404, 429):
        return False
    if error.codes & _REFUSAL_CODES:
        return True
    # An error that names a parameter is about the parameter: one is called `moderation`.
    is_about_content = error.parameter in ("", "prompt", "messages")
    return is_about_content and _REFUSAL.search(error.message) is not None


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds to wait that a response asks for, from 0; `now`: seconds since 1970."""
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name) or "") * scale
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        moment = parsedate_to_datetime(headers.get("retry-after") or "").timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


# --- any JSON ---


def _unwrap(body: object) -> Mapping[str, object]:
    """Return the error itself, whatever is wrapped around it.

    Gemini sends it in a list, most under "error".
    """
    for _ in range(_MAX_DEPTH):
        if isinstance(body, list) and body:
            body = body[0]
        elif isinstance(body, Mapping) and isinstance(body.get("error"), Mapping | list):
            body = body["error"]
    return body if isinstance(body, Mapping) else {}


def _codes(error: Mapping[str, object]) -> frozenset[str]:
    inner = error.get("innererror")
    errors = [error, inner] if isinstance(inner, Mapping) else [error]
    values = [level.get(name) for level in errors for name in ("code", "type", "status")]
    return frozenset(value.casefold() for value in values if isinstance(value, str))


def _message(body: object, depth: int = _MAX_DEPTH) -> str:
    """Return what an error says in words, or the text itself.

    Words stand under "message", "error", "detail" (FastAPI) or "msg".
    """
    if isinstance(body, str):
        is_web_page_of_proxy = body.lstrip().startswith("<")
        return "" if is_web_page_of_proxy else body
    if not depth:
        return ""
    if isinstance(body, list):
        messages = [_message(item, depth - 1) for item in body[:_MAX_LIST_ITEMS]]
        return "; ".join(message for message in messages if message)
    if not isinstance(body, Mapping):
        return ""
    for name in ("message", "error", "detail", "msg"):
        message = _message(body.get(name), depth - 1)
        if message:
            path = body.get("loc")  # of the field that a validation error is about
            field = f"{'.'.join(map(str, path))}: " if isinstance(path, list) and path else ""
            return f"{field}{message}{_added_reasons(body)}"
    return ""


def _added_reasons(body: Mapping[str, object]) -> str:
    """Return what OpenRouter adds: the reasons of a moderation, or the words of its provider."""
    metadata = body.get("metadata")
    if not isinstance(metadata, Mapping):
        return ""
    reasons = metadata.get("reasons")
    provider_message = metadata.get("raw")
    if isinstance(reasons, list) and reasons:
        return f" ({', '.join(str(reason) for reason in reasons)})"
    if isinstance(provider_message, str) and not isinstance(reasons, list):
        return f" ({provider_message})"
    return ""


def _retry_delay(body: object) -> float | None:
    """Return the seconds that Gemini asks to wait for in the body."""
    try:
        match = _RETRY_DELAY.search(json.dumps(body))
        return float(match[1]) if match else None
    except (TypeError, ValueError, RecursionError):
        return None
