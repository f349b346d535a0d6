"""Turns complaints of a service into errors to try again, refusals, or the end.

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
_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|key)-[\w*.…-]{6,}|\bAIza[\w*-]{6,}"
)  # services repeat keys with stars in them
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
    """Whom the sentences are about; `secret` is the key itself, and is taken out of every text.

    `untold`: addresses of the service that a public app does not tell; its name stands in their
    place.
    """

    title: str
    model: str
    service: str
    key: str | None = None
    secret: str | None = field(default=None, repr=False)
    untold: tuple[str, ...] = ()

    def clean(self, text: str) -> str:
        """Return the text without the key, NUL and halves of characters, fit to be stored."""
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")
        for one in self.untold:
            whole = re.sub(re.escape(one), lambda _: self.service, whole, flags=re.IGNORECASE)
        return scrub(whole, self.secret)

    def heard(self, said: ServiceErrorReply) -> ServiceErrorReply:
        """The complaint without the key, which services repeat."""
        return replace(
            said,
            words=self.clean(said.words),
            codes=frozenset(map(self.clean, said.codes)),
            param=self.clean(said.param),
        )

    def quote(self, words: str) -> str:
        """Return a service's words for the middle of a sentence: one line, not long, no key.

        There is no stop at its end.
        """
        plain = _LIKE_A_KEY.sub(HIDDEN, self.clean(" ".join(words.split())))
        return (plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…").rstrip(" .")


def complaint(
    status: int, body: object, headers: Mapping[str, str] | None = None
) -> ServiceErrorReply:
    """Read an error as it came: `body` any JSON or text, whole or only what stood under "error"."""
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


def of_reply(body: object) -> ServiceErrorReply | None:
    """The error within a reply or a piece of a stream that began with status 200.

    None where there is none.
    """
    if not isinstance(body, Mapping) or not body.get("error"):
        return None
    found = complaint(400, body)
    inner = _inner(body)
    stated = [
        value
        for value in (inner.get("code"), inner.get("status"))
        if isinstance(value, int) and 400 <= value < 600
    ]
    if stated:
        status = stated[0]
    elif found.codes & _TOO_MANY:
        status = 429
    elif refused(found):
        status = 400
    else:
        status = 500
    return complaint(status, body)


def fault(said: ServiceErrorReply, who: ServiceIdentity) -> CallFault:
    """What becomes of a request about which the service complains."""
    words = who.quote(said.words)
    if refused(said):
        return refusal(words, who)
    if said.status == 402 or said.codes & _NO_CREDIT:
        return Denied(
            f"There is no credit left at {who.service} for {who.title}: add some there, or choose"
            " another model."
        )
    if said.status == 401 or (
        said.status < 500 and (said.codes & _WRONG_KEY or _KEY_WRONG.search(said.words))
    ):
        return Denied(
            f"{who.service} does not take the key for {who.title}; it is"
            f" {_new_key(who, 'expired or wrong')}"
        )
    if _no_such_model(said, who):
        return Denied(
            f"{who.service} knows no model {who.model!r}, or there is no such"
            f" address{_says(words)}: choose another model, or mend the entry of this one."
        )
    if said.status == 403:
        what = _new_key(who, "expired, wrong or too weak")
        return Denied(
            f"{who.service} does not let us use {who.model!r}{_says(words)}; the key is {what}"
        )
    if said.status == 429:
        return Transient(
            f"{who.service} gets too many requests{_says(words)}: run it again in a while.",
            "rate_limited",
            said.retry_after,
        )
    heard = f"(HTTP {said.status}){_says(words)}"
    if _may_pass(said):
        return Transient(
            f"{who.service} has a fault {heard}: run it again later.",
            "unavailable",
            said.retry_after,
        )
    return Failure(
        "broken",
        f"{who.service} does not take this request {heard}: choose another model, or mend its"
        " entry.",
    )


def refused(said: ServiceErrorReply) -> bool:
    """Whether the service will not answer this request, for what is in it."""
    return (
        said.status < 500
        and said.status not in (401, 402, 404, 429)
        and bool(said.codes & _REFUSED or _refusing(said))
    )


def refusal(words: str, who: ServiceIdentity, usage: Usage | None = None) -> Failure:
    """A refused request; `words` are the service's own, already fit to be shown."""
    why = f": “{words}”" if words else " and does not say why"
    return Failure(
        "refused",
        f"{who.title} refuses this request{why}. Change the prompt, or choose another model.",
        usage=usage,
    )


def charged(found: CallFault, most: Usage, usage: Usage | None) -> CallFault:
    """Return a fault after a part of the reply, which is to be paid as counted.

    Where the service counted nothing, it may be the `most`.
    """
    if isinstance(found, Failure):
        return replace(found, usage=found.usage or usage or most)
    if isinstance(found, Transient):
        return Transient(
            str(found), found.kind, found.retry_after, may_be_charged=True, usage=usage
        )
    return found


def timed_out(who: ServiceIdentity, sent: bool = True) -> Transient:
    """`sent`: the service may have got the request."""
    remedy = f"run it again, or give {who.title} a longer `timeout` in its settings"
    return Transient(
        f"{who.service} did not answer in time: {remedy}.", "timeout", may_be_charged=sent
    )


def unreachable(who: ServiceIdentity, sent: bool = True) -> Transient:
    """`sent`: the service may have got the request."""
    message = (
        f"{who.service} cannot be reached, or it hung up: check the network and the server, then"
        " run it again."
    )
    return Transient(message, may_be_charged=sent)


def garbled(who: ServiceIdentity, what: str, usage: Usage | None = None) -> Transient:
    return Transient(
        f"The reply of {who.service} {what}: run it again.", may_be_charged=True, usage=usage
    )


def redirected(who: ServiceIdentity) -> Denied:
    """Redirects are not followed: nobody said that what is asked may be shown to another host."""
    return Denied(
        f"{who.service} sends requests for {who.title} on to another address, and no picture or key"
        " is sent there: put the address of the service itself into the entry of the model"
        " (base_url), or choose another model."
    )


def private(who: ServiceIdentity) -> Denied:
    """A public app asks no host of its own network."""
    return Denied(
        f"{who.service} is not in the public net, so a public app does not ask {who.title}: choose"
        " another model, or run HallaScope on your own machine."
    )


def endless(who: ServiceIdentity) -> Failure:
    """The service takes no limit for its replies: what a call may cost would have no bound."""
    return Failure(
        "broken",
        f"{who.title} takes no limit for the length of its replies (`max_tokens`), so no cap can"
        " hold for what it costs: choose another model.",
    )


def warm(who: ServiceIdentity, temperature: object) -> Failure:
    """The service takes no temperature, or not this one.

    It is not left out silently, as it changes what is measured.
    """
    return Failure(
        "broken",
        f"{who.title} does not take temperature {temperature}: set `temperature: null` in the"
        " settings of its entry (data/models/models.yaml, or your file in HALLASCOPE_MODELS).",
    )


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait as a response asks for them, from 0; `now` in seconds since 1970."""
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


def _no_such_model(said: ServiceErrorReply, who: ServiceIdentity) -> bool:
    if said.status == 404 or (said.status < 500 and said.codes & _NO_MODEL):
        return True
    return said.status in (400, 422) and any(
        f"{mark}{who.model}{mark}" in said.words for mark in "'\"`"
    )


def _may_pass(said: ServiceErrorReply) -> bool:
    # some servers say 500 to what they will never do, e.g. llama.cpp to a picture for a model that
    # cannot see
    return said.status in (408, 409, 425) or (
        said.status >= 500 and said.status != 501 and not _NOT_THERE.search(said.words)
    )


def _refusing(said: ServiceErrorReply) -> bool:
    # a complaint that names a parameter is about the parameter: one is called `moderation`
    return said.param in ("", "prompt", "messages") and _REFUSING.search(said.words) is not None


# --- any JSON
# --------------------------------------------------------------------------------------------------


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
    """The field that a validation error is about."""
    path = body.get("loc")
    return f"{'.'.join(str(step) for step in path)}: " if isinstance(path, list) and path else ""


def _reasons(body: Mapping[str, object]) -> str:
    """What OpenRouter adds: the reasons of a moderation, or the words of the service behind it."""
    more = body.get("metadata")
    if not isinstance(more, Mapping):
        return ""
    reasons = more.get("reasons")
    raw = more.get("raw")
    if isinstance(reasons, list):
        said = [str(reason) for reason in reasons]
    elif isinstance(raw, str):
        said = [raw]
    else:
        said = []
    return f" ({', '.join(said)})" if said else ""


def _retry_delay(body: object) -> float | None:
    """Where Gemini says in the body how long to wait."""
    try:
        found = _AGAIN.search(json.dumps(body))
        return float(found[1]) if found else None
    except (TypeError, ValueError, RecursionError):
        return None
