"""Shows how well metrics agree with people, from tables or from what people said here."""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, input_html, static_html
from hallascope.components.html.markup import tag
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.human_agreement.comparison import (
    EXAMPLES,
    TABLE_KINDS,
    AgreementOptions,
    TableKind,
)
from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from hallascope.pages.agreement.agreement_view import AgreementView
from hallascope.pages.agreement.state import KINDS, SOURCES, ComparisonInput, ComparisonProgress
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.download_folder import own_folder

TITLE = "Agreement"
HELP = Markup("""<div class="lead"><p>How well do metrics <strong>agree with people</strong>? Add a
table of what people say and one of scores, or use the answers of the Labels tab.</p>
<details><summary>Columns of the tables</summary>
<p>Scores: <code>item, metric, value</code>. What people say is one of three kinds:</p>
<ul><li><strong>ratings</strong>: <code>item, rater, value</code> or <code>item, value</code></li>
<li><strong>preferences</strong> between two items: <code>item_a, item_b, rater, choice</code>; a
choice is a, b, tie or unreadable</li>
<li><strong>answers</strong> to questions: <code>item, question, rater, metric, answer,
depends_on</code>; each row names a rater or a metric, and no scores are needed</li></ul>
<p>Optional columns: <code>group</code> (items that belong together, such as one prompt; intervals
are then by group) and <code>dimension</code> (what is rated; each has its own tables). Unusable
rows are listed and left out.</p></details></div>""")
OPTIONS = (
    ("scale", "Scale", "e.g. ordinal 1..5"),
    ("missing", "Missing values", "e.g. NA, -1"),
    ("against", "Compare all with this metric", "all with each other"),
    ("dimension", "Only this dimension", "each dimension"),
)
FILE_TYPES = [".csv", ".tsv", ".gz", ".xlsx", ".json", ".jsonl"]
EXAMPLE_BUTTONS: Mapping[TableKind, str] = {
    "ratings": "Try ratings",
    "preferences": "Try preferences",
    "answers": "Try answers",
}


def comparison_updates(
    services: Services,
    folder: "tempfile.TemporaryDirectory[str]",
    source: str,
    kind: str,
    scores: str | None,
    people: str | None,
    scale: str | None = "",
    missing: str | None = "",
    against: str | None = "",
    dimension: str | None = "",
) -> Iterator[tuple[Any, ...]]:
    """Yield the status line, the tables, the figure and the download of the whole result.

    Progress comes first, the results last; what cannot be compared is one sentence, and what was
    shown before stays. Gradio takes no further step once the page is closed, and so nothing more is
    computed for it. `folder` is where the result is written.
    """
    options = AgreementOptions(
        scale=(scale or "").strip(),
        missing=tuple(text.strip() for text in (missing or "").split(",") if text.strip()),
        against=(against or "").strip(),
        dimension=(dimension or "").strip(),
    )
    given = ComparisonInput(source, scores, people, kind)
    try:
        for step in state.steps(services, given, options):
            if isinstance(step, ComparisonProgress):
                line = status.result_message(f"Comparing: {step.done} of {step.total}")
                yield line, gr.skip(), gr.skip(), gr.skip()
            else:
                line = status.result_message(step.words)
                yield line, step.tables, step.figure, _download(Path(folder.name), step)
    except HallaScopeError as sentence:
        yield status.error_message(sentence), gr.skip(), gr.skip(), gr.skip()


def example_updates(
    services: Services, folder: "tempfile.TemporaryDirectory[str]", kind: TableKind
) -> Iterator[tuple[Any, ...]]:
    """Yield source, kind and files of an example, and what `comparison_updates` yields of it."""
    place = own_folder(Path(folder.name), f"example of {kind}")
    example = EXAMPLES[kind]
    scores, people = (
        str(shutil.copy(path, place / path.name)) if path else None
        for path in (example.scores, example.people)
    )
    filled: tuple[Any, ...] = ("tables", "auto", scores, people)
    for updates in comparison_updates(services, folder, "tables", "auto", scores, people):
        yield (*filled, *updates)
        filled = (gr.skip(),) * len(filled)


def recognized_line(kind: str, people: str | None) -> Any:
    """Return what a table is taken for as soon as it is there, or why it cannot be read."""
    if not people:
        return gr.skip()
    path = Path(people)
    try:
        recognized = state.choose_kind(path, kind)
    except HallaScopeError as sentence:
        return status.error_message(sentence)
    if kind != "auto":
        words = f"{path.name} is read as {TABLE_KINDS[recognized.kind]}."
    elif recognized.columns:
        *columns, last = recognized.columns
        words = (
            f"{path.name} is recognized as {TABLE_KINDS[recognized.kind]}, by the columns"
            f" {', '.join(columns)} and {last}. If it is something else, choose its kind."
        )
    else:
        words = (
            f"{path.name} is taken for ratings, as it has the columns neither of preferences"
            " (item_a, item_b) nor of answers (item, question, answer). If it is something else,"
            " choose its kind."
        )
    return status.result_message(words)


def _download(folder: Path, view: AgreementView) -> gr.DownloadButton:
    """Write the whole result and offer it."""
    text = json.dumps(view.document, indent=2, ensure_ascii=False) + "\n"
    file = own_folder(folder, text) / "agreement.json"
    file.write_text(text, encoding="utf-8")
    return gr.DownloadButton(value=str(file), visible=True)


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(HELP)
    source = _radio(SOURCES, "From", "agreement-source")
    with gr.Row(elem_classes=["q-pictures", "agreement-files"]):
        scores, people = (
            gr.File(
                label=label, file_types=FILE_TYPES, type="filepath", elem_id=f"agreement-{name}"
            )
            for name, label in (
                ("scores", "Scores of metrics"),
                ("ratings", "What people say: ratings, preferences or answers"),
            )
        )
    with gr.Row(elem_classes=["q-actions", "agreement-examples"]):
        static_html(tag("span", "Examples", class_="legend"))
        examples = {
            kind_name: gr.Button(words, size="sm", scale=0, elem_id=f"agreement-try-{kind_name}")
            for kind_name, words in EXAMPLE_BUTTONS.items()
        }
    with gr.Accordion("Settings", open=False, elem_id="agreement-settings"):
        kind = _radio(KINDS, "People’s table", "agreement-kind")
        with gr.Row():
            options = [
                gr.Textbox(
                    label=label,
                    placeholder=placeholder,
                    max_lines=1,
                    elem_id=f"agreement-{name}",
                )
                for name, label, placeholder in OPTIONS
            ]
    with gr.Row(elem_classes=["q-actions"]):
        go = gr.Button("Compare", variant="primary", scale=0, min_width=132, elem_id="agreement-go")
        line = static_html(status.result_message(state.WELCOME), elem_id="agreement-status")
        download = gr.DownloadButton(
            "Download the whole result",
            visible=False,
            size="sm",
            scale=0,
            min_width=200,
            elem_id="agreement-download",
        )
    numbers = static_html(Markup(), elem_id="agreement-numbers")
    figure = gr.Plot(show_label=False, container=False, elem_id="agreement-figure")
    input_html(
        "labels/scatter_hover",
        Markup('<div class="hovered" hidden><img alt="" width="224" height="224"><p></p></div>'),
        None,
        elem_id="agreement-hovered",
    )
    # deleted with the events that hold it
    folder = tempfile.TemporaryDirectory(prefix="hallascope-agreement-")
    filled = [source, kind, scores, people]
    results = [line, numbers, figure, download]
    how: Any = {"concurrency_limit": 2, **NO_PROGRESS}
    go.click(partial(comparison_updates, services, folder), [*filled, *options], results, **how)
    for table_kind, button in examples.items():
        fill = partial(example_updates, services, folder, table_kind)
        button.click(fill, None, [*filled, *results], **how)
    for event in (people.upload, kind.change):
        event(recognized_line, [kind, people], line, **NO_PROGRESS)


def _radio(titles: Mapping[Any, str], label: str, name: str) -> gr.Radio:
    """Lay out a choice of one, at first the first one."""
    choices = [(title, value) for value, title in titles.items()]
    return gr.Radio(choices, value=choices[0][1], label=label, elem_id=name)
