"""Finds what looks like a key or a password in what is about to leave.

It never says what it found, only of which sort it is.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from html import escape
from urllib.parse import quote, urlsplit

_NAMED = (
    "_KEY",
    "_TOKEN",
    "_SECRET",
    "_PASSWORD",
)  # how variables of the environment end that hold one
_LEAST = 8  # shorter values are not looked for: they would be found in ordinary words

PATTERNS: Mapping[str, str] = {
    "a key of a service (sk-...)": r"\bsk-[A-Za-z0-9_-]{16,}",
    "a token of Hugging Face (hf_...)": r"\bhf_[A-Za-z0-9]{20,}",
    "a token of GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    "a key of Google": r"\bAIza[A-Za-z0-9_-]{35}",
    "a key of Amazon": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a bearer token": r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{16,}",
    "a password in an address": (
        r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'<>]+:[^\s/@\"'<>]+"
        r"@[^\s\"'<>]"
    ),
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
}
_ANY = re.compile("|".join(f"(?P<p{i}>{pattern})" for i, pattern in enumerate(PATTERNS.values())))
_SORTS = tuple(PATTERNS)


class Secrets:
    """Finds what must not leave: keys by their shape, and values of names like ``*_KEY``.

    The values are those of this environment.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        held = dict(_environment_secrets(os.environ if environment is None else environment))
        self._values = {
            form: name for value, name in held.items() for form in _encoded_forms(value)
        }
        self.values = frozenset(held)
        self._held = re.compile("|".join(map(re.escape, self._values))) if self._values else None

    def __repr__(self) -> str:
        return "Secrets()"

    def sort(self, text: str) -> str | None:
        """What a text holds that must not leave, in words that do not repeat it.

        None where it holds nothing of the kind.
        """
        if self._held and (found := self._held.search(text)):
            return f"the value of {self._values[found.group()]}"
        found = _ANY.search(text)
        return _SORTS[int(str(found.lastgroup)[1:])] if found else None


def _environment_secrets(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The secret values of an environment, each with the name of its variable."""
    for name, value in environment.items():
        value = value.strip()
        secret = value if name.upper().endswith(_NAMED) else _password(value)
        if secret and len(secret) >= _LEAST:
            yield secret, name


def _password(value: str) -> str | None:
    try:
        return urlsplit(value).password if "://" in value else None
    except ValueError:
        return None


def _encoded_forms(value: str) -> set[str]:
    """A value as it may stand in a text, in HTML, in JSON and in an address."""
    return {
        value,
        escape(value),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        quote(value, safe=""),
    }
