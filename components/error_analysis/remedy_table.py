"""Shows what remedies repair and break, by each judge, beside fresh images of equal cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from hallascope.components.html.markup import column_heads, join, scroll_region, tag

COLUMNS = (
    "remedy",
    "by",
    "failures",
    "repaired",
    "control",
    "gain (95 %)",
    "broken",
    "control",
    "unanswered",
)


class ChangeNumbers(NamedTuple):
    """Holds how many facts count, the share that changes, the same of the control, and the gain.

    Shares are in [0, 1]. None stands where no fact counts; `low` and `high` are the ends of the
    gain's interval.
    """

    facts: int
    share: float | None
    control: float | None
    gain: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class RemedyView:
    """Holds what one judge, or the truth, says of a remedy."""

    judge: str
    repaired: ChangeNumbers
    broken: ChangeNumbers
    unanswered: int


@dataclass(frozen=True, kw_only=True)
class RemedyRow:
    """Holds a remedy as it is shown: its title, what was found in a sentence, and the numbers."""

    title: str
    verdict: str
    sentence: str
    views: tuple[RemedyView, ...]


def remedy_table(remedies: Sequence[RemedyRow]) -> Markup:
    """Return the sentences of all remedies, and their numbers as a table."""
    if not remedies:
        return Markup()
    sentences = [tag("li", remedy.sentence) for remedy in remedies]
    rows = [_row(remedy, view) for remedy in remedies for view in remedy.views]
    head = tag("thead", tag("tr", column_heads(COLUMNS)))
    table = tag("table", head, tag("tbody", *rows))
    shown = tag("div", scroll_region(table, "Remedies by judge"), class_="compare") if rows else ""
    return join(tag("ul", *sentences, class_="findings"), shown)


def _row(remedy: RemedyRow, view: RemedyView) -> Markup:
    return tag(
        "tr",
        tag("th", remedy.title, scope="row"),
        tag("td", view.judge),
        tag("td", str(view.repaired.facts)),
        tag("td", _share(view.repaired.share)),
        tag("td", _share(view.repaired.control)),
        tag("td", _gain(view.repaired)),
        tag("td", _share(view.broken.share)),
        tag("td", _share(view.broken.control)),
        tag("td", str(view.unanswered)),
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _gain(change: ChangeNumbers) -> str:
    if change.gain is None:
        return "–"
    if change.low is None or change.high is None:
        return f"{change.gain:+.2f}"
    return f"{change.gain:+.2f} ({change.low:+.2f} to {change.high:+.2f})"
