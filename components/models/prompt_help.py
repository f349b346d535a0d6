"""Shows what a person can do with a prompt that the built-in models do not draw.

It also says how a prompt in other words is drawn. `prompts.js` answers the buttons.
"""

from collections.abc import Mapping
from itertools import starmap

from markupsafe import Markup

from hallascope.components.html.markup import data_address, tag

LOGIN = "login/huggingface"  # where Gradio serves it
KEYS_PAGE = "https://huggingface.co/settings/tokens"
MAX_PROMPT_SHOWN = 60  # characters


def note_html(note: str, asked: str) -> Markup:
    """Return the sentence that says how the prompt `asked` is drawn; "" where there is none.

    The images below it are then of that prompt, too, though their run has another.
    """
    if not note:
        return Markup()
    return tag("p", note, class_="prompt-note", role="status", data_asked=asked.strip())


def help_html(prompt: str, suggestions: Mapping[str, bytes], can_log_in: bool) -> Markup:
    """Return what to do about a prompt that is not drawn: a sentence, two buttons, and prompts.

    `suggestions`: prompts that the built-in models draw, each with a small WebP image of it.
    `can_log_in`: visitors of the app log in. Elsewhere the first button leads to where a key is
    made.
    """
    shown = prompt
    if len(prompt) > MAX_PROMPT_SHOWN:
        shown = f"{prompt[: MAX_PROMPT_SHOWN - 3]}..."
    how = "log in to Hugging Face" if can_log_in else "get a free Hugging Face key"
    sentence = (
        f"The built-in models cannot draw “{shown}”: {how} or paste a key to use other models, or"
        " choose one of these images."
    )
    if can_log_in:
        way = tag("a", "Log in to Hugging Face", href=LOGIN)
    else:
        way = tag("a", "Get a Hugging Face key", href=KEYS_PAGE, target="_blank", rel="noopener")
    paste = tag("button", "Paste a key", data_opens_keys=True)
    return tag(
        "section",
        tag("p", sentence, role="alert"),
        tag("div", way, paste, class_="help-actions"),
        tag("ul", *starmap(_suggestion, suggestions.items()), class_="near-prompts"),
        class_="prompt-help",
        aria_label="Help with the prompt",
    )


def _suggestion(prompt: str, content: bytes) -> Markup:
    image = tag("img", src=data_address(content, "image/webp"), alt="", width=96, height=96)
    return tag("li", tag("button", image, tag("span", prompt), data_prompt=prompt))
