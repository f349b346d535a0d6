"""Finds out which parameters a model's service takes.

Services differ in what they take, and no list of it is reliable. So all that is wanted is sent, and
what a service refuses is left out, or lowered, from then on.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hallascope.backends.openai.errors import ServiceErrorReply

LIMITS = ("max_tokens", "max_completion_tokens")
_LOGPROBS = ("logprobs", "top_logprobs")
# What is left out where a service only says that something is wrong.
OFTEN_REFUSED = ("response_format", *_LOGPROBS)
_NEVER_REFUSED = ("model", "messages", "prompt", "n", "stream")
# How a message names a parameter, where that is not its own name.
_NAMES = {
    "logprobs": "log_?probs?|log probabilities",
    "top_logprobs": "(?:top_)?log_?probs?|log probabilities",
    "response_format": "response_?format|json_?schema|structured outputs?|grammar",
    "stream_options": "stream_options|include_usage",
    **dict.fromkeys(LIMITS, "max_(?:completion_)?tokens"),
}
# The values of some, of which a lower one may be taken where one is refused.
_VALUES: Mapping[str, tuple[object, ...]] = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    "quality": ("low", "medium", "standard", "high", "hd", "xhigh", "max"),
    "top_logprobs": (5, 20),
    "size": (),
}
_IS_ABOUT_VALUE = re.compile(r"\bvalues?\b|(?<![\w.-])\d+(?![\w-])", re.IGNORECASE)
_IS_TOO_HIGH = re.compile(
    r"too (?:large|high|big|long)|at most|maximum|exceed|less than|<=|\brange\b", re.IGNORECASE
)
# What is recorded where it was not applied, and its name there, in this order.
_RECORDED = {
    **{name: name for name in ("temperature", "style", "quality", "size", "seed", "logprobs")},
    "response_format": "schema",
    "reasoning_effort": "reasoning_effort",
}


class Negotiation:
    """Remembers what the service of one model does not take. Safe to use from many threads.

    `refused` names what is known not to be taken.
    """

    def __init__(self, refused: Iterable[str]) -> None:
        self.refused = set(refused)
        self._instead: dict[tuple[str, object], object] = {}

    def apply(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters to send for those that are wanted."""
        sent = {}
        for name, value in wanted.items():
            if name in LIMITS and name in self.refused:
                name = LIMITS[name == LIMITS[0]]
            while name in _VALUES and (name, value) in self._instead:
                value = self._instead[name, value]
            if value is not None and name not in self.refused:
                sent[name] = value
        return sent

    def learn(self, sent: Mapping[str, Any], error: ServiceErrorReply) -> bool:
        """Remember which of the parameters an error is about; False: it names none of them."""
        stated = re.split(r"[.\[]", error.parameter, maxsplit=1)[0]
        words = f"{stated} {error.message}"
        named = {
            name
            for name in sent.keys() - {*_NEVER_REFUSED}
            if re.search(rf"\b(?:{_NAMES.get(name, name)})\b", words, re.IGNORECASE)
        }
        named = named & {stated} or named
        for name in named:
            self._refuse(name, sent[name], _IS_ABOUT_VALUE.search(words) is not None)
        return bool(named)

    def is_limit_too_high(self, sent: Mapping[str, Any], error: ServiceErrorReply) -> bool:
        """Return whether an error says that the reply may not be as long as was sent."""
        words = f"{error.parameter} {error.message}"
        is_named = re.search(rf"\b(?:{_NAMES[LIMITS[0]]})\b", words, re.IGNORECASE)
        return bool(sent.keys() & {*LIMITS} and is_named and _IS_TOO_HIGH.search(words))

    def _refuse(self, name: str, value: object, is_about_value: bool) -> None:
        values = _VALUES.get(name, ())
        lower = values[values.index(value) - 1] if value in values[1:] else None
        if is_about_value and (lower or name == "size"):
            self._instead[name, value] = lower
        else:
            self.refused |= {name, *(_LOGPROBS if name in _LOGPROBS else ())}


def not_applied(wanted: Mapping[str, Any], sent: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what was wanted of the model and not sent so, by its name in the record of a reply."""
    return tuple(
        recorded for name, recorded in _RECORDED.items() if sent.get(name) != wanted.get(name)
    )
