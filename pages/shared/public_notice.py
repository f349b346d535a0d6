"""Says what a public app keeps, who sees it, and how much a visitor may use."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.gradio_html import static_html
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.engine.access.limits import Limit
from hallascope.engine.deployment.hosting import logs_in, public
from hallascope.engine.services import Services

TITLE = "What this app records"
KEPT = (
    (
        "Your prompts, the images that are generated or uploaded, the answers about them, saved"
        " questions, ratings, corrections of what prompts ask for, and the name you give with them"
        " are kept while this app runs, and whoever opens it can see them: do not type or upload"
        " anything private."
    ),
    (
        "A key that you type is held for your page alone, sent only to the service it belongs to,"
        " and written nowhere. A login stays with your session in the same way."
    ),
    (
        "What you make is yours: your runs, plans, labels, notes and corrections belong to your"
        " login, or to a random number in a cookie of your browser, of which a hash is kept. Only"
        " you change or delete them, and corrections of prompts hold for you alone."
    ),
)
COUNTED = (
    "To share the machine fairly, this app counts by {whom}; the counts are in memory alone and are"
    " gone when the app restarts."
)


HINT = soft_line(
    "What you type and make here is seen by everybody. ", tag("a", TITLE, href="#notice")
)


def hint() -> None:
    """Lay out the line beside the prompt, on a public app alone."""
    if public():
        static_html(HINT, elem_id="notice-hint")


def build(services: Services) -> None:
    """Lay the notice out, on a public app alone."""
    if public():
        quotas = services.quotas
        limits = (
            (*quotas.images.limits, *quotas.stored.limits, *quotas.writes.limits) if quotas else ()
        )
        notice = notice_html(limits, logs_in())
        static_html(tag("div", tag("h2", TITLE), notice, class_="colophon"), elem_id="notice")


def notice_html(limits: Sequence[Limit], login: bool) -> Markup:
    """Return the notice as HTML; `login`: whether visitors log in."""
    sentences = list(KEPT)
    if limits:
        whom = "your login, or a hash of your address where there is none"
        sentences.append(COUNTED.format(whom=whom if login else "a hash of your address"))
        for words, is_shared in (("A visitor has", False), ("All visitors together have", True)):
            amounts = [limit.amount for limit in limits if limit.is_shared == is_shared]
            sentences += [f"{words} {', '.join(amounts)}."] if amounts else []
    return join(*(tag("p", sentence) for sentence in sentences))
