"""Makes the row of buttons above the evidence: share an image, export results, cite the methods.

The dialogs are laid out here and drawn at the first click; `share.js` opens them with what the
server says of the run.
"""

from collections.abc import Mapping

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import ServerFunction, scripted_html
from hallascope.components.html.markup import join, tag, undrawn
from hallascope.data.records import COIS

ACTIONS = {"share": "Share", "export": "Export", "cite": "Cite"}
_FUNCTIONS = {"share": "share_card", "export": "export_choices", "cite": "cite_run"}
FORMATS = {  # the title and the ending of the file
    "csv": ("CSV table of verdicts", "csv"),
    "jsonl": ("JSON lines, everything", "jsonl"),
    "latex": ("LaTeX tables (booktabs)", "tex"),
    "fiftyone": ("FiftyOne data set (ZIP)", "zip"),
}
OUTCOMES = {
    "": "All verdicts",
    "missed": "Missed by the judge",
    "false alarm": "False alarms",
    "found": "Found by the judge",
    "incorrect": "Judged incorrect",
    "correct": "Judged correct",
}


def share_panel(functions: list[ServerFunction], evidence: str, elem_id: str) -> gr.HTML:
    """Return the row of buttons. `evidence` is the id of the viewer whose image it shares.

    The script calls the functions `share_card`, `export_choices`, `export_selection` and
    `cite_run` by these names.
    """
    buttons = (
        _button(words, data_share=name, data_function=_FUNCTIONS[name])
        for name, words in ACTIONS.items()
    )
    row = tag(
        "div",
        *buttons,
        class_="share-row",
        role="group",
        aria_label="Share, export and cite",
        data_evidence=evidence,
    )
    message = tag("p", class_="share-wrong", role="alert")
    dialogs = join(_share_dialog(), _export_dialog(), _cite_dialog())
    return scripted_html(
        "share/share",
        join(row, message, tag("div", undrawn(dialogs), class_="share-dialogs")),
        server_functions=functions,
        elem_id=elem_id,
        elem_classes=["share-panel"],
    )


# --- dialogs ---


def _dialog(action: str, title: str, *content: Markup) -> Markup:
    close = tag(
        "form", tag("button", "Close", class_="share-close", type="submit"), method="dialog"
    )
    return tag(
        "dialog",
        tag("div", tag("h2", title), close, class_="share-head"),
        *content,
        tag("p", class_="share-said", role="status"),
        class_="share-dialog",
        aria_label=title,
        data_of=action,
    )


def _share_dialog() -> Markup:
    link = tag("input", name="link", readonly=True, aria_label="Link")
    save = tag("a", "Download card (PNG)", class_="share-button", href="", download="")
    return _dialog(
        "share",
        "Share this image",
        tag("img", class_="share-card", alt="", width=1200, height=630),
        tag("p", link, class_="share-field"),
        tag("p", _copy("Copy link", "link"), save, class_="share-actions"),
    )


def _export_dialog() -> Markup:
    choices = (
        _choice("Format", "format", {name: title for name, (title, _) in FORMATS.items()}),
        _choice("Verdicts", "outcome", OUTCOMES),
        _choice("Question types", "coi", {"": "All question types", **{coi: coi for coi in COIS}}),
    )
    all_images = tag("button", "Check all or none", class_="share-link", data_all=True)
    count = tag("span", class_="share-count")
    return _dialog(
        "export",
        "Export results",
        tag(
            "form",
            tag("div", *choices, class_="share-fields"),
            tag(
                "fieldset",
                tag("legend", count, " ", all_images),
                tag("div", class_="share-images"),
            ),
            tag(
                "p",
                tag(
                    "button",
                    "Download",
                    class_="share-button primary",
                    type="submit",
                    data_download=True,
                ),
                class_="share-actions",
            ),
            data_export=True,
        ),
    )


def _cite_dialog() -> Markup:
    copies = (_copy("Copy paragraph", "paragraph"), _copy("Copy BibTeX", "bibtex"))
    return _dialog(
        "cite",
        "Cite this run",
        _text_field("Methods paragraph", "paragraph"),
        _text_field("BibTeX", "bibtex"),
        tag("p", *copies, class_="share-actions"),
    )


def _button(words: str, **attributes: str | int) -> Markup:
    return tag("button", words, class_="share-button", **attributes)


def _copy(words: str, field: str) -> Markup:
    """Return a button that copies the field with that name."""
    return _button(words, value=field, data_copy=True)


def _field(label: str, field: Markup) -> Markup:
    return tag("label", tag("span", label), field, class_="share-field")


def _choice(label: str, name: str, choices: Mapping[str, str]) -> Markup:
    options = (tag("option", words, value=value) for value, words in choices.items())
    return _field(label, tag("select", *options, name=name, aria_label=label))


def _text_field(label: str, name: str) -> Markup:
    return _field(
        label,
        tag("textarea", name=name, rows=9, readonly=True, spellcheck="false", aria_label=label),
    )
