"""Turns complaints of a service into errors to retry, refusals, or final errors.

Services say the same in many ways: the readers here take any JSON and never raise.
"""

import json
import math
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime

from hallascope.backends.base import Denied, Transient
from hallascope.backends.keys import HIDDEN, scrub
from hallascope.data.requests import Failure, Usage

CallFault = Denied | Transient | Failure

_LONGEST = 240  # characters of a service's own words that are shown
_NO_CREDIT = frozenset(
    {
        "insufficient_quota",
        "insufficient_credits",
        "billing_hard_limit_reached",
        "billing_not_active",
    }
)
_WRONG_KEY = frozenset(
    {"invalid_api_key", "api_key_invalid", "incorrect_api_key", "authentication_error"}
)
_NO_MODEL = frozenset(
    {"model_not_found", "invalid_model", "deploymentnotfound", "model_not_available"}
)
_REFUSED = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "content_policy",
        "moderation_blocked",
        "responsibleaipolicyviolation",
    }
)
_TOO_MANY = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "resource_exhausted", "too_many_requests"}
)
_REFUSING = re.compile(
    r"safety system|content (?:management )?policy|content[ _]filter|requires moderation"
    r"|(?:input|prompt|request|output)s? (?:was|were|is|has been) (?:flagged|blocked)",
    re.IGNORECASE,
)
_KEY_WRONG = re.compile(
    r"api[ _-]?key (?:is |was )?(?:not valid|invalid|expired|not found|incorrect)", re.IGNORECASE
)
_NOT_THERE = re.compile(r"not (?:supported|implemented)|unsupported", re.IGNORECASE)
# services repeat keys with stars in them
_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|key)-[\w*.…-]{6,}|\bAIza[\w*-]{6,}")
_AGAIN = re.compile(r'"retryDelay":\s*"([\d.]+)s"')


@dataclass(frozen=True, kw_only=True)
class ServiceErrorReply:
    """Holds what a service says is wrong: HTTP status, words, codes and parameter.

    Codes are in lower case; the parameter is "" where it names none.

    `begun`: a part of the reply came before it, and is charged; `usage`: what the service counted
    of it.
    """

    status: int
    words: str = ""
    codes: frozenset[str] = frozenset()
    param: str = ""
    retry_after: float | None = None
    begun: bool = False
    usage: Usage | None = None


@dataclass(frozen=True, kw_only=True)
class ServiceIdentity:
    """Names model, service and key in messages; `secret` is the key, removed from every text.

    `hidden_addresses`: addresses of the service that a public app replaces by its name.
    """

    title: str
    model: str
    service: str
    key: str | None = None
    secret: str | None = field(default=None, repr=False)
    hidden_addresses: tuple[str, ...] = ()

    def clean(self, text: str) -> str:
        """Return the text without the key, NUL and halves of characters, fit to be stored."""
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")
        for address in self.hidden_addresses:
            whole = re.sub(re.escape(address), lambda _: self.service, whole, flags=re.IGNORECASE)
        return scrub(whole, self.secret)

    def scrub_error(self, error: ServiceErrorReply) -> ServiceErrorReply:
        """Return the complaint without the key, which services repeat."""
        return replace(
            error,
            words=self.clean(error.words),
            codes=frozenset(map(self.clean, error.codes)),
            param=self.clean(error.param),
        )

    def quote(self, words: str) -> str:
        """Return a service's words for the middle of a sentence: one short line, no key."""
        plain = _LIKE_A_KEY.sub(HIDDEN, self.clean(" ".join(words.split())))
        return (plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…").rstrip(" .")


def parse_error(
    status: int, body: object, headers: Mapping[str, str] | None = None
) -> ServiceErrorReply:
    """Parse an error; `body` is any JSON or text, whole or only what stood under "error"."""
    inner = _inner(body)
    param = inner.get("param")
    wait = retry_after(headers or {})
    return ServiceErrorReply(
        status=status,
        words=_words(body),
        codes=frozenset(_codes(inner)),
        param=param if isinstance(param, str) else "",
        retry_after=_retry_delay(body) if wait is None else wait,
    )


def error_in_reply(body: object) -> ServiceErrorReply | None:
    """Return the error within a reply, or a piece of a stream, that began with status 200.

    None where there is none.
    """
    if not isinstance(body, Mapping) or not body.get("error"):
        return None
    error = parse_error(400, body)
    inner = _inner(body)
    stated = [
        value
        for value in (inner.get("code"), inner.get("status"))
        if isinstance(value, int) and 400 <= value < 600
    ]
    if stated:
        status = stated[0]
    elif error.codes & _TOO_MANY:
        status = 429
    elif is_refusal(error):
        status = 400
    else:
        status = 500
    return parse_error(status, body)


def call_fault(error: ServiceErrorReply, who: ServiceIdentity) -> CallFault:
    """Return the error or failure that a complaint of the service means."""
    words = who.quote(error.words)
    if is_refusal(error):
        return refusal(words, who)
    if error.status == 402 or error.codes & _NO_CREDIT:
        return Denied(
            f"There is no credit left at {who.service} for {who.title}: add some there, or choose"
            " another model."
        )
    if error.status == 401 or (
        error.status < 500 and (error.codes & _WRONG_KEY or _KEY_WRONG.search(error.words))
    ):
        return Denied(
            f"{who.service} does not take the key for {who.title}; it is"
            f" {_new_key(who, 'expired or wrong')}"
        )
    if _no_such_model(error, who):
        return Denied(
            f"{who.service} knows no model {who.model!r}, or there is no such"
            f" address{_says(words)}: choose another model, or mend the entry of this one."
        )
    if error.status == 403:
        what = _new_key(who, "expired, wrong or too weak")
        return Denied(
            f"{who.service} does not let us use {who.model!r}{_says(words)}; the key is {what}"
        )
    if error.status == 429:
        return Transient(
            f"{who.service} gets too many requests{_says(words)}: run it again in a while.",
            "rate_limited",
            error.retry_after,
        )
    status = f"(HTTP {error.status}){_says(words)}"
    if _may_pass(error):
        return Transient(
            f"{who.service} has a fault {status}: run it again later.",
            "unavailable",
            error.retry_after,
        )
    return Failure(
        "broken",
        f"{who.service} does not take this request {status}: choose another model, or mend its"
        " entry.",
    )


def is_refusal(error: ServiceErrorReply) -> bool:
    """Return whether the service refuses this request for its content."""
    return (
        error.status < 500
        and error.status not in (401, 402, 404, 429)
        and bool(error.codes & _REFUSED or _refusing(error))
    )


def refusal(words: str, who: ServiceIdentity, usage: Usage | None = None) -> Failure:
    """Return the failure of a refused request; `words` are the service's own, fit to be shown."""
    why = f": “{words}”" if words else " and does not say why"
    return Failure(
        "refused",
        f"{who.title} refuses this request{why}. Change the prompt, or choose another model.",
        usage=usage,
    )


def with_charge(fault: CallFault, most: Usage, usage: Usage | None) -> CallFault:
    """Return a fault with the charge of a partial reply, as the service counted it.

    Where the service counted nothing, it may be the `most`.
    """
    if isinstance(fault, Failure):
        return replace(fault, usage=fault.usage or usage or most)
    if isinstance(fault, Transient):
        return Transient(
            str(fault), fault.kind, fault.retry_after, may_be_charged=True, usage=usage
        )
    return fault


def timeout_error(who: ServiceIdentity, sent: bool = True) -> Transient:
    """Return the error for a timeout; `sent`: the service may have got the request."""
    remedy = f"run it again, or give {who.title} a longer `timeout` in its settings"
    return Transient(
        f"{who.service} did not answer in time: {remedy}.", "timeout", may_be_charged=sent
    )


def connection_error(who: ServiceIdentity, sent: bool = True) -> Transient:
    """Return the error for a lost connection; `sent`: the service may have got the request."""
    message = (
        f"{who.service} cannot be reached, or it hung up: check the network and the server, then"
        " run it again."
    )
    return Transient(message, may_be_charged=sent)


def malformed_reply(who: ServiceIdentity, what: str, usage: Usage | None = None) -> Transient:
    return Transient(
        f"The reply of {who.service} {what}: run it again.", may_be_charged=True, usage=usage
    )


def redirect_error(who: ServiceIdentity) -> Denied:
    """Return the error for a redirect, which is not followed: requests go to one host only."""
    return Denied(
        f"{who.service} sends requests for {who.title} on to another address, and no picture or key"
        " is sent there: put the address of the service itself into the entry of the model"
        " (base_url), or choose another model."
    )


def private_address_error(who: ServiceIdentity) -> Denied:
    """Return the error for a host in a private network, which a public app does not ask."""
    return Denied(
        f"{who.service} is not in the public net, so a public app does not ask {who.title}: choose"
        " another model, or run HallaScope on your own machine."
    )


def no_token_limit_failure(who: ServiceIdentity) -> Failure:
    """Return the failure for a service that takes no limit of tokens, so that cost has no bound."""
    return Failure(
        "broken",
        f"{who.title} takes no limit for the length of its replies (`max_tokens`), so no cap can"
        " hold for what it costs: choose another model.",
    )


def temperature_failure(who: ServiceIdentity, temperature: object) -> Failure:
    """Return the failure for a service that does not take this temperature.

    It is not left out silently, as it changes what is measured.
    """
    return Failure(
        "broken",
        f"{who.title} does not take temperature {temperature}: set `temperature: null` in the"
        " settings of its entry (data/models/models.yaml, or your file in HALLASCOPE_MODELS).",
    )


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


def _new_key(who: ServiceIdentity, state: str) -> str:
    if who.key is None:
        return 'missing: name one in its entry (`needs: ["key:NAME"]`).'
    return f"{state}: put a valid one into {who.key} or the key field."


def _says(words: str) -> str:
    return f" (it says: “{words}”)" if words else ""


def _no_such_model(error: ServiceErrorReply, who: ServiceIdentity) -> bool:
    if error.status == 404 or (error.status < 500 and error.codes & _NO_MODEL):
        return True
    return error.status in (400, 422) and any(
        f"{mark}{who.model}{mark}" in error.words for mark in "'\"`"
    )


def _may_pass(error: ServiceErrorReply) -> bool:
    # some servers say 500 to what they will never do, e.g. llama.cpp to a picture for a model that
    # cannot see
    return error.status in (408, 409, 425) or (
        error.status >= 500 and error.status != 501 and not _NOT_THERE.search(error.words)
    )


def _refusing(error: ServiceErrorReply) -> bool:
    # a complaint that names a parameter is about the parameter: one is called `moderation`
    return error.param in ("", "prompt", "messages") and _REFUSING.search(error.words) is not None


# --- any JSON ---


def _inner(body: object) -> Mapping[str, object]:
    """Return the error itself, whatever is wrapped around it.

    Gemini sends it in a list, most under "error".
    """
    for _ in range(4):
        if isinstance(body, list) and body:
            body = body[0]
        elif isinstance(body, Mapping) and isinstance(body.get("error"), Mapping | list):
            body = body["error"]
    return body if isinstance(body, Mapping) else {}


def _codes(inner: Mapping[str, object]) -> Iterator[str]:
    deeper = inner.get("innererror")
    for place in (inner, deeper if isinstance(deeper, Mapping) else {}):
        for name in ("code", "type", "status"):
            if isinstance(value := place.get(name), str):
                yield value.casefold()


def _words(body: object, depth: int = 4) -> str:
    """Return what an error says in words, or the text itself.

    Words stand under "message", "error", "detail" (FastAPI) or "msg".
    """
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<") else body  # the web page of a proxy
    if isinstance(body, list):
        return (
            "; ".join(filter(None, (_words(item, depth - 1) for item in body[:5]))) if depth else ""
        )
    if not isinstance(body, Mapping) or not depth:
        return ""
    for name in ("message", "error", "detail", "msg"):
        if body.get(name) and (words := _words(body[name], depth - 1)):
            return f"{_error_field(body)}{words}{_reasons(body)}"
    return ""


def _error_field(body: Mapping[str, object]) -> str:
    """Return the field that a validation error is about."""
    path = body.get("loc")
    return f"{'.'.join(str(step) for step in path)}: " if isinstance(path, list) and path else ""


def _reasons(body: Mapping[str, object]) -> str:
    """Return what OpenRouter adds: the reasons of a moderation, or the words of its provider."""
    more = body.get("metadata")
    if not isinstance(more, Mapping):
        return ""
    reasons = more.get("reasons")
    raw = more.get("raw")
    if isinstance(reasons, list):
        added = [str(reason) for reason in reasons]
    elif isinstance(raw, str):
        added = [raw]
    else:
        added = []
    return f" ({', '.join(added)})" if added else ""


def _retry_delay(body: object) -> float | None:
    """Return the seconds that Gemini asks to wait for in the body."""
    try:
        match = _AGAIN.search(json.dumps(body))
        return float(match[1]) if match else None
    except (TypeError, ValueError, RecursionError):
        return None
