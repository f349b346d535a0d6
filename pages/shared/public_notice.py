"""Says what a public app keeps, who sees it, and how much a visitor may use."""

from markupsafe import Markup

from hallascope.components.html.gradio_html import still
from hallascope.components.html.markup import join, tag
from hallascope.engine.deployment.hosting import logs_in, public
from hallascope.engine.deployment.rate_limit import PictureLimits
from hallascope.engine.services import Services

TITLE = "What is recorded here"
KEPT = (
    (
        "Your prompts, the images that are made or brought, the answers about them, saved"
        " questions, ratings, corrections of what prompts ask for, and the name you give with them"
        " are kept while this app runs, and whoever opens it can see them: type and bring nothing"
        " private."
    ),
    (
        "A key that you type is held for your page alone, sent only to the service it belongs to,"
        " and written nowhere. A login stays with your session in the same way."
    ),
)
COUNTED = (
    "To share the machine fairly, {what} counted by {whom}; the counts are in memory alone and are"
    " gone when the app restarts."
)


HINT = tag(
    "p",
    "What you type and make here is seen by everybody. ",
    tag("a", TITLE, href="#notice"),
    class_="soft",
)


def hint() -> None:
    """Lay out the line beside the prompt, on a public app alone."""
    if public():
        still(HINT, elem_id="notice-hint")


def build(services: Services) -> None:
    """Lay the notice out, on a public app alone."""
    if public():
        notice = notice_html(services.picture_quota.limits, logs_in())
        still(tag("div", tag("h2", TITLE), notice, class_="colophon"), elem_id="notice")


def notice_html(limits: PictureLimits, login: bool) -> Markup:
    """Return the notice as HTML."""
    sentences = (*KEPT, *_limit_sentences(limits, login))
    return join(*(tag("p", sentence) for sentence in sentences))


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
            what=f"images that are drawn or judged for you (at most {' and '.join(most)}) are",
            whom=whom,
        )
    ]
