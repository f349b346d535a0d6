"""What one chooses from: models as chips that say why one cannot run, prompts to try.

It does not know how they run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import gradio as gr

from hallascope.components.html.gradio_html import holder, live
from hallascope.components.html.markup import text

InputKind = Literal["checkbox", "radio"]


@dataclass(frozen=True)
class Option:
    """Something to choose.

    `reason` says in one sentence why it cannot be chosen now, None where it can.

    `called` stands on it in place of its id.
    """

    id: str
    title: str
    note: str = ""
    reason: str | None = None
    called: str = ""


def chips(body: str, chosen: Sequence[str], elem_id: str | None = None) -> gr.HTML:
    """A picker whose value is the list of chosen ids; `body` comes from `chip_row`."""
    return holder("models/pickers", body, list(chosen), elem_id=elem_id)


def chip_row(
    options: Sequence[Option],
    chosen: Sequence[str],
    label: str,
    sort: InputKind = "checkbox",
    hint: str = "",
    *,
    group: str = "",
) -> str:
    """Return the chips as real check boxes or radio buttons, which screen readers know.

    `group` tells this picker from all others on the page, which shares radio buttons of one name
    among its tabs ("": the label does). What cannot be chosen is grey and says why; it is folded
    away behind a line that counts it, with the hint beneath it.
    """
    able = "".join(
        _chip(option, option.id in chosen, group or label, sort)
        for option in options
        if option.reason is None
    )
    unable = [option for option in options if option.reason is not None]
    role = "radiogroup" if sort == "radio" else "group"
    folded = _folded(unable, group or label, sort, hint, some=bool(able))
    return (
        f'<div class="chips" role="{role}" aria-label="{text(label)}">'
        f'<span class="legend" aria-hidden="true">{text(label)}</span>'
        f'<div class="chip-row">{able}{folded}</div></div>'
    )


def _folded(unable: Sequence[Option], group: str, sort: InputKind, hint: str, some: bool) -> str:
    """What cannot be chosen; `some`: whether anything else can."""
    if not unable and not hint:
        return ""
    grey = "".join(_chip(option, False, group, sort) for option in unable)
    said = f'<p class="soft">{text(hint)}</p>' if hint else ""
    none = f"none of {len(unable)} can run here yet: what they take"
    if not unable:
        summary = "others"
    elif some:
        summary = f"{len(unable)} more cannot run here yet"
    else:
        summary = none
    return (
        f'<details class="unable"><summary>{summary}</summary><div'
        f' class="chip-row">{grey}</div>{said}</details>'
    )


def _chip(option: Option, on: bool, group: str, sort: InputKind) -> str:
    """One thing to choose.

    What is known of a judge stands beside its name: one chooses it by that.
    """
    off = option.reason is not None
    if option.reason is not None:
        beside = short(option.reason)
    elif sort == "radio":
        beside = option.note
    else:
        beside = ""
    if off:
        state = " disabled"
    elif on:
        state = " checked"
    else:
        state = ""
    after = f'<span class="beside">{text(beside)}</span>' if beside else ""
    return (
        f'<label class="chip{" off" if off else ""}"'
        f' title="{text(option.reason or option.note or option.title)}"><input type="{sort}"'
        f' name="{text(group)}" value="{text(option.id)}"{state}><span'
        f' class="called">{text(option.called or option.id)}</span>{after}</label>'
    )


def short(reason: str) -> str:
    """The middle of a sentence of the form "X cannot run here: WHY.

    WHAT TO DO": the whole of it is in the chip's title.
    """
    return reason.partition("cannot run here: ")[2].partition(";")[0] or reason


def prompts_to_try(examples: Sequence[str], known: Sequence[str], target: str) -> gr.HTML:
    """Return examples as buttons that fill the field with the element id `target`.

    The field's list of completions comes with them.
    """
    return live(
        "models/prompts", example_row(examples, known, target), elem_classes=["prompts-to-try"]
    )


def example_row(examples: Sequence[str], known: Sequence[str], target: str) -> str:
    buttons = "".join(
        f'<button type="button" class="example" data-prompt="{text(p)}">{text(p)}</button>'
        for p in examples
    )
    options = "".join(
        f'<li role="option" id="{text(target)}-option-{i}" data-prompt="{text(p)}">{text(p)}</li>'
        for i, p in enumerate(known)
    )
    return (
        f'<div data-target="{text(target)}"><ul class="completions" role="listbox"'
        f' id="{text(target)}-list" aria-label="Prompts to draw" hidden>{options}</ul><div'
        f' class="examples"><span class="soft">Try</span>{buttons}</div></div>'
    )
