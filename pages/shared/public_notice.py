"""Tells what a public app keeps, who sees it, and how much a visitor may have done.

Elsewhere it says nothing.
"""

from hallascope.components.html.gradio_html import still
from hallascope.components.html.markup import text
from hallascope.engine.deployment.hosting import logs_in, public
from hallascope.engine.deployment.rate_limit import PictureLimits
from hallascope.engine.services import Services

TITLE = "What is recorded here"
KEPT = (
    (
        "Your prompts, the pictures that are made or brought, the answers about them, saved"
        " questions, ratings and the name you give with them are kept while this app runs, and"
        " whoever opens it can see them: type and bring nothing private."
    ),
    (
        "A key that you type is held for your page alone, sent only to the service it belongs to,"
        " and written nowhere. A login stays with your session in the same way."
    ),
)
COUNTED = (
    "To share the machine fairly, {what} counted by {whom}; the counts are in memory alone and are"
    " gone when the app starts anew."
)


HINT = (
    '<p class="soft">What you type and make here is seen by everybody. <a'
    f' href="#notice">{TITLE}</a></p>'
)


def hint() -> None:
    """The line that stands where one types, on a public app alone."""
    if public():
        still(HINT, elem_id="notice-hint")


def build(services: Services) -> None:
    """Lay the notice out, on a public app alone."""
    if public():
        notice = notice_html(services.allowance.limits, logs_in())
        still(f'<div class="colophon"><h2>{TITLE}</h2>{notice}</div>', elem_id="notice")


def notice_html(limits: PictureLimits, login: bool) -> str:
    """The notice as HTML."""
    return "".join(f"<p>{text(said)}</p>" for said in (*KEPT, *_limit_sentences(limits, login)))


def _limit_sentences(limits: PictureLimits, login: bool) -> list[str]:
    most = [
        f"{number:,} a {word}"
        for number, word in ((limits.minute, "minute"), (limits.day, "day"))
        if number
    ]
    if not most:
        return []
    whom = (
        "your login, or a hash of your address where there is none"
        if login
        else "a hash of your address"
    )
    return [
        COUNTED.format(
            what=f"pictures that are drawn or judged for you (at most {' and '.join(most)}) are",
            whom=whom,
        )
    ]
