"""Shows prompts to try as buttons, and completes the field that they fill."""

from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import scripted_html
from hallascope.components.html.markup import tag


def prompts_to_try(
    examples: Sequence[str], known_prompts: Callable[[Any], list[str]], target: str, starts: str
) -> gr.HTML:
    """Return examples as buttons that fill the field with the element id `target`.

    They, and all buttons of the page with a ``data-prompt``, press the button with the element id
    `starts` then. `known_prompts` gives the completions of the field when the pointer or the
    keyboard first comes to the field or to an example.
    """
    return scripted_html(
        "models/prompts",
        example_row(examples),
        {"target": target, "starts": starts},
        elem_id="prompts-to-try",
        elem_classes=["prompts-to-try"],
        server_functions=[known_prompts],
    )


def example_row(examples: Sequence[str]) -> Markup:
    """Return the examples as HTML."""
    buttons = (tag("button", prompt, class_="example", data_prompt=prompt) for prompt in examples)
    return tag("div", tag("span", "Examples", class_="soft"), *buttons, class_="examples")
