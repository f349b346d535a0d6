"""Makes pickers: models as chips that say why one cannot run, and prompts to try."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import holder, live
from hallascope.components.html.markup import join, tag

InputKind = Literal["checkbox", "radio"]


@dataclass(frozen=True)
class Option:
    """Is something to choose.

    `reason` says in one sentence why it cannot be chosen now, None where it can. `called` stands on
    it in place of its id.
    """

    id: str
    title: str
    note: str = ""
    reason: str | None = None
    called: str = ""


def chips(body: Markup, chosen: Sequence[str], elem_id: str | None = None) -> gr.HTML:
    """Return a picker whose value is the list of chosen ids; `body` comes from `chip_row`."""
    return holder("models/pickers", body, list(chosen), elem_id=elem_id)


def chip_row(
    options: Sequence[Option],
    chosen: Sequence[str],
    label: str,
    sort: InputKind = "checkbox",
    hint: str = "",
    *,
    group: str = "",
) -> Markup:
    """Return the chips as real check boxes or radio buttons, which screen readers know.

    `group` tells this picker from all others on the page, which shares radio buttons of one name
    among its tabs ("": the label does). What cannot be chosen is grey and says why; it is folded
    away behind a line that counts it, with the hint beneath it.
    """
    group = group or label
    able = [
        _chip(option, option.id in chosen, group, sort)
        for option in options
        if option.reason is None
    ]
    unable = [_chip(option, False, group, sort) for option in options if option.reason is not None]
    folded = Markup()
    if unable or hint:
        folded = tag(
            "details",
            tag("summary", _unable_summary(len(unable), bool(able))),
            tag("div", *unable, class_="chip-row"),
            tag("p", hint, class_="soft") if hint else "",
            class_="unable",
        )
    return tag(
        "div",
        tag("span", label, class_="legend", aria_hidden="true"),
        tag("div", *able, folded, class_="chip-row"),
        class_="chips",
        role="radiogroup" if sort == "radio" else "group",
        aria_label=label,
    )


def _unable_summary(number: int, some_able: bool) -> str:
    if not number:
        return "others"
    if some_able:
        return f"{number} more need a key, a download or a GPU"
    return f"none of {number} can run here yet: what they take"


def _chip(option: Option, checked: bool, group: str, sort: InputKind) -> Markup:
    """Return one thing to choose.

    What is known of a judge stands beside its name: one chooses it by that.
    """
    unable = option.reason is not None
    beside = option.note if sort == "radio" else ""
    if option.reason is not None:
        beside = short(option.reason)
    return tag(
        "label",
        tag(
            "input",
            type=sort,
            name=group,
            value=option.id,
            disabled=unable,
            checked=checked and not unable,
        ),
        tag("span", option.called or option.id, class_="called"),
        tag("span", beside, class_="beside") if beside else "",
        class_="chip off" if unable else "chip",
        title=option.reason or option.note or option.title,
    )


def short(reason: str) -> str:
    """Return the middle of a sentence "X cannot run here: WHY; WHAT TO DO".

    The whole of it is in the chip's title.
    """
    return reason.partition("cannot run here: ")[2].partition(";")[0] or reason


def prompts_to_try(
    examples: Sequence[str], known: Sequence[str], target: str, starts: str = ""
) -> gr.HTML:
    """Return examples as buttons that fill the field with the element id `target`.

    The field's list of completions comes with them. `starts` is the element id of the button that
    an example presses, "" where it only fills the field.
    """
    return live(
        "models/prompts",
        example_row(examples, known, target, starts),
        elem_classes=["prompts-to-try"],
    )


def example_row(
    examples: Sequence[str], known: Sequence[str], target: str, starts: str = ""
) -> Markup:
    """Return the HTML of `prompts_to_try`."""
    buttons = (
        tag("button", prompt, type="button", class_="example", data_prompt=prompt)
        for prompt in examples
    )
    options = (
        tag("li", prompt, role="option", id=f"{target}-option-{i}", data_prompt=prompt)
        for i, prompt in enumerate(known)
    )
    completions = tag(
        "ul",
        *options,
        class_="completions",
        role="listbox",
        id=f"{target}-list",
        aria_label="Prompts to draw",
        hidden=True,
    )
    row = tag("div", tag("span", "Examples", class_="soft"), *buttons, class_="examples")
    return tag("div", join(completions, row), data_target=target, data_starts=starts or None)
