"""Lists the groups of images in which a model fails more than elsewhere."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import CHOICE_EVENT, NO_PROGRESS, scripted_html
from hallascope.components.html.markup import tag
from hallascope.engine.error_analysis.conditions import (
    Condition,
    format_conditions,
    parse_conditions,
)
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.error_analysis.slices.discovery import (
    Slice,
    SliceReport,
    condition_words,
    find_slices,
    slice_evaluations,
)
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.metrics.statistics.intervals import interval_text
from hallascope.pages.errors import gallery
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.server_functions import NOT_UNDERSTOOD, one_sentence

TITLE = "Slices"
NONE_FOUND = "No group of images fails more than chance explains."
EMPTY = "No groups: this selection has no judged images."


@dataclass(frozen=True)
class SliceHandlers:
    """Answers the events of the part."""

    services: Services

    def show_slices(self, selection: ErrorSelection) -> Markup:
        """Return the slices of a selection as HTML, or one sentence."""
        try:
            judged = read_judged_images(self.services.store, selection)
            return report_html(find_slices(judged), selection.conditions)
        except HallaScopeError as sentence:
            return status.error_message(sentence)

    def show_images(self, event: gr.EventData, selection: ErrorSelection) -> dict[str, Any]:
        """Return what the gallery shows of a slice. Raises gr.Error with one sentence."""
        written = getattr(event, "conditions", None)
        if not isinstance(written, str):
            raise gr.Error(NOT_UNDERSTOOD)
        with one_sentence():
            conditions = parse_conditions(written)
            judged = read_judged_images(self.services.store, selection)
        words = ", ".join(condition_words(condition) for condition in conditions)
        return {
            "title": words[:1].upper() + words[1:],
            "evaluations": list(slice_evaluations(judged, conditions)),
        }


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    handlers = SliceHandlers(services)
    table = scripted_html("errors/slice_table", status.result_message(), elem_id="errors-slices")
    images = gallery.build(services, "errors-slices-gallery")

    def show_slices(_: gr.Request, selection: ErrorSelection) -> tuple[Markup, None]:
        return handlers.show_slices(selection), None

    one_by_one: Any = {"concurrency_limit": 1, "concurrency_id": "errors-slices", **NO_PROGRESS}
    part.fill(show_slices, [table, images], **one_by_one)
    table.select(handlers.show_images, part.bar.chosen, images, **CHOICE_EVENT)


def report_html(report: SliceReport, held: tuple[Condition, ...]) -> Markup:
    """Return slices as HTML; `held` are the conditions that hold already."""
    if not report.images:
        return status.result_message(EMPTY)
    what = "answers" if report.by_questions else "images"
    error = f"{report.error_rate or 0.0:.0%}".replace("%", " %")
    about = (
        f"{error} of {report.counted:,} {what} are wrong ({report.images:,} images,"
        f" {report.prompts:,} prompts); {report.left_out:,} without an answer are left out."
        f" {report.looked_at:,} groups were looked at; p is corrected for all of them."
    )
    listed = tag("p", NONE_FOUND, class_="slice-none")
    if report.slices:
        rows = (slice_html(found, held) for found in report.slices)
        listed = tag("ol", *rows, class_="slice-list")
        about = f"Thin line: 95 % interval. Tick: all other images. {about}"
    return tag("div", listed, tag("p", about, class_="soft slice-about"), class_="slices")


def slice_html(found: Slice, held: tuple[Condition, ...]) -> Markup:
    """Return a slice; its link is to the conditions that hold once it is used as a filter."""
    together = format_conditions(dict.fromkeys((*held, *found.conditions)))
    address = urlencode({"tab": "errors", "slice": together})
    # the error rate as a bar, its interval as a line, that of all other images as a tick
    marks = [tag("span", class_="slice-fill", style=f"width:{found.error_rate:.1%}")]
    words = "not known"
    if found.low is not None and found.high is not None:
        words = interval_text(found.low, found.high)
        style = f"left:{found.low:.1%};width:{max(found.high - found.low, 0.0):.1%}"
        marks.append(tag("span", class_="slice-interval", style=style))
    marks.append(tag("span", class_="slice-rest", style=f"left:{found.rest_error_rate:.1%}"))
    numbers = (
        f"95 % interval {words} · {found.prompts:,} prompts · corrected p {found.corrected_p:.2g}"
    )
    return tag(
        "li",
        tag("div", *marks, class_="slice-bar", aria_hidden="true"),
        tag("p", found.sentence, class_="slice-sentence"),
        tag("p", numbers, class_="slice-numbers"),
        tag(
            "div",
            tag(
                "button",
                "Show images",
                data_slice_images=found.address,
                aria_label=f"Show images: {found.name}",
            ),
            tag(
                "a",
                "Use as filter",
                href=f"?{address}",
                data_slice_filter=together,
                aria_label=f"Use as filter: {found.name}",
            ),
            class_="slice-tools",
        ),
        class_="slice-row",
    )
