"""Reads the package's replies: text, refusal, usage and probabilities.

The package builds them without checking, so that any JSON may stand in any field.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from hallascope.data.records import LETTERS
from hallascope.data.requests import Usage, sum_of

_FILTERED = re.compile("content_filter|safety|prohibited_content|blocklist|recitation", re.I)
# Where a reply names its letter, the surest place first.
_ANSWERS = (
    re.compile(r"(?i:answer[\"']?\s*:\s*[\"'(\s]*)([A-E])(?!\w)"),
    re.compile(r"\A[\s\"'(\[{*]*([A-E])(?:[)\]}.:,\"'*]|\s*\Z)"),
    re.compile(r"\banswer\s+is\W*([A-E])(?!\w)"),
)
# The "A" of "A bird" is no letter of an answer.
_LETTER = re.compile(r"(?<!\w)([B-E]|A(?!\s+[a-z]))(?!\w)")
# More tokens than this are no count.
_MAX_TOKENS = 1e12


class ServiceError(Exception):
    """Holds the error that came in place of a reply, or within it, after status 200: any JSON."""

    def __init__(self, error: object) -> None:
        super().__init__()
        self.error = error


@dataclass
class Completion:
    """Holds a chat completion as it comes in, whole or piece by piece.

    `tokens` have their log-probabilities, as they came.
    """

    text: str = ""
    refusal: str = ""
    finish: str = ""
    usage: Usage | None = None
    tokens: list[Any] = field(default_factory=list)

    @property
    def is_filtered(self) -> bool:
        """Return whether the service withheld the reply, or a part of it."""
        return bool(self.refusal or _FILTERED.search(self.finish))

    @property
    def is_cut(self) -> bool:
        """Return whether it was truncated at the limit of tokens."""
        return self.finish == "length"

    def add(self, piece: Any) -> None:
        """Add a reply or the next piece of one. Raises ServiceError where it is an error."""
        raise_error(piece)
        self.usage = usage(piece, "prompt_tokens", "completion_tokens") or self.usage
        for choice in (piece.choices or ())[:1]:
            raise_error(choice)
            message = getattr(choice, "message", None) or getattr(choice, "delta", None)
            self.text += _text(getattr(message, "content", None))
            self.refusal += _text(getattr(message, "refusal", None))
            self.finish = _text(choice.finish_reason) or self.finish
            self.tokens += getattr(choice.logprobs, "content", None) or ()

    def follow(self, again: object, most: Usage) -> bool:
        """Become the reply to the same request, sent again; return whether there is one.

        The usage is that of both; it may be the `most` where that of a second call is not known.
        """
        used = self.usage
        if isinstance(again, Completion):
            vars(self).update(vars(again))
            self.usage = again.usage and used and sum_of(used, again.usage)
            return True
        if getattr(again, "may_be_charged", False):
            self.usage = most
        return False


def raise_error(part: Any) -> None:
    """Raise ServiceError where a part of a reply holds an error."""
    if error := getattr(part, "error", None):
        raise ServiceError(error)


def usage(reply: Any, *fields: str) -> Usage | None:
    """Return the tokens read and written that a service counted, in fields of these names."""
    counts = [getattr(getattr(reply, "usage", None), name, None) for name in fields]
    known = [
        int(count) if isinstance(count, int | float) and 0 <= count < _MAX_TOKENS else None
        for count in counts
    ]
    return (
        Usage(*(count or 0 for count in known)) if any(each is not None for each in known) else None
    )


def probabilities(tokens: Sequence[Any], count: int) -> tuple[float, ...] | None:
    """Return the probability of each of `count` choices, in [0, 1], sum 1.

    None where the letter of the answer is not found.

    The letter's token has the probabilities of other tokens in its place; a letter that is not
    among them counts as 0, being less likely than all of them.
    """
    letters = LETTERS[:count]
    with suppress(AttributeError, TypeError, LookupError, ArithmeticError):
        texts = [token.token for token in tokens]
        position = _answer_position("".join(texts), letters)
        token = tokens[bisect_right([*accumulate(map(len, texts))], position)]
        chances = {each.token: math.exp(min(0.0, each.logprob)) for each in token.top_logprobs}
        sums = [
            sum(chance for text, chance in chances.items() if _bare(text) == letter)
            for letter in letters
        ]
        if _bare(token.token) in letters and len(letters) == count:
            return tuple(chance / sum(sums) for chance in sums)
    return None


def _answer_position(text: str, letters: Sequence[str]) -> int:
    """Find the letter of the answer. Raises LookupError where there is none, or several."""
    for pattern in _ANSWERS:
        match = pattern.search(text)
        if match and match[1] in letters:
            return match.start(1)
    found = {match[1]: match.start(1) for match in _LETTER.finditer(text) if match[1] in letters}
    if len(found) != 1:
        raise LookupError
    return next(iter(found.values()))


def _bare(token: str) -> str:
    """Return the letter of a token, without what is attached to it: ``B``, `` b``, ``"B"}``."""
    return re.sub(r"[\W_▁Ġ]+", "", token).upper()


def _text(value: object) -> str:
    """Return a text, or the joined parts of one; "" for anything else."""
    parts = value if isinstance(value, list) else [{"text": value}]
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))
