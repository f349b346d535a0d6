"""The list of saved sets: each can be opened, written to a file or removed.

It does not know where they are kept.
"""

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

from hallascope.components.html.gradio_html import live
from hallascope.components.html.markup import text
from hallascope.data.records import QuestionSet

_FORMS = ("xlsx", "jsonl")
_MANY = 8  # sets up to which no filter is worth its place
_FILTER = (
    '<input type="search" class="filter" placeholder="Filter by prompt" aria-label="Filter by'
    ' prompt">'
)


def saved_list(export: Callable[[dict[str, Any]], dict[str, str]], elem_id: str) -> gr.HTML:
    """The list as a component.

    `export` is asked for {prompt (None: all), form} and gives {name, base64}, or {wrong: a
    sentence}.

    What a person chooses fires `select` with `action` (open, remove) and `prompt`.
    """
    return live("questions/saved_sets", set_list(()), server_functions=[export], elem_id=elem_id)


def set_list(sets: Sequence[QuestionSet]) -> str:
    """All sets, by prompt, with what is known of how they came to be."""
    if not sets:
        return '<div class="saved"><p class="soft">No questions are saved yet.</p></div>'
    number = "1 set" if len(sets) == 1 else f"{len(sets):,} sets"
    search = _FILTER if len(sets) > _MANY else ""
    return (
        '<div class="saved"><div class="saved-head"><span'
        f' class="soft">{number}</span>{search}<span'
        f' class="all">{_files("", "all sets", "All as ")}</span></div><ul'
        f' class="sets">{"".join(map(_line, sets))}</ul><p class="export-wrong"'
        ' role="alert"></p></div>'
    )


def _line(found: QuestionSet) -> str:
    prompt = text(found.prompt)
    return (
        f'<li class="set" data-prompt="{prompt}"><div class="about-set"><span'
        f' class="called">{prompt}</span><span'
        f' class="about">{text(provenance_summary(found))}</span></div><span'
        ' class="actions"><button type="button" data-action="open" aria-label="Open'
        f' {prompt}">Open</button>{_files(found.prompt, found.prompt)}<button type="button"'
        f' data-action="remove" aria-label="Remove {prompt}">Remove</button></span></li>'
    )


def provenance_summary(found: QuestionSet) -> str:
    """How many questions, where they come from, who made them, when."""
    number = len(found.questions)
    said = found.provenance
    if said:
        models = [
            f"judge {said.judge}" if said.judge else "",
            f"writer {said.writer}" if said.writer else "",
            said.made,
        ]
    else:
        models = []
    return " · ".join(
        filter(None, (f"{number} question{'' if number == 1 else 's'}", found.source, *models))
    )


def _files(prompt: str, spoken: str, before: str = "") -> str:
    return "".join(
        f'<button type="button" data-form="{form}" data-of="{text(prompt)}" aria-label="Download'
        f' {text(spoken)} as {form}">{before}{form}</button>'
        for form in _FORMS
    )
