"""Turns errors of a service into errors to retry, refusals, or final errors.

Each message is one sentence that says what to do; none of them holds the key.
"""

import re
from dataclasses import dataclass, field, replace

from hallascope.backends.base import Denied, Transient
from hallascope.backends.keys import HIDDEN, scrub
from hallascope.backends.openai.error_replies import ServiceErrorReply, is_refusal
from hallascope.data.requests import Failure, Usage

CallFault = Denied | Transient | Failure

# Characters of a service's own words that are shown.
_MAX_QUOTE = 240
_NO_CREDIT_CODES = frozenset(
    {
        "insufficient_quota",
        "insufficient_credits",
        "billing_hard_limit_reached",
        "billing_not_active",
    }
)
_WRONG_KEY_CODES = frozenset(
    {"invalid_api_key", "api_key_invalid", "incorrect_api_key", "authentication_error"}
)
_NO_MODEL_CODES = frozenset(
    {"model_not_found", "invalid_model", "deploymentnotfound", "model_not_available"}
)
_WRONG_KEY = re.compile(
    r"api[ _-]?key (?:is |was )?(?:not valid|invalid|expired|not found|incorrect)", re.IGNORECASE
)
_UNSUPPORTED = re.compile(r"not (?:supported|implemented)|unsupported", re.IGNORECASE)
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
            codes=frozenset(self.clean(code) for code in error.codes),
            parameter=self.clean(error.parameter),
        )

    def quote(self, words: str) -> str:
        """Return a service's words for the middle of a sentence: one short line, no key."""
        line = _KEY_WITH_STARS.sub(HIDDEN, self.clean(" ".join(words.split())))
        if len(line) > _MAX_QUOTE:
            line = line[: _MAX_QUOTE - 1] + "…"
        return line.rstrip(" .")


def call_fault(error: ServiceErrorReply, identity: ServiceIdentity) -> CallFault:
    """Return the error or failure that an error of the service means."""
    words = identity.quote(error.message)
    if is_refusal(error):
        return refusal_failure(words, identity)
    denial = _denial(error, identity)
    if denial:
        return Denied(denial)
    service = identity.service
    quotation = _quotation(words)
    if error.status == 429:
        return Transient(
            f"{service} gets too many requests{quotation}: run it again in a while.",
            "rate_limited",
            error.retry_after,
        )
    if _may_pass(error):
        return Transient(
            f"{service} has a fault (HTTP {error.status}){quotation}: run it again later.",
            "unavailable",
            error.retry_after,
        )
    return Failure(
        "broken",
        f"{service} does not take this request (HTTP {error.status}){quotation}: choose another"
        " model, or mend its entry.",
    )


def _denial(error: ServiceErrorReply, identity: ServiceIdentity) -> str | None:
    """Say why the service will not serve this model at all, if so."""
    service, model = identity.service, identity.model
    quotation = _quotation(identity.quote(error.message))
    if error.status == 402 or error.codes & _NO_CREDIT_CODES:
        return (
            f"There is no credit left at {service} for {identity.title}: add some there, or choose"
            " another model."
        )
    if _is_wrong_key(error):
        remedy = _key_remedy(identity, "expired or wrong")
        return f"{service} does not take the key for {identity.title}; it is {remedy}"
    if _is_unknown_model(error, model):
        return (
            f"{service} knows no model {model!r}, or there is no such address{quotation}: choose"
            " another model, or mend the entry of this one."
        )
    if error.status == 403:
        remedy = _key_remedy(identity, "expired, wrong or too weak")
        return f"{service} does not let us use {model!r}{quotation}; the key is {remedy}"
    return None


def _is_wrong_key(error: ServiceErrorReply) -> bool:
    if error.status == 401:
        return True
    is_named = bool(error.codes & _WRONG_KEY_CODES or _WRONG_KEY.search(error.message))
    return error.status < 500 and is_named


def _is_unknown_model(error: ServiceErrorReply, model: str) -> bool:
    if error.status == 404 or (error.status < 500 and error.codes & _NO_MODEL_CODES):
        return True
    is_quoted = any(f"{mark}{model}{mark}" in error.message for mark in "'\"`")
    return error.status in (400, 422) and is_quoted


def _may_pass(error: ServiceErrorReply) -> bool:
    if error.status in (408, 409, 425):
        return True
    # Some servers say 500 to what they will never do, e.g. llama.cpp to a picture for a model that
    # cannot see.
    is_final = error.status == 501 or _UNSUPPORTED.search(error.message) is not None
    return error.status >= 500 and not is_final


def _key_remedy(identity: ServiceIdentity, state: str) -> str:
    if identity.key is None:
        return 'missing: name one in its entry (`needs: ["key:NAME"]`).'
    return f"{state}: put a valid one into {identity.key} or the key field."


def _quotation(words: str) -> str:
    return f" (it says: “{words}”)" if words else ""


def refusal_failure(words: str, identity: ServiceIdentity, usage: Usage | None = None) -> Failure:
    """Return the failure of a refused request; `words` are the service's own, fit to be shown."""
    reason = f": “{words}”" if words else " and does not say why"
    return Failure(
        "refused",
        f"{identity.title} refuses this request{reason}. Change the prompt, or choose another"
        " model.",
        usage=usage,
    )


def add_charge(fault: CallFault, most: Usage, usage: Usage | None) -> CallFault:
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


def timeout_error(identity: ServiceIdentity, sent: bool = True) -> Transient:
    """Return the error for a timeout; `sent`: the service may have got the request."""
    remedy = f"run it again, or give {identity.title} a longer `timeout` in its settings"
    return Transient(
        f"{identity.service} did not answer in time: {remedy}.", "timeout", may_be_charged=sent
    )


def connection_error(identity: ServiceIdentity, sent: bool = True) -> Transient:
    """Return the error for a lost connection; `sent`: the service may have got the request."""
    message = (
        f"{identity.service} could not be reached: check the network and the server,"
        " then run it again."
    )
    return Transient(message, may_be_charged=sent)


def malformed_reply_error(
    identity: ServiceIdentity, problem: str, usage: Usage | None = None
) -> Transient:
    """Return the error for a reply that could not be read; `problem` ends the sentence."""
    return Transient(
        f"The reply of {identity.service} {problem}: run it again.",
        may_be_charged=True,
        usage=usage,
    )


def redirect_error(identity: ServiceIdentity) -> Denied:
    """Return the error for a redirect, which is not followed: requests go to one host only."""
    return Denied(
        f"{identity.service} sends requests for {identity.title} on to another address, and no"
        " image or key is sent there: put the address of the service itself into the entry of the"
        " model (base_url), or choose another model."
    )


def private_address_error(identity: ServiceIdentity) -> Denied:
    """Return the error for a host in a private network, which a public app does not ask."""
    return Denied(
        f"{identity.service} is not in the public net, so a public app does not ask"
        f" {identity.title}: choose another model, or run HallaScope on your own machine."
    )


def no_token_limit_failure(identity: ServiceIdentity) -> Failure:
    """Return the failure for a service that takes no limit of tokens, so that cost has no bound."""
    return Failure(
        "broken",
        f"{identity.title} takes no limit for the length of its replies (`max_tokens`), so no cap"
        " can hold for what it costs: choose another model.",
    )
