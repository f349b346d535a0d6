"""Parses what a service says is wrong, and turns it into errors to retry, refusals or final errors.

Services say the same in many ways: the parsers here take any JSON and never raise. Each message is
one sentence that says what to do; none of them holds the key.
"""

import math
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Literal

from hallascope.backends.base import Denied, Transient
from hallascope.backends.keys import HIDDEN, scrub
from hallascope.data.requests import Failure, Usage

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


# --- what it means ---

Kind = Literal["refused", "denied", "rate_limited", "unavailable", "broken"]
REFUSAL = "{title} refuses this request{reason}. Change the prompt, or choose another model."
ELSEWHERE = (
    "{service} {why}, and no image or key of {title} is sent there: put the address of the service"
    " itself into the entry of the model (base_url), or choose another model."
)
LATE = (
    "{service} did not answer in time: run it again, or give {title} a longer `timeout` in its"
    " settings."
)
UNREACHED = "{service} could not be reached: check the network and the server, then run it again."
TOO_LONG = (
    "{service} does not allow replies of {title} to be that long{said}: set a lower `max_tokens` in"
    " its settings."
)
# Characters of a service's own words that are shown.
_MAX_QUOTE = 240
# How "STATUS [PARAMETER] CODES MESSAGE" begins, what it means, and what to say; the first counts.
# 200 is the status of an error within a reply. An error that names a parameter is about the
# parameter: one is called `moderation`. Some servers say 500 to what they will never do, e.g.
# llama.cpp to an image for a model that cannot see.
_MEANINGS: tuple[tuple[str, Kind, str], ...] = (
    (
        r"(2|4(?!01|02|04|29))\d\d \[(|prompt|messages)\] .*"
        r"(safety system|content[ _](management )?policy|content[ _]filter|requires moderation"
        r"|moderation_blocked|responsibleaipolicyviolation"
        r"|(input|prompt|request|output)s? (was|were|is|has been) (flagged|blocked))",
        "refused",
        REFUSAL,
    ),
    (r"3", "unavailable", ELSEWHERE),
    (
        r"402|.*(insufficient_(quota|credits)|billing_(hard_limit_reached|not_active))",
        "denied",
        "There is no credit left at {service} for {title}: add some there, or choose another"
        " model.",
    ),
    (
        r"401|[24].*((invalid|incorrect)_api_key|authentication_error"
        r"|api[ _-]?key[ _](is |was )?(not valid|invalid|expired|not found|incorrect))",
        "denied",
        "{service} does not take the key for {title}; {key}",
    ),
    (
        r"404|[24].*(model_not_(found|available)|invalid_model|deploymentnotfound)",
        "denied",
        "{service} knows no model {model!r}, or there is no such address{said}: choose another"
        " model, or fix the entry of this one.",
    ),
    (r"403", "denied", "{service} does not let us use {model!r}{said}; {key}"),
    (
        r"429|200 .*(rate_limit_(exceeded|error)|resource_exhausted|too_many_requests)",
        "rate_limited",
        "{service} gets too many requests{said}: run it again in a while.",
    ),
    (
        r"408|409|425|(200|5(?!01)\d\d) (?!.*(not (supported|implemented)|unsupported))",
        "unavailable",
        "{service} has a fault (HTTP {status}){said}: run it again later.",
    ),
    (
        r"",
        "broken",
        "{service} does not take this request (HTTP {status}){said}: choose another model, or fix"
        " its entry.",
    ),
)
# Services repeat keys with stars in them.
_KEY_WITH_STARS = re.compile(r"\b(?:sk|pk|key)-[\w*.…-]{6,}|\bAIza[\w*-]{6,}")


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
        """Return the error without the key, which services repeat."""
        return replace(
            error,
            message=self.clean(error.message),
            codes=self.clean(error.codes),
            parameter=self.clean(error.parameter),
        )

    def quote(self, words: str) -> str:
        """Return a service's words for the middle of a sentence: one short line, no key."""
        line = _KEY_WITH_STARS.sub(HIDDEN, self.clean(" ".join(words.split())))
        if len(line) > _MAX_QUOTE:
            line = line[: _MAX_QUOTE - 1] + "…"
        return line.rstrip(" .")

    def say(self, sentence: str, words: str = "", **more: object) -> str:
        """Return a sentence with the names of this service, and its `words` where they belong."""
        quoted = self.quote(words)
        key = 'its key is missing: name one in its entry (`needs: ["key:NAME"]`).'
        if self.key:
            key = (
                "its key is expired, wrong or too weak: put a valid one into"
                f" {self.key} or the key field."
            )
        return sentence.format(
            service=self.service,
            title=self.title,
            model=self.model,
            key=key,
            said=quoted and f" (it says: “{quoted}”)",
            reason=f": “{quoted}”" if quoted else " and does not say why",
            **more,
        )


def call_fault(error: ServiceErrorReply, identity: ServiceIdentity) -> Denied | Transient | Failure:
    """Return the error or failure that an error of the service means."""
    status = error.status
    if status in (400, 422) and re.search(
        rf"['\"`]{re.escape(identity.model)}['\"`]", error.message
    ):
        status = 404
    stated = f"{status} [{error.parameter}] {error.codes} {error.message}"
    kind, sentence = next(
        (kind, sentence)
        for pattern, kind, sentence in _MEANINGS
        if re.match(pattern, stated, re.IGNORECASE | re.DOTALL)
    )
    why = "sends requests on to another address"
    message = identity.say(sentence, error.message, status=status, why=why)
    if kind == "denied":
        return Denied(message)
    if kind == "rate_limited" or kind == "unavailable":
        return Transient(message, kind, error.retry_after, error.is_partial, error.usage)
    return Failure(kind, message, usage=error.usage)
