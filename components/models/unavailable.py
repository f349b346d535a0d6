"""Lists what cannot be chosen here now, each with why, under a fold."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import join, tag


class UnavailableChoice(NamedTuple):
    """Names what cannot be chosen, and says why in one sentence."""

    name: str
    reason: str


def unavailable_list(
    unavailable: Sequence[UnavailableChoice], some_able: bool, hint: str = ""
) -> Markup:
    """Return the list under a line that counts it, with the hint beneath it.

    It is empty where everything can be chosen and there is no hint. `some_able`: something can be
    chosen.
    """
    if not unavailable and not hint:
        return Markup()
    rows = (
        tag("li", join(tag("strong", one.name), f": {short(one.reason)}"), title=one.reason)
        for one in unavailable
    )
    return tag(
        "details",
        tag("summary", _summary(len(unavailable), some_able)),
        tag("ul", *rows),
        tag("p", hint) if hint else "",
        class_="unavailable",
    )


def short(reason: str) -> str:
    """Return the middle of a sentence "X cannot run here: WHY; WHAT TO DO"."""
    return reason.partition("cannot run here: ")[2].partition(";")[0] or reason


def _summary(number: int, some_able: bool) -> str:
    if not number:
        return "Other models"
    if some_able:
        return f"{number} more need a key, a download or a GPU"
    return f"None of {number} can run here yet. See what each needs."
