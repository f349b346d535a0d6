"""Shows the scores that metrics give one image: chips for its card and a table for its panel."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import join, table_row, tag
from hallascope.components.tiles.scores import MetricScore, direction_text


def chips(scores: Sequence[MetricScore]) -> Markup:
    """Return one chip a metric: title, value, how much was left out.

    The whole is in its title and in words for those who hear the page.
    """
    if not scores:
        return Markup()
    return tag("ul", *map(_chip, scores), class_="score-chips", aria_label="Scores")


def _chip(score: MetricScore) -> Markup:
    title = tag("span", score.title, class_="called")
    value = tag("span", score.short, class_="number")
    left_out = Markup()
    if score.left_out:
        left_out = tag("span", f"{score.left_out} left out", class_="rest")
    return tag(
        "li",
        tag("span", title, " ", value, left_out, aria_hidden="true"),
        tag("span", score.summary_text, class_="unseen"),
        class_="score-chip" if score.value is not None else "score-chip none",
        title=score.summary_text,
    )


def table(scores: Sequence[MetricScore]) -> Markup:
    """Return one line a metric: title, value, which end is better, what it rests on.

    A metric without a value says why. It is empty where there is none.
    """
    if not scores:
        return Markup()
    lines = (
        table_row(join(score.title, tag("span", _basis_text(score), class_="about")), score.short)
        for score in scores
    )
    return join(tag("h2", "Other metrics"), tag("table", tag("tbody", *lines), class_="all-scores"))


def _basis_text(score: MetricScore) -> str:
    if score.value is None:
        return score.basis_text
    return f"{direction_text(score.spec)} · {score.basis_text}"
