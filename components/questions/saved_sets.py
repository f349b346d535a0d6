"""Lists saved sets: each can be opened, written to a file or removed."""

from collections.abc import Iterator, Sequence

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import ServerFunction, scripted_html
from hallascope.components.html.markup import soft_line, tag
from hallascope.data.nouns import count_noun
from hallascope.data.records import QuestionSet

_FORMS = ("xlsx", "jsonl")
_MANY = 8  # sets up to which no filter is worth its place


def saved_list(functions: list[ServerFunction], elem_id: str) -> gr.HTML:
    """Return the list as a component.

    In the browser `export_sets` takes {prompt (null: all), form} and gives {name, base64}, or
    {wrong: a sentence}. What a person chooses fires `select` with `action` (open, remove) and
    `prompt`.
    """
    return scripted_html(
        "questions/saved_sets", set_list(()), server_functions=functions, elem_id=elem_id
    )


def set_list(sets: Sequence[QuestionSet]) -> Markup:
    """Return all sets, by prompt, with what is known of how they came to be."""
    if not sets:
        sentence = soft_line("No questions are saved yet.")
        return tag("div", sentence, class_="saved")
    search = Markup()
    if len(sets) > _MANY:
        words = "Filter by prompt"
        search = tag("input", type="search", class_="filter", placeholder=words, aria_label=words)
    head = tag(
        "div",
        tag("span", count_noun(len(sets), "set"), class_="soft"),
        search,
        tag("span", *_file_buttons("", "all sets", "All as "), class_="all"),
        class_="saved-head",
    )
    return tag(
        "div",
        head,
        tag("ul", *map(_line, sets), class_="sets"),
        tag("p", class_="export-wrong", role="alert"),
        class_="saved",
    )


def _line(saved: QuestionSet) -> Markup:
    about = tag(
        "div",
        tag("span", saved.prompt, class_="called"),
        tag("span", provenance_summary(saved), class_="about"),
        class_="about-set",
    )
    actions = tag(
        "span",
        _action_button("open", "Open", saved.prompt),
        *_file_buttons(saved.prompt, saved.prompt),
        _action_button("remove", "Remove", saved.prompt),
        class_="actions",
    )
    return tag("li", about, actions, class_="set", data_prompt=saved.prompt)


def _action_button(action: str, words: str, prompt: str) -> Markup:
    return tag("button", words, data_action=action, aria_label=f"{words} {prompt}")


def _file_buttons(prompt: str, spoken: str, before: str = "") -> Iterator[Markup]:
    for form in _FORMS:
        yield tag(
            "button",
            f"{before}{form}",
            data_form=form,
            data_of=prompt,
            aria_label=f"Download {spoken} as {form}",
        )


def provenance_summary(saved: QuestionSet) -> str:
    """Say how many questions there are, where they come from, who made them, and when."""
    parts = [count_noun(len(saved.questions), "question"), saved.source]
    if saved.provenance:
        judge = saved.provenance.judge
        writer = saved.provenance.writer
        parts += [
            f"judge {judge}" if judge else "",
            f"writer {writer}" if writer else "",
            saved.provenance.made,
        ]
    return " · ".join(filter(None, parts))
