"""Shows how well metrics agree with people, from tables or from what people said here."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import holder, quiet, still
from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.human_agreement.ratings import AgreementOptions
from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from hallascope.pages.agreement.state import SOURCES, ComparisonProgress
from hallascope.pages.shared.context import PageContext

TITLE = "Agreement"
HELP = Markup("""<div class="lead"><p>A metric is worth as much as it <strong>agrees with
people</strong>. Bring a table of scores (<code>item, metric, value</code>) and one of ratings
(<code>item, rater, value</code> or <code>item, value</code>), or take what people said on the
People tab. The rating of an item is the mean of its ratings; rows that cannot be used are listed
and in no mean. A column <code>group</code> names what items belong together, such as their prompt:
then groups are resampled. A column <code>dimension</code> names what is rated; each dimension has
its own tables.</p></div>""")
OPTIONS = (
    ("scale", "Scale", "scale, e.g. ordinal 1..5"),
    ("missing", "Missing values", "missing, e.g. NA, -1"),
    ("against", "Compare all with this metric", "compare with one metric"),
    ("dimension", "Only this dimension", "only one dimension"),
)


class Page(NamedTuple):
    """Holds the components that events listen to or write to."""

    source: gr.HTML
    scores: gr.File
    ratings: gr.File
    scale: gr.Textbox
    missing: gr.Textbox
    against: gr.Textbox
    dimension: gr.Textbox
    go: gr.Button
    status: gr.HTML
    numbers: gr.HTML
    figure: gr.Plot


def comparison_updates(
    services: Services,
    source: list[str] | None,
    scores: str | None,
    ratings: str | None,
    scale: str | None,
    missing: str | None = "",
    against: str | None = "",
    dimension: str | None = "",
) -> Iterator[tuple[Any, ...]]:
    """Yield the status line, the tables and the figure: progress first, the results last.

    Gradio takes no further step once the page is closed, and so nothing more is computed for it.
    """
    try:
        options = AgreementOptions(
            scale=(scale or "").strip(),
            missing=tuple(text.strip() for text in (missing or "").split(",") if text.strip()),
            against=(against or "").strip(),
            dimension=(dimension or "").strip(),
        )
        of = next(iter(source or ()), "tables")
        for step in state.steps(services, of, scores, ratings, options):
            if isinstance(step, ComparisonProgress):
                yield (
                    status.result_message(f"Comparing: {step.done} of {step.total}"),
                    gr.skip(),
                    gr.skip(),
                )
            else:
                yield status.result_message(step.words), step.tables, step.figure
    except HallaScopeError as sentence:
        yield status.error_message(str(sentence)), "", None


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it."""
    page = _layout()
    inputs: list[Any] = [
        page.source,
        page.scores,
        page.ratings,
        page.scale,
        page.missing,
        page.against,
        page.dimension,
    ]
    page.go.click(
        partial(comparison_updates, services),
        inputs,
        [page.status, page.numbers, page.figure],
        concurrency_limit=2,
        **quiet(),
    )
    return page


def _layout() -> Page:
    still(HELP)
    sources = tuple(Option(name, words, called=words) for name, words in SOURCES.items())
    source = chips(
        chip_row(sources, ["tables"], "Ratings", "radio", group="agreement-source"),
        ["tables"],
        elem_id="agreement-source",
    )
    with gr.Row(elem_classes=["q-pictures", "agreement-files"]):
        scores, ratings = (
            gr.File(
                label=label,
                file_types=[".csv", ".tsv", ".gz", ".xlsx"],
                type="filepath",
                elem_id=f"agreement-{name}",
            )
            for name, label in (
                ("scores", "Scores: item, metric, value"),
                ("ratings", "Ratings: item, rater, value"),
            )
        )
    with gr.Row(elem_classes=["q-actions"]):
        scale, missing, against, dimension = (
            line_field(
                label,
                placeholder,
                f"agreement-{name}",
                scale=0,
                min_width=170,
                elem_classes=["other"],
            )
            for name, label, placeholder in OPTIONS
        )
    with gr.Row(elem_classes=["q-actions"]):
        go = gr.Button("Compare", variant="primary", scale=0, min_width=132, elem_id="agreement-go")
        line = still(status.idle_message(state.WELCOME), elem_id="agreement-status")
    numbers = still(Markup(), elem_id="agreement-numbers")
    figure = gr.Plot(show_label=False, container=False, elem_id="agreement-figure")
    holder(
        "leaderboard/scatter_hover",
        Markup('<div class="hovered" hidden><img alt="" width="224" height="224"><p></p></div>'),
        None,
        elem_id="agreement-hovered",
    )
    return Page(
        source=source,
        scores=scores,
        ratings=ratings,
        scale=scale,
        missing=missing,
        against=against,
        dimension=dimension,
        go=go,
        status=line,
        numbers=numbers,
        figure=figure,
    )
