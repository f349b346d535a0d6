"""Shows in sentences what people's labels make of the scores of a leaderboard."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import tag
from hallascope.metrics.statistics.corrected_scores import RANDOM_SAMPLE

LISTED_OPENLY = 8  # sentences; more are folded


def correction_notes(sentences: Sequence[str], sampling: str = RANDOM_SAMPLE) -> Markup:
    """Return what the judge says beside people, a sentence for each score; "" without any.

    `sampling`: the condition under which the corrections hold, in a sentence.
    """
    if not sentences:
        return Markup()
    listed = tag("ul", *(tag("li", sentence) for sentence in sentences))
    if len(sentences) > LISTED_OPENLY:
        summary = tag("summary", f"The judge vs. people: {len(sentences)} scores")
        listed = tag("details", summary, listed)
    return tag("div", listed, tag("small", sampling), class_="corrections")


def label_hint(needed: int) -> Markup:
    """Return the line that says how to have scores corrected, with the number of prompts."""
    link = tag("a", "Labels", href="?tab=trust&part=labels")
    words = f"To correct these scores by labels, label {needed} or more prompts of a model on the "
    return tag("div", tag("span", words, link, " tab."), class_="corrections")
