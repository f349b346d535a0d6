"""The chip that names a judge and leads to what is known of it.

The script of the page opens the tab without loading it anew.
"""

from urllib.parse import quote

from hallascope.components.html.markup import text

NOBODY = "none"


def judge_chip(judge: str | None) -> str:
    """A link to the judge's row on the Judges tab; plain words where nobody judged."""
    if not judge or judge == NOBODY:
        return text(NOBODY)
    address = f"?tab=judges&judge={quote(judge, safe='')}"
    broken = text(judge).replace("/", "/<wbr>")  # a name breaks at its slash, not inside a word
    said = 'title="How far this judge can be trusted"'
    return (
        f'<a class="judge-chip" href="{text(address)}" data-judge="{text(judge)}"'
        f" {said}>{broken}</a>"
    )
