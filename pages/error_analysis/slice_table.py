"""Lists the groups of images in which a model fails more than elsewhere."""

from dataclasses import dataclass, field
from typing import Any

import gradio as gr
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, ValidationError

from hallascope.components.cards import status
from hallascope.components.error_analysis.slice_table import SliceRow, slice_table
from hallascope.components.html.gradio_html import chosen, live, quiet
from hallascope.engine.error_analysis.conditions import (
    Condition,
    format_conditions,
    parse_conditions,
)
from hallascope.engine.error_analysis.judged_cache import JudgedImagesCache
from hallascope.engine.error_analysis.selection import ErrorSelection
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
from hallascope.pages.error_analysis import gallery
from hallascope.pages.error_analysis.gallery import NOT_UNDERSTOOD
from hallascope.pages.error_analysis.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext

EMPTY = "No judged image is in this selection: generate images on the Evaluate tab first."


class SliceImages(BaseModel):
    """Asks for the images of a slice, by its conditions in written form."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    conditions: str


@dataclass(frozen=True)
class SliceHandlers:
    """Answers the events of the part."""

    services: Services
    cache: JudgedImagesCache = field(default_factory=JudgedImagesCache)

    def show_slices(self, selection: ErrorSelection) -> Markup:
        """Return the slices of a selection as HTML, or one sentence."""
        try:
            judged = self.cache.read(self.services.store, selection)
            return report_html(find_slices(judged), selection.conditions)
        except HallaScopeError as sentence:
            return status.error_message(str(sentence))

    def show_images(self, event: gr.EventData, selection: ErrorSelection) -> dict[str, Any]:
        """Return what the gallery shows of a slice. Raises gr.Error with one sentence."""
        try:
            wanted = SliceImages.model_validate(dict(event._data or {}))
            conditions = parse_conditions(wanted.conditions)
            judged = self.cache.read(self.services.store, selection)
        except ValidationError as error:
            raise gr.Error(NOT_UNDERSTOOD) from error
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence
        words = ", ".join(condition_words(condition) for condition in conditions)
        return {
            "title": words[:1].upper() + words[1:],
            "evaluations": list(slice_evaluations(judged, conditions)),
        }


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    handlers = SliceHandlers(services, part.bar.cache)
    table = live("error_analysis/slice_table", status.idle_message(), elem_id="errors-slices")
    images = gallery.build(services, "errors-slices-gallery")

    def show_slices(_: gr.Request, selection: ErrorSelection) -> tuple[Markup, None]:
        return handlers.show_slices(selection), None

    one_by_one: Any = {"concurrency_limit": 1, "concurrency_id": "errors-slices", **quiet()}
    part.fill(show_slices, [table, images], **one_by_one)
    table.select(handlers.show_images, part.bar.chosen, images, **chosen())


def report_html(report: SliceReport, held: tuple[Condition, ...]) -> Markup:
    """Return slices as HTML; `held` are the conditions that hold already."""
    if not report.images:
        return status.idle_message(EMPTY)
    what = "answers" if report.by_questions else "images"
    error = f"{report.error_rate or 0.0:.0%}".replace("%", " %")
    about = (
        f"Of {report.images:,} images of {report.prompts:,} prompts, {error} of {report.counted:,}"
        f" {what} are wrong, {report.left_out:,} left out. {report.looked_at:,} groups were looked"
        " at; p values are corrected for all of them. The line on a bar is the 95 % interval, the"
        " mark is the rest."
    )
    return slice_table([slice_row(found, held) for found in report.slices], about)


def slice_row(found: Slice, held: tuple[Condition, ...]) -> SliceRow:
    """Return a slice as it is shown."""
    interval = None
    if found.low is not None and found.high is not None:
        interval = (found.low, found.high)
    words = interval_text(*interval) if interval else "not known"
    together = dict.fromkeys((*held, *found.conditions))
    return SliceRow(
        name=found.name,
        sentence=found.sentence,
        numbers=(
            f"95 % interval {words} · the rest {found.rest_error_rate:.3f} ·"
            f" {found.prompts:,} prompts · p {found.corrected_p:.2g}, corrected"
        ),
        error_rate=found.error_rate,
        rest_error_rate=found.rest_error_rate,
        interval=interval,
        conditions=found.address,
        filter=format_conditions(together),
    )
