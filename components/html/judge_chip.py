"""Builds the chip that names a judge and leads to what is known of it."""

from urllib.parse import quote

from markupsafe import Markup

from hallascope.components.html.markup import join, tag

NOBODY = "none"


def judge_chip(judge: str | None) -> Markup:
    """Return a link to the judge's row on the Judges tab; plain words where nobody judged.

    The script of the page opens the tab without loading it anew.
    """
    if not judge or judge == NOBODY:
        return join(NOBODY)
    return tag(
        "a",
        Markup("/<wbr>").join(judge.split("/")),  # a name breaks at its slash, not inside a word
        class_="judge-chip",
        href=f"?tab=judges&judge={quote(judge, safe='')}",
        data_judge=judge,
        title="How far this judge can be trusted",
    )
