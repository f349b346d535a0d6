"""Compares two runs by slice: what got better, and what got worse."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import gradio as gr
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, ValidationError

from hallascope.components.cards import status
from hallascope.components.error_analysis.run_changes import (
    ChangedImages,
    ChangeTable,
    RunOption,
    change_table,
    run_choice,
)
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.error_analysis.slices.change_report import (
    HEADS,
    METHOD,
    MOST_SLICES,
    change_cells,
    images_of,
    unpaired_text,
)
from hallascope.engine.error_analysis.slices.run_changes import RunChanges, compare_run_errors
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.services import Services
from hallascope.engine.storage.runs.catalog import ListedRun
from hallascope.pages.error_analysis import gallery
from hallascope.pages.error_analysis.gallery import NOT_UNDERSTOOD
from hallascope.pages.error_analysis.selection_bar import ErrorsPart
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.shared.visitor import services_of

MOST_LISTED = 100  # runs that can be chosen
MOST_NAMED = 2  # models that the name of a run says
HELP = Markup("""<p class="soft">Choose two runs of the same prompts. Images are paired by prompt,
model and seed; two runs with one model each are paired by prompt and seed.</p>""")


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunPair(_Sent):
    """Names two runs that are compared."""

    one: str
    other: str


class ChangedPair(RunPair):
    """Asks for the images that got better, or worse."""

    change: Literal["better", "worse"]


@dataclass(frozen=True)
class ComparisonHandlers:
    """Answers the events of the part."""

    services: Services

    def show_choice(self, asker: gr.Request) -> Markup:
        """Return the choice of two runs as HTML: the two newest, the older first."""
        try:
            runs = self.options(asker)
        except HallaScopeError as sentence:
            return status.error_message(str(sentence))
        newest = [each.run for each in runs[:2]]
        one, other = reversed(newest) if len(newest) == 2 else ("", "")
        return run_choice(runs, one, other, Markup())

    def compare(self, event: gr.EventData, selection: ErrorSelection, asker: gr.Request) -> Markup:
        """Return the choice, and beneath it what changed, or one sentence."""
        try:
            pair = RunPair.model_validate(dict(event._data or {}))
            runs = self.options(asker)
        except ValidationError:
            return status.error_message(NOT_UNDERSTOOD)
        except HallaScopeError as sentence:
            return status.error_message(str(sentence))
        try:
            result = changes_html(self.changes(pair, selection, asker))
        except HallaScopeError as sentence:
            result = status.error_message(str(sentence))
        return run_choice(runs, pair.one, pair.other, result)

    def show_images(
        self, event: gr.EventData, selection: ErrorSelection, asker: gr.Request
    ) -> dict[str, Any]:
        """Return what the gallery shows: the first and the second image of each pair in turn.

        Raises gr.Error with one sentence.
        """
        try:
            wanted = ChangedPair.model_validate(dict(event._data or {}))
            changes = self.changes(wanted, selection, asker)
        except ValidationError as error:
            raise gr.Error(NOT_UNDERSTOOD) from error
        except HallaScopeError as sentence:
            raise gr.Error(str(sentence)) from sentence
        images = images_of(changes, wanted.change)
        return {
            "title": f"Images that got {wanted.change}: first run, second run",
            "evaluations": [
                evaluation for image in images for evaluation in dict.fromkeys(image.evaluations)
            ],
        }

    def changes(self, pair: RunPair, selection: ErrorSelection, asker: gr.Request) -> RunChanges:
        """Return what changed. Raises a HallaScopeError with one sentence."""
        history = self._history(asker)
        runs = history.find(pair.one), history.find(pair.other)
        return compare_run_errors(self.services.store, *runs, selection.metric)

    def options(self, asker: gr.Request) -> list[RunOption]:
        """Return the runs that can be chosen, the newest first."""
        runs = self._history(asker).list(limit=MOST_LISTED).runs
        newest = sorted(runs, key=lambda run: -run.created)
        return [RunOption(run.id, run_words(run)) for run in newest]

    def _history(self, asker: gr.Request) -> RunHistory:
        return RunHistory(services_of(self.services, asker))


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    handlers = ComparisonHandlers(services)
    still(HELP)
    shown = live("error_analysis/run_changes", Markup(), elem_id="errors-runs")
    images = gallery.build(services, "errors-runs-gallery")

    def show_choice(asker: gr.Request, _: ErrorSelection) -> tuple[Markup, None]:
        return handlers.show_choice(asker), None

    def compare(
        event: gr.EventData, selection: ErrorSelection, asker: gr.Request
    ) -> tuple[Markup, None]:
        return handlers.compare(event, selection, asker), None

    # for each new choice of images; the script then compares the runs of the address again
    part.fill(show_choice, [shown, images], **quiet())
    shown.submit(compare, part.bar.chosen, [shown, images], **chosen())
    shown.select(handlers.show_images, part.bar.chosen, images, **chosen())


def run_words(run: ListedRun) -> str:
    """Return how a run is called in a list: its name, its models and its date."""
    models = [short_name(model) for model in run.models]
    more = f" and {len(models) - MOST_NAMED} more" if len(models) > MOST_NAMED else ""
    date = f"{datetime.fromtimestamp(run.created, UTC):%Y-%m-%d %H:%M}"
    return f"{run.name} · {', '.join(models[:MOST_NAMED])}{more} · {date}"


def changes_html(changes: RunChanges) -> Markup:
    """Return what changed as HTML."""
    shown = (changes.whole, *changes.slices[:MOST_SLICES])
    return change_table(
        ChangeTable(
            sentence=changes.sentence,
            heads=HEADS,
            rows=[change_cells(each) for each in shown],
            images=[
                ChangedImages(change, len(images_of(changes, change)))
                for change in ("worse", "better")
            ],
            notes=[unpaired_text(changes), METHOD],
        )
    )
