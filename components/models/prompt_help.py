"""Shows what a person can do with a prompt that the built-in models do not draw.

It also says how a prompt in other words is drawn.
"""

import base64
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import live
from hallascope.components.html.markup import tag

# what the browser calls, by the name `browse`, for all concepts with their images
BrowseFunction = Callable[..., dict[str, Any]]


class SuggestedPrompt(NamedTuple):
    """Holds a prompt that the built-in models draw, with a small WebP image of it."""

    prompt: str
    image: bytes


class PromptHelp(NamedTuple):
    """Holds what is offered for a prompt.

    `is_near`: the suggestions are near the prompt, else they are examples. `concepts` is how many
    concepts the built-in models draw.
    """

    suggestions: Sequence[SuggestedPrompt]
    is_near: bool
    concepts: int
    logs_in: bool


def help_panel(browse: BrowseFunction, target: str, starts: str) -> gr.HTML:
    """Return the panel, which is empty at first.

    A suggestion fills the field with the element id `target` and presses the button `starts`.
    """
    return live(
        "models/prompt_help",
        Markup(),
        server_functions=[browse],
        target=target,
        starts=starts,
        elem_id="prompt-help",
    )


def note_html(note: str, asked: str) -> Markup:
    """Return the sentence that says how the prompt `asked` is drawn; "" where there is none.

    The images below it are then of that prompt, too, though their run has another.
    """
    if not note:
        return Markup()
    return tag("p", note, class_="prompt-note", role="status", data_asked=asked.strip())


def help_html(offered: PromptHelp) -> Markup:
    """Return what the panel shows for a prompt that is not drawn."""
    lead = "Did you mean one of these?" if offered.is_near else "For example:"
    title = tag(
        "p",
        tag("b", f"The built-in models only draw {offered.concepts} concepts."),
        f" {lead}",
    )
    tiles = tag("ul", *map(_suggestion, offered.suggestions), class_="near-prompts")
    actions = [
        _action(f"Browse all {offered.concepts} concepts", "browse"),
        _action("Use your own API key", "keys"),
    ]
    if offered.logs_in:
        actions.append(_action("Log in with Hugging Face", "login"))
    actions.append(_action("Upload an image", "upload"))
    row = tag("div", *actions, class_="help-actions")
    place = tag("div", class_="dialog-place")
    return tag(
        "section", title, tiles, row, place, class_="prompt-help", aria_label="Help with the prompt"
    )


def _suggestion(suggested: SuggestedPrompt) -> Markup:
    source = "data:image/webp;base64," + base64.b64encode(suggested.image).decode()
    image = tag("img", src=source, alt="", width=96, height=96)
    words = tag("span", suggested.prompt)
    return tag("li", tag("button", image, words, type="button", data_prompt=suggested.prompt))


def _action(words: str, action: str) -> Markup:
    return tag("button", words, type="button", data_action=action)
