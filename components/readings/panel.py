"""Shows what a prompt asks for, as a person or the rules read it."""

from markupsafe import Markup

from hallascope.components.evidence.exhibits.asked import (
    AskedChip,
    asked_lines,
    source_words,
    style_line,
)
from hallascope.components.html.markup import soft_line, tag
from hallascope.data.lexicon import capitalize
from hallascope.data.prompt_reading import PromptReading
from hallascope.metrics.reading.confidence import doubt

NOTHING_NAMED = "No object was read in this prompt: add what it asks for."


def reading_html(reading: PromptReading) -> Markup:
    """Return a chip for each thing that the prompt asks for, and who read it."""
    lines = asked_lines(reading)
    if reading.unreadable:
        body = tag("p", reading.unreadable, class_="asked-unreadable")
    elif not lines:
        body = soft_line(NOTHING_NAMED)
    else:
        items = (tag("li", *map(_chip, line)) for line in lines)
        body = tag("ul", *items, class_="asked-list")
    doubtful = doubt(reading)
    source = "" if reading.unreadable and not reading.corrected_by else source_words(reading)
    return tag(
        "section",
        body,
        tag("p", doubtful, class_="asked-doubt") if doubtful else "",
        style_line(reading),
        tag("p", f"{capitalize(source)}.", class_="soft asked-source") if source else "",
        class_="asked-box",
        aria_label="What the prompt asks for",
    )


def _chip(chip: AskedChip) -> Markup:
    unsure = " unsure" if chip.is_unsure else ""
    words = tag("span", ", perhaps read wrong", class_="unseen") if chip.is_unsure else ""
    return tag("span", chip.words, words, class_=f"asked-chip asked-{chip.element}{unsure}")
