"""Holds the keys of services: typed in for one session, else from the environment.

They are never written or shown.
"""

import os
from collections.abc import Collection, Mapping

HIDDEN = "[key]"
_LEAST = 6  # shorter values are not looked for in texts: they would be found in ordinary words


class ApiKeys:
    """Holds keys by the name of their environment variable.

    Keys that were typed in override those of the environment.

    `own`: names of which everybody brings their own, so that the environment is not read for them.
    """

    __slots__ = ("_own", "_typed")

    def __init__(self, typed: Mapping[str, str] | None = None, own: Collection[str] = ()) -> None:
        self._own = frozenset(own)
        self._typed = {
            name: value.strip() for name, value in (typed or {}).items() if value and value.strip()
        }

    def get(self, name: str) -> str | None:
        """Return the key, or None where there is none."""
        return self._typed.get(name) or (
            None if name in self._own else (os.environ.get(name) or "").strip() or None
        )

    def is_session_key(self, name: str) -> bool:
        """Return whether the key was typed in: what is made with it is for this session alone."""
        return name in self._typed

    def __repr__(self) -> str:
        return f"ApiKeys({', '.join(f'{name}={HIDDEN}' for name in sorted(self._typed))})"

    def __reduce__(self) -> str:
        raise TypeError("keys are not written anywhere: give them again")


def scrub(text: str, secret: str | None) -> str:
    """Return the text without the secret, wherever a service repeats it."""
    return text.replace(secret, HIDDEN) if secret and len(secret) >= _LEAST else text
