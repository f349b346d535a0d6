"""Finds what looks like a key or a password in a text that is about to leave.

It never says what it found, only of which kind it is.
"""

import json
import os
import re
from collections.abc import Mapping
from html import escape
from urllib.parse import quote, urlsplit

# the endings of environment variables that hold a secret
_SECRET_SUFFIXES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_MIN_LENGTH = 8  # shorter values are not searched for: they would be found in ordinary words

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
_KINDS = tuple(PATTERNS)


class Secrets:
    """Finds what must not leave: keys by their shape, and values of names like ``*_KEY``.

    The values are those of this environment, or of the `environment` that is given.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        names = _secret_values(os.environ if environment is None else environment)
        self.values = frozenset(names)
        self._names_by_form = {
            form: name for value, name in names.items() for form in _encoded_forms(value)
        }
        forms = "|".join(re.escape(form) for form in self._names_by_form)
        self._any_form = re.compile(forms) if forms else None

    def __repr__(self) -> str:
        return "Secrets()"

    def find(self, text: str) -> str | None:
        """Return what a text holds that must not leave, in words that do not repeat it.

        It is None where the text holds nothing of the kind.
        """
        value = self._any_form.search(text) if self._any_form else None
        if value:
            return f"the value of {self._names_by_form[value.group()]}"
        key = _ANY.search(text)
        return _KINDS[int(str(key.lastgroup)[1:])] if key else None


def _secret_values(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secret values of an environment, each with the name of its variable."""
    names: dict[str, str] = {}
    for name, value in environment.items():
        secret: str | None = value.strip()
        if not name.upper().endswith(_SECRET_SUFFIXES):
            secret = _url_password(value.strip())
        if secret and len(secret) >= _MIN_LENGTH:
            names[secret] = name
    return names


def _url_password(value: str) -> str | None:
    try:
        return urlsplit(value).password if "://" in value else None
    except ValueError:
        return None


def _encoded_forms(value: str) -> set[str]:
    """Return a value as it may stand in a text, in HTML, in JSON and in an address."""
    return {
        value,
        escape(value),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        quote(value, safe=""),
    }
