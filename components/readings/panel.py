"""Makes the panel that shows what a prompt asks for, and where a person corrects it.

Its value is the prompt. `panel.js` asks the server what is read, and shows it.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.evidence.annotated_text import annotated_html
from hallascope.components.evidence.exhibit import AnnotatedSpan, AnnotatedText
from hallascope.components.evidence.exhibits.asked import (
    TITLE,
    AskedChip,
    asked_lines,
    source_words,
    style_line,
)
from hallascope.components.html.gradio_html import holder
from hallascope.components.html.markup import join, key_attributes, tag, to_json
from hallascope.data.prompt_reading import PromptReading
from hallascope.metrics.reading.confidence import doubt
from hallascope.metrics.reading.words.language import capitalize_first
from hallascope.metrics.reading.words.relations import RELATIONS

ServerFunction = Callable[..., dict[str, Any]]  # of what was sent, and who asks
NOTHING_NAMED = "No object was read in this prompt: add what it asks for."
CONFIRM = "Confirm this reading"
_ADDITIONS = {"object": "Add object", "relation": "Add relation", "text": "Add text"}
_BODY = Markup('<div class="asked-place"></div>')


def reading_panel(
    read: ServerFunction, save: ServerFunction, remove: ServerFunction, elem_id: str
) -> gr.HTML:
    """Return the panel; its value is the prompt that is shown.

    `read` takes {prompt}, `save` {author, reading, edit}, `remove` {author, prompt}. Each gives
    {html, reading}, or {wrong: a sentence}.
    """
    return holder(
        "readings/panel",
        _BODY,
        "",
        relations=list(RELATIONS),
        server_functions=[read, save, remove],
        elem_id=elem_id,
        elem_classes=["asked-panel"],
    )


def reading_html(reading: PromptReading, beneath: str = "") -> Markup:
    """Return what the prompt asks for: its words, a chip for each thing, and who read it.

    `beneath` is the author of the correction that is used where this one is removed; "": the rules
    read the prompt then.
    """
    lines = asked_lines(reading)
    head = tag("div", tag("h2", TITLE), *_source(reading, beneath), class_="asked-head")
    if reading.unreadable:
        body = tag("p", reading.unreadable, class_="asked-unreadable")
    elif not lines:
        body = tag("p", NOTHING_NAMED, class_="soft")
    else:
        body = join(_words(reading, lines), _chips(lines))
    additions = (
        tag("button", words, type="button", class_="asked-link", data_add=kind)
        for kind, words in _ADDITIONS.items()
    )
    doubtful = doubt(reading)
    return tag(
        "section",
        head,
        body,
        _doubt(doubtful) if doubtful else "",
        style_line(reading),
        tag("p", *additions, class_="asked-additions"),
        class_="asked-box",
        aria_label=TITLE,
    )


def _doubt(sentence: str) -> Markup:
    """Return that a reading has no score, and the button that confirms it."""
    button = tag("button", CONFIRM, type="button", class_="asked-link", data_do="confirm")
    return tag("p", sentence, " ", button, class_="asked-doubt")


def _source(reading: PromptReading, beneath: str) -> list[Markup]:
    """Return who read the prompt, and the way back where a person did."""
    if reading.source != "person":
        if reading.unreadable:
            return []
        return [tag("span", source_words(reading), class_="soft")]
    way_back = f"Use the correction of {beneath}" if beneath else "Use what the rules read"
    return [
        tag("span", capitalize_first(source_words(reading)), class_="asked-author"),
        tag("button", way_back, type="button", class_="asked-link", data_do="remove"),
    ]


def _words(reading: PromptReading, lines: list[list[AskedChip]]) -> Markup:
    """Return the prompt with the words of each chip; of a translation, the English words."""
    chips = [chip for line in lines for chip in line]
    spans = tuple(
        AnnotatedSpan(span, (_key(at),)) for at, chip in enumerate(chips) for span in chip.spans
    )
    title = "In English" if reading.translation else "Prompt"
    text = reading.translation or reading.prompt
    return annotated_html(AnnotatedText(title, text, spans))


def _chips(lines: list[list[AskedChip]]) -> Markup:
    numbers = count()
    items = (tag("li", *(_chip(next(numbers), chip) for chip in line)) for line in lines)
    return tag("ul", *items, class_="asked-list")


def _chip(at: int, chip: AskedChip) -> Markup:
    item = {"element": chip.element, "item": chip.item, "words": chip.words}
    return tag(
        "button",
        chip.words,
        type="button",
        class_=f"asked-chip word plain asked-{chip.element}{' unsure' * chip.is_unsure}",
        tabindex="-1" if at else "0",
        **key_attributes((_key(at),)),
        data_chip=to_json(item),
        aria_label=f"{chip.words}{', perhaps read wrong' * chip.is_unsure}: correct this",
        aria_expanded="false",
    )


def _key(at: int) -> str:
    return f"asked={at + 1}"
