"""Lists what cannot be chosen here now, each with why, under a fold."""

from collections.abc import Mapping

from markupsafe import Markup

from hallascope.components.html.markup import join, tag


def unavailable_list(reasons: Mapping[str, str], some_able: bool, hint: str = "") -> Markup:
    """Return what cannot be chosen, each with why, under a line that counts it.

    The hint stands beneath it. It is empty where everything can be chosen and there is no hint.
    `some_able`: something can be chosen.
    """
    if not reasons and not hint:
        return Markup()
    rows = (
        tag("li", join(tag("strong", name), f": {short(reason)}"), title=reason)
        for name, reason in reasons.items()
    )
    return tag(
        "details",
        tag("summary", _summary(len(reasons), some_able)),
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
