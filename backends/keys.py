"""The keys of services: typed in for one session, else from the environment.

Nothing here is ever written or shown.
"""

import os
from collections.abc import Collection, Mapping

HIDDEN = "[key]"
_LEAST = 6  # shorter values are not looked for in texts: they would be found in ordinary words


class ApiKeys:
    """Keys by the name of their environment variable.

    Those given go before those of the environment.

    `own`: names of which everybody brings their own, so that the environment is not asked for them.
    """

    __slots__ = ("_given", "_own")

    def __init__(self, given: Mapping[str, str] | None = None, own: Collection[str] = ()) -> None:
        self._own = frozenset(own)
        self._given = {
            name: value.strip() for name, value in (given or {}).items() if value and value.strip()
        }

    def get(self, name: str) -> str | None:
        """The key, or None where there is none."""
        return self._given.get(name) or (
            None if name in self._own else (os.environ.get(name) or "").strip() or None
        )

    def is_session_key(self, name: str) -> bool:
        """Whether the key was typed in, so that what is made with it is for this session alone."""
        return name in self._given

    def __repr__(self) -> str:
        return f"Keys({', '.join(f'{name}={HIDDEN}' for name in sorted(self._given))})"

    def __reduce__(self) -> str:
        raise TypeError("keys are not written anywhere: give them anew")


def scrub(text: str, secret: str | None) -> str:
    """The text without the secret, wherever a service repeats it."""
    return text.replace(secret, HIDDEN) if secret and len(secret) >= _LEAST else text
